// What an approved proposal did, as the server recorded it.

import type { Schema } from "../../api/client.js";
import { amount, exact } from "../format.js";
import { useOffice } from "../office.js";
import { Card, State } from "../parts.js";
import { to } from "../router.js";
import { Table } from "../table.js";
import { Adoption } from "./adoption-table.js";

type Recorded = Schema<"Effect">;

function Resettled({ hits }: { hits: Schema<"ResettledHit">[] }) {
  const { t, locale } = useOffice();
  const e = t.proposals.effect;
  if (hits.length === 0) return <p class="secondary">{e.none}</p>;
  return (
    <Table
      caption={e.title}
      rows={hits}
      rowKey={(row) => row.hit}
      href={(row) => to("hits", row.hit)}
      columns={[
        { head: e.hit, name: true, cell: (row) => row.hit },
        { head: e.before, figure: true, cell: (row) => amount(row.before, locale) },
        { head: e.after, figure: true, cell: (row) => amount(row.after, locale) },
        { head: e.due, figure: true, cell: (row) => amount(row.due, locale) },
        {
          head: e.supplement,
          figure: true,
          cell: (row) =>
            row.payouts
              .filter((payout) => payout.kind === "supplement")
              .map((payout) => amount(payout.amount, locale))
              .join(", "),
        },
        { head: "", cell: (row) => (row.back_to_pending ? <State of="pending" /> : "") },
      ]}
    />
  );
}

function Content({ effect }: { effect: Recorded }) {
  const { t, locale } = useOffice();
  const e = t.proposals.effect;
  if (effect.kind === "corrected") return <Resettled hits={effect.resettled} />;
  if (effect.kind === "adjusted")
    return (
      <Table
        caption={e.title}
        rows={[effect]}
        rowKey={(row) => row.level}
        columns={[
          {
            head: t.proposals.dryRun.account,
            name: true,
            cell: (row) => `${t.levelNamed(row.level)}, ${t.accounts[row.account] ?? row.account}`,
          },
          { head: e.before, figure: true, cell: (row) => exact(row.before, locale) },
          { head: e.after, figure: true, cell: (row) => exact(row.after, locale) },
        ]}
      />
    );
  if (effect.kind === "late_hit_recorded")
    return (
      <>
        <p class="statement">
          <a href={to("hits", effect.hit.hit)}>{effect.hit.hit}</a>, {amount(effect.hit.due, locale, "money")}
        </p>
        <p class="secondary">{effect.from_meter ? e.fromMeter : e.fromHouse}</p>
      </>
    );
  if (effect.kind === "fault_cleared")
    return (
      <p>
        {e.cleared} {effect.fault}
      </p>
    );
  if (effect.kind === "table_adopted") return <Adoption of={effect} names={[t.reports.c.before, t.reports.c.after]} />;
  return <p>{e.acknowledged}</p>;
}

export function Effect({ effect }: { effect: Recorded }) {
  const { t } = useOffice();
  return (
    <Card title={t.proposals.effect.title}>
      <Content effect={effect} />
    </Card>
  );
}
