// The screens: the sign of each link, by its address and in each theme.

import { useOffice } from "../office.js";
import { Card, Head, State, useLinks } from "../parts.js";
import { Empty, Ready, Table } from "../table.js";

export function Screens() {
  const { t } = useOffice();
  const s = t.house.screens;
  const links = useLinks();
  return (
    <>
      <Head title={s.title} under={s.under} />
      <Card>
        <Ready of={links}>
          {(rows) =>
            rows.length === 0 ? (
              <Empty title={t.noLinks}>{t.noLinksHint}</Empty>
            ) : (
              <Table
                caption={s.title}
                rows={rows}
                rowKey={(link) => link.link}
                columns={[
                  { head: t.link, name: true, cell: (link) => link.link },
                  { head: t.state, cell: (link) => <State of={link.state} /> },
                  { head: s.address, cell: (link) => `${location.origin}/sign/${link.link}` },
                  {
                    head: s.themes,
                    cell: (link) =>
                      Object.entries(s.themeNames).map(([theme, name]) => (
                        <a
                          key={theme}
                          class="spaced"
                          href={`/sign/${link.link}?theme=${theme}`}
                          target="_blank"
                          rel="noopener"
                        >
                          {name}
                        </a>
                      )),
                  },
                ]}
              />
            )
          }
        </Ready>
      </Card>
    </>
  );
}
