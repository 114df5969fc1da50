// All links: what each shows, its state, and the way to open one.

import { useOffice } from "../office.js";
import { amount } from "../format.js";
import { Card, Head, type Link, State, useLinks } from "../parts.js";
import { to } from "../router.js";
import { Empty, Ready, Table } from "../table.js";

/** Interval at which the amounts are asked for again. */
const AMOUNTS_EVERY_MS = 2_000;

function Meters({ link }: { link: Link }) {
  const { locale, t } = useOffice();
  return (
    <ul class="meters">
      {link.levels.map((level) => (
        <li key={level.level}>
          <span>{t.levelNamed(level.level)}</span>
          <span class="figure">{amount(level.amount, locale, "money")}</span>
          {level.disabled && <span class="secondary">{t.states["disabled"]}</span>}
        </li>
      ))}
    </ul>
  );
}

export function Links() {
  const { t, may } = useOffice();
  const links = useLinks(AMOUNTS_EVERY_MS);
  const l = t.links;
  return (
    <>
      <Head title={l.title} under={l.under}>
        {may("configure") && (
          <a class="button go small" href={to("links", "new", "open")}>
            {l.open}
          </a>
        )}
      </Head>
      <Ready of={links}>
        {(rows) => (
          <Card>
            {rows.length === 0 ? (
              <Empty title={t.noLinks}>{t.noLinksHint}</Empty>
            ) : (
              <Table
                caption={l.title}
                rows={rows}
                rowKey={(link) => link.link}
                href={(link) => to("links", link.link)}
                columns={[
                  { head: t.link, name: true, cell: (link) => link.link },
                  { head: t.state, cell: (link) => <State of={link.state} /> },
                  { head: l.levels, cell: (link) => <Meters link={link} /> },
                  {
                    head: t.tables,
                    cell: (link) =>
                      l.tablesOf(
                        link.tables.filter((table) => table.state === "in_service").length,
                        link.tables.length,
                      ),
                  },
                  { head: l.paytable, wide: true, cell: (link) => link.title ?? link.paytable },
                  {
                    head: l.sign,
                    cell: (link) => (
                      <a href={`/sign/${link.link}`} target="_blank" aria-label={l.signOf(link.link)}>
                        {l.sign}
                      </a>
                    ),
                  },
                ]}
              />
            )}
          </Card>
        )}
      </Ready>
    </>
  );
}
