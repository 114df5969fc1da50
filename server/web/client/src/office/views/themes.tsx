// The themes of the house: each with its base, its colours and the links that show by it.

import { baseColour } from "../../themes/legible.js";
import type { HouseTheme } from "../../themes/own.js";
import { useOffice } from "../office.js";
import { Card, Head, useLinks } from "../parts.js";
import { to } from "../router.js";
import { Empty, Ready, Table } from "../table.js";
import "../themes/themes.css";
import { useThemes } from "../themes/use-themes.js";

/** The ground with the levels' colours on it. */
function Swatches({ theme }: { theme: HouseTheme }) {
  const levels = [0, 1, 2].map((index) => theme.levels[index]?.colour ?? baseColour(theme.base, index));
  const ground = theme.colours.ground ?? baseColour(theme.base, "ground");
  return (
    <span class="swatches" style={{ background: ground }} aria-hidden="true">
      {levels.map((colour, index) => (
        <i key={index} style={{ background: colour }} />
      ))}
    </span>
  );
}

export function Themes() {
  const { t, may } = useOffice();
  const x = t.themes;
  const themes = useThemes();
  const links = useLinks();
  const usedBy = (theme: string) =>
    (links.data ?? []).filter((link) => link.presentation?.theme === theme).map((link) => link.link);
  return (
    <>
      <Head title={x.title} under={x.under}>
        {may("configure") && (
          <a class="button go small" href={to("themes", "new", "make")}>
            {x.make}
          </a>
        )}
      </Head>
      <Card>
        <Ready of={themes}>
          {(rows) =>
            rows.length === 0 ? (
              <Empty title={x.none}>{x.noneHint}</Empty>
            ) : (
              <Table
                caption={x.title}
                rows={rows}
                rowKey={(theme) => theme.theme}
                href={(theme) => to("themes", theme.theme)}
                columns={[
                  { head: t.name, name: true, cell: (theme) => theme.theme },
                  { head: x.look, cell: (theme) => <Swatches theme={theme} /> },
                  { head: x.base, cell: (theme) => t.house.screens.themeNames[theme.base] ?? theme.base },
                  { head: x.name, cell: (theme) => theme.name ?? t.none },
                  { head: x.usedBy, cell: (theme) => usedBy(theme.theme).join(", ") || x.unused },
                ]}
              />
            )
          }
        </Ready>
      </Card>
    </>
  );
}
