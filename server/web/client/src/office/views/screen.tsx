// One screen: what it shows now, what it showed in a period, and the end of its pairing.

import { Problem, api, dataOf, type Schema } from "../../api/client.js";
import { Button } from "../../staff/controls.js";
import { PeriodFilters, asked } from "../filters.js";
import { AskToEnd } from "../form.js";
import { when } from "../format.js";
import { usePages } from "../load.js";
import { useOffice } from "../office.js";
import { Card, Facts, Head } from "../parts.js";
import { go, to } from "../router.js";
import { heardAt, screenWord, shownWord } from "../screen-state.js";
import { Empty, List, Ready } from "../table.js";
import { Amounts, ScreenStatus, useScreens } from "./screens.js";

type Screen = Schema<"Screen">;
type Shown = Schema<"Shown">;

/** Unpairs a screen; one that is gone already is no error. */
async function unpair(screen: string): Promise<void> {
  try {
    await api.DELETE("/v1/screens/{screen}", { params: { path: { screen } } });
  } catch (error) {
    if (!(error instanceof Problem && error.code === "unknown_screen")) throw error;
  }
}

function Unpair({ screen }: { screen: string }) {
  const { t } = useOffice();
  const s = t.house.screens;
  return (
    <AskToEnd
      label={s.unpair}
      title={s.unpairTitle(screen)}
      text={s.unpairText}
      action={s.unpairAction}
      buttonKind="stop"
      send={() => unpair(screen)}
      done={() => go(to("screens"))}
    />
  );
}

function Now({ screen }: { screen: Screen }) {
  const { t, locale, may, whoMay } = useOffice();
  const s = t.house.screens;
  const heard = heardAt(screen);
  return (
    <Card
      title={s.now}
      side={may("run") ? <Unpair screen={screen.screen} /> : <p class="secondary">{whoMay("run")}</p>}
    >
      <Facts
        rows={[
          [t.state, <ScreenStatus word={screenWord(screen)} />],
          [s.links, screen.links.join(", ")],
          [s.heard, heard === null ? s.never : when(heard, locale)],
          [s.pairedAt, s.pairedBy(when(screen.paired_at, locale), screen.paired_by)],
        ]}
      />
    </Card>
  );
}

/** What a screen showed in a period, newest first. */
function Past({ screen }: { screen: string }) {
  const { t, locale } = useOffice();
  const s = t.house.screens;
  const filters = asked("from", "until");
  const key = `shown ${screen} ${JSON.stringify(filters)}`;
  const shown = usePages<Shown>(key, async (after) => {
    const query = { ...filters, ...(after === undefined ? {} : { to: after }) };
    const page = await dataOf(api.GET("/v1/screens/{screen}/shown", { params: { path: { screen }, query } }));
    return { rows: page.shown, more: page.more, next: page.next ?? null };
  });
  return (
    <>
      <div class="filters">
        <PeriodFilters />
        <Button kind="quiet" small onClick={shown.reload}>
          {s.reload}
        </Button>
      </div>
      <Card title={s.past}>
        <p class="secondary">{s.pastText}</p>
        <List<Shown>
          of={shown}
          caption={s.past}
          rowKey={({ link, since }) => `${link} ${since}`}
          empty={<Empty title={s.pastNone}>{s.pastNoneHint}</Empty>}
          columns={[
            { head: s.sinceHead, name: true, cell: (row) => when(row.since, locale) },
            { head: t.until, cell: (row) => when(row.until, locale, "time") },
            { head: t.link, cell: (row) => row.link },
            { head: s.shows, wide: true, cell: (row) => <Amounts shown={row} /> },
            { head: s.batch, figure: true, cell: (row) => row.batch },
            { head: t.state, cell: (row) => <ScreenStatus word={shownWord(row)} /> },
          ]}
        />
      </Card>
    </>
  );
}

export function ScreenView({ screen }: { screen: string }) {
  const { t } = useOffice();
  const s = t.house.screens;
  const screens = useScreens();
  return (
    <>
      <Head title={screen} above={<a href={to("screens")}>{s.title}</a>} />
      <Ready of={screens}>
        {(rows) => {
          const found = rows.find((one) => one.screen === screen);
          return found ? <Now screen={found} /> : <Empty title={s.gone(screen)}>{s.goneHint}</Empty>;
        }}
      </Ready>
      <Past screen={screen} />
    </>
  );
}
