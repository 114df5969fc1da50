// The dry run of an open proposal: what its approval would do now to hits, balances, state and signs.

import { useEffect } from "preact/hooks";
import { Problem, api, dataOf, type Schema } from "../../api/client.js";
import { Status } from "../../staff/controls.js";
import { negated, sum } from "../exact.js";
import { amount, bookNamed, count, exact, named, when } from "../format.js";
import { type Loaded, useLoad } from "../load.js";
import { useOffice } from "../office.js";
import { Card, Facts, State } from "../parts.js";
import { to } from "../router.js";
import { Ready, Table } from "../table.js";
import { Adoption } from "./adoption-table.js";
import { type BalanceChange, balanceChanges } from "./dry-run-changes.js";
import type { Proposal } from "./proposal-parts.js";

export type DryRun = Schema<"DryRun">;
type Corrected = Extract<DryRun["effect"], { kind: "corrected" }>;

const BOOKS_EVERY_MS = 5_000;

export function readDryRun(proposal: Proposal): Promise<DryRun> {
  const path = { link: proposal.link, proposal: proposal.proposal };
  return dataOf(api.GET("/v1/links/{link}/proposals/{proposal}/dry-run", { params: { path } }));
}

/** Reads the dry run of an open proposal again and again: the books move while a person looks at it. */
export function useDryRun(proposal: Proposal): Loaded<DryRun> {
  const key = proposal.state === "open" ? `dry-run ${proposal.proposal}` : null;
  const run = useLoad(key, () => readDryRun(proposal), BOOKS_EVERY_MS);
  const { error, reload } = run;
  useEffect(() => {
    // What the server refuses now may be right again once the books have moved.
    const timer = error ? setTimeout(reload, BOOKS_EVERY_MS) : undefined;
    return () => clearTimeout(timer);
  }, [error, reload]);
  return run;
}

/** Says if the server would refuse the approval now. */
export function isRefused({ error }: Loaded<DryRun>): boolean {
  return error instanceof Problem && (error.status === 422 || error.code === "link_faulted");
}

interface HitChange {
  hit: string;
  hand: string;
  won: string;
  without: string | null;
  what: string;
}

function useHitChanges(effect: Corrected): Loaded<HitChange[]> {
  const { t, locale } = useOffice();
  const d = t.proposals.dryRun;
  const names = [effect.hit, ...effect.resettled.map((row) => row.hit)];
  const hits = useLoad(names.join(" "), () =>
    Promise.all(names.map((hit) => dataOf(api.GET("/v1/hits/{hit}", { params: { path: { hit } } })))),
  );
  const happens = (row: Schema<"ResettledHit">): string => {
    const supplements = row.payouts.filter((payout) => payout.kind === "supplement");
    if (supplements.length > 0) return supplements.map((one) => d.supplement(amount(one.amount, locale))).join(" ");
    return row.back_to_pending ? d.backToPending : d.staysPaid;
  };
  const data = hits.data?.map((hit, index): HitChange => {
    const hand = t.hands[hit.hand ?? ""] ?? t.kinds[hit.kind] ?? "";
    const row = effect.resettled[index - 1];
    const paid = hit.payouts.some((payout) => payout.payment?.paid);
    const of = { hit: hit.hit, hand, won: hit.due };
    return row
      ? { ...of, without: row.due, what: happens(row) }
      : { ...of, without: null, what: paid ? d.playerKeeps : d.notPaid };
  });
  return { ...hits, data: data ?? null };
}

function Hits({ effect }: { effect: Corrected }) {
  const { t, locale } = useOffice();
  const d = t.proposals.dryRun;
  return (
    <Ready of={useHitChanges(effect)}>
      {(rows) => (
        <Table
          caption={d.hits}
          rows={rows}
          rowKey={(row) => row.hit}
          href={(row) => to("hits", row.hit)}
          columns={[
            { head: t.hit, name: true, cell: (row) => row.hit },
            { head: t.hand, cell: (row) => row.hand },
            { head: d.won, figure: true, cell: (row) => amount(row.won, locale) },
            { head: d.without, figure: true, cell: (row) => (row.without ? amount(row.without, locale) : d.nothing) },
            {
              head: d.difference,
              figure: true,
              cell: (row) => amount(sum(row.without ?? "0.00", negated(row.won)) ?? "", locale, "signed"),
            },
            { head: d.happens, wide: true, cell: (row) => row.what },
          ]}
        />
      )}
    </Ready>
  );
}

