// The tables of fixed wagers that two people adopted on a link, and how one pays its print again.

import { useRef } from "preact/hooks";
import { api } from "../../api/client.js";
import { AskReason } from "../form.js";
import { useOffice } from "../office.js";
import { Card, type Link } from "../parts.js";
import { go, to } from "../router.js";
import { Empty, Table } from "../table.js";
import { type AdoptedTable, adoptionOf, readingText } from "./adoption.js";

/** Proposes that a table pays its print again: the change without a reading. */
function PrintAgain({ link, table }: { link: string; table: string }) {
  const l = useOffice().t.links.adopted;
  // The same name for each attempt: sent again after a lost answer, the proposal counts once.
  const id = useRef(crypto.randomUUID());
  const params = { path: { link, proposal: id.current } };
  return (
    <AskReason
      label={l.again}
      title={l.againTitle(table)}
      text={l.againText}
      action={l.againAction}
      send={({ reason }) =>
        api.PUT("/v1/links/{link}/proposals/{proposal}", { params, body: adoptionOf({ paytable: table, reason }) })
      }
      done={() => go(to("proposals", link, id.current))}
    />
  );
}

function Rows({ link, rows }: { link: string; rows: readonly AdoptedTable[] }) {
  const { t, may } = useOffice();
  const a = t.proposals.adoption;
  const again = (row: AdoptedTable) =>
    row.reading && (
      <div class="row-actions">
        <PrintAgain link={link} table={row.table} />
      </div>
    );
  return (
    <Table
      caption={t.links.adopted.title}
      rows={rows}
      rowKey={(row) => row.table}
      columns={[
        { head: a.table, name: true, wide: true, cell: (row) => row.table },
        {
          head: a.readingAndLetter,
          wide: true,
          cell: (row) => (
            <>
              {readingText(row, a)}
              {row.letter && <p class="secondary">{row.letter}</p>}
            </>
          ),
        },
        { head: a.returns, figure: true, cell: (row) => row.returns },
        ...(may("reset") ? [{ head: "", cell: again }] : []),
      ]}
    />
  );
}

/** A server of 0.1.0 adopts nothing, and there is no card. */
export function AdoptedTables({ link }: { link: Link }) {
  const { t, may } = useOffice();
  const l = t.links.adopted;
  if (!link.adopted) return null;
  return (
    <Card title={l.title}>
      {link.adopted.length === 0 ? (
        <Empty title={l.none}>{l.noneHint}</Empty>
      ) : (
        <Rows link={link.link} rows={link.adopted} />
      )}
      {may("reset") && (
        <p class="card-foot">
          <a class="button quiet small" href={`${to("proposals", link.link, "new")}?change=adopt_table`}>
            {l.adopt}
          </a>
        </p>
      )}
    </Card>
  );
}
