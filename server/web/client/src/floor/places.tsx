// The place that is open.

import { Problem } from "../api/client.js";
import { ErrorNotice } from "../staff/controls.js";
import { Exceptions } from "./exceptions.js";
import { HitPage } from "./hit.js";
import { HitList, TodayList } from "./list.js";
import { route } from "./route.js";
import { loadError, loaded } from "./store.js";
import { TablesPage } from "./tables.js";
import { TwoPeople } from "./two-people.js";
import { useWords } from "./words.js";

export function Places() {
  const { t } = useWords();
  const { place, open } = route.value;
  if (!loaded.value)
    return (
      <main class="place">
        <h1>{t.places.hits}</h1>
        {loadError.value instanceof Problem && loadError.value.status === 403 && <p>{t.shell.forbidden}</p>}
        {loadError.value ? <ErrorNotice error={loadError.value} /> : <p class="secondary">{t.shell.loading}</p>}
      </main>
    );
  if ((place === "hits" || place === "today") && open) return <HitPage key={open} name={open} back={place} />;
  if (place === "today") return <TodayList />;
  if (place === "tables") return <TablesPage open={open} />;
  if (place === "exceptions") return <Exceptions open={open} />;
  if (place === "two-people") return <TwoPeople open={open} />;
  return <HitList />;
}