function LateHit({ effect }: { effect: Extract<DryRun["effect"], { kind: "late_hit_recorded" }> }) {
  const { t, locale } = useOffice();
  const d = t.proposals.dryRun;
  return (
    <>
      <Table
        caption={d.payouts}
        rows={effect.hit.payouts}
        rowKey={(row) => String(row.payout)}
        columns={[
          { head: d.pays, name: true, cell: (row) => t.seatNamed(row.seat, false) },
          { head: d.kind, cell: (row) => t.kinds[row.kind] ?? named(row.kind) },
          { head: t.proposals.effect.due, figure: true, cell: (row) => amount(row.amount, locale) },
        ]}
      />
      <p class="secondary">{effect.from_meter ? d.meterPays : d.housePays}</p>
    </>
  );
}

function Balances({ rows }: { rows: readonly BalanceChange[] }) {
  const { t, locale } = useOffice();
  const d = t.proposals.dryRun;
  if (rows.length === 0) return <p class="secondary">{d.noMoney}</p>;
  return (
    <Table
      caption={d.balances}
      rows={rows}
      rowKey={(row) => `${row.level} ${row.account}`}
      columns={[
        {
          head: d.account,
          name: true,
          cell: (row) => `${t.levelNamed(row.level)}, ${t.accounts[row.account] ?? row.account}`,
        },
        { head: d.now, figure: true, cell: (row) => exact(row.before, locale) },
        { head: d.difference, figure: true, cell: (row) => amount(row.change, locale, "signed") },
        { head: d.after, figure: true, cell: (row) => exact(row.after, locale) },
      ]}
    />
  );
}

function Moves({ moves }: { moves: DryRun["moves"] }) {
  const { t, locale } = useOffice();
  const d = t.proposals.dryRun;
  if (moves.length === 0) return null;
  const account = (name: string) => t.accounts[name] ?? named(name);
  return (
    <Table
      caption={d.moves}
      rows={moves.map((move, index) => ({ ...move, index }))}
      rowKey={(row) => String(row.index)}
      columns={[
        { head: d.moves, name: true, cell: (row) => bookNamed(row.book, t) },
        { head: d.from, cell: (row) => account(row.from) },
        { head: d.to, cell: (row) => account(row.to) },
        { head: t.amount, figure: true, cell: (row) => exact(row.amount, locale) },
      ]}
    />
  );
}

/** The figures at the foot: each displayed amount that changes, or the level that is spoken of, and what signs show. */
function Outcome({ run, rows }: { run: DryRun; rows: readonly BalanceChange[] }) {
  const { t, locale } = useOffice();
  const d = t.proposals.dryRun;
  const meters = rows.filter((row) => row.account === "meter");
  const changes = meters.some((row) => amount(row.before, locale) !== amount(row.after, locale));
  const figures = meters.flatMap((row) => [
    [d.nowOf(t.levelNamed(row.level)), amount(row.before, locale, "money")] as const,
    [d.afterOf(t.levelNamed(row.level)), amount(row.after, locale, "money")] as const,
  ]);
  const [before, after] = [run.before.at_displayed?.percent, run.after.at_displayed?.percent];
  return (
    <>
      <div class="outcome">
        {figures.length > 0 && <Facts large rows={figures} />}
        <Status icon={changes ? "pending" : "done"} tone={changes ? "amber" : "teal"}>
          {changes ? d.signs : d.signsStay}
        </Status>
      </div>
      {changes && before && after && <p class="hint">{d.returns(before, after)}</p>}
    </>
  );
}

function Content({ run }: { run: DryRun }) {
  const { t } = useOffice();
  const d = t.proposals.dryRun;
  const { effect } = run;
  const rows = balanceChanges(run);
  return (
    <>
      {run.before.state !== run.after.state && (
        <p class="with-state">
          {d.state} <State of={run.before.state} /> → <State of={run.after.state} />
        </p>
      )}
      {effect.kind === "corrected" && <Hits effect={effect} />}
      {effect.kind === "late_hit_recorded" && <LateHit effect={effect} />}
      {effect.kind === "table_adopted" && <Adoption of={effect} names={[d.now, d.after]} />}
      <Balances rows={rows} />
      <Moves moves={run.moves} />
      <Outcome run={run} rows={rows} />
    </>
  );
}

export function DryRunCard({ run }: { run: Loaded<DryRun> }) {
  const { t, locale } = useOffice();
  const d = t.proposals.dryRun;
  // A refusal is of now: what was computed before it does not stand any more.
  const refused = isRefused(run);
  const shown = refused ? { ...run, data: null } : run;
  const side = shown.data && d.computed(count(shown.data.batch, locale), when(shown.data.at, locale, "time"));
  return (
    <Card title={d.title} side={side}>
      {refused && <p class="statement">{d.refused}</p>}
      <Ready of={shown}>{(data) => <Content run={data} />}</Ready>
    </Card>
  );
}
