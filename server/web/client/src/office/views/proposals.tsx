// The proposals of all links: what waits for a second person, and what was decided.

import { api, dataOf } from "../../api/client.js";
import { named, when } from "../format.js";
import { useLoad } from "../load.js";
import { useOffice } from "../office.js";
import { Card, Head, Segments, State, useLinks } from "../parts.js";
import { query, setQuery, to } from "../router.js";
import { Empty, Ready, Table } from "../table.js";
import { type Proposal, subjectOf } from "./proposal-parts.js";

const EVERY_MS = 5_000;
/** Proposals that are shown of a link. */
const SHOWN_MOST = 100;

/** Loads the newest proposals of links, the newest first. */
async function proposalsOf(names: readonly string[]): Promise<Proposal[]> {
  const pages = await Promise.all(
    names.map((link) =>
      dataOf(api.GET("/v1/links/{link}/proposals", { params: { path: { link }, query: { limit: SHOWN_MOST } } })),
    ),
  );
  return pages
    .flatMap((page) => page.proposals)
    .sort((one, other) => Date.parse(other.proposed_at) - Date.parse(one.proposed_at));
}

function ProposalTable({ rows }: { rows: Proposal[] }) {
  const { t, locale } = useOffice();
  const p = t.proposals;
  return (
    <Table<Proposal>
      caption={p.title}
      rows={rows}
      rowKey={(row) => row.proposal}
      href={(row) => to("proposals", row.link, row.proposal)}
      columns={[
        { head: p.change, name: true, cell: (row) => p.changes[row.change] ?? named(row.change) },
        { head: p.subject, cell: (row) => subjectOf(row, t, locale) },
        { head: t.link, cell: (row) => row.link },
        { head: p.reason, wide: true, cell: (row) => row.reason },
        { head: p.proposedBy, cell: (row) => t.accountDepartment(row.proposed_by, row.proposed_department) },
        { head: p.proposedAt, cell: (row) => when(row.proposed_at, locale) },
        { head: t.state, cell: (row) => <State of={row.state === "open" ? "proposed" : row.state} /> },
      ]}
    />
  );
}

export function Proposals() {
  const { t, may } = useOffice();
  const p = t.proposals;
  const links = useLinks();
  const names = links.data?.map((link) => link.link) ?? [];
  const proposals = useLoad(links.data ? `proposals ${names.join(" ")}` : null, () => proposalsOf(names), EVERY_MS);
  const waiting = query("show") !== "all";
  return (
    <>
      <Head title={p.title} under={p.under}>
        <Segments
          label={p.show}
          options={[
            ["", p.waiting],
            ["all", p.decided],
          ]}
          value={waiting ? "" : "all"}
          choose={(show) => setQuery({ show })}
        />
        {(may("adjust") || may("reset")) && names[0] && (
          <a class="button quiet small" href={to("proposals", names[0], "new")}>
            {p.propose}
          </a>
        )}
      </Head>
      <Ready of={proposals}>
        {(all) => {
          const rows = all.filter((row) => !waiting || row.state === "open");
          return (
            <Card>
              {rows.length === 0 ? (
                <Empty title={waiting ? p.none : p.noneEver}>{p.noneHint}</Empty>
              ) : (
                <ProposalTable rows={rows} />
              )}
            </Card>
          );
        }}
      </Ready>
    </>
  );
}
