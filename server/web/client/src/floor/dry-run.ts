// The dry run of a change: rows of what the server says now. Nothing is written, and no money is computed here.

import { type Schema, api, dataOf } from "../api/client.js";
import type { PastRound } from "./rounds.js";
import type { Hit } from "./model.js";

/** What a dry run says of an adopted table of fixed wagers. */
export type AdoptedPart = "table" | "reading" | "letter" | "returns";

/**
 * Row of a dry run: an effect with what stands before and after it; null where the server says it with the approval. Amounts,
 * but for the texts of an adopted table: there null is nothing, and a reading that is empty is the print.
 */
export interface DryRow {
  kind: "displayed" | "now" | "pays" | "envy" | "thisHit" | "payout" | "later" | "level" | AdoptedPart;
  /** Level, hit or seat that the row is about. */
  about: string;
  before: string | null;
  after: string | null;
}

export interface DryRun {
  /** Time of the server's answers. */
  at: number;
  rows: DryRow[];
}

/** Dry run of a late hit, with what the server says of its cards. */
export interface LateRun extends DryRun {
  /** Hand that the server reads from the cards; null without cards. */
  reads: string | null;
  winsNothing: boolean;
}

type Link = Schema<"Link">;

interface LateHit {
  link: Link;
  round: PastRound;
  hand: string;
  cards: readonly string[];
  onDealer: boolean;
}

function amountOf(levels: readonly Schema<"LevelAmount">[], level: string): string | null {
  return levels.find((row) => row.level === level)?.amount ?? null;
}

async function displayedAt(link: string, at: string): Promise<readonly Schema<"LevelAmount">[]> {
  const params = { path: { link }, query: { at } };
  return (await dataOf(api.GET("/v1/links/{link}/meters", { params }))).levels;
}

/** Computes what a late hit would pay: by the amounts at GAME OVER, the paytable's line and the server's evaluation. */
export async function dryRunLate(late: LateHit): Promise<LateRun> {
  const { link, round } = late;
  const params = { path: { paytable: link.paytable } };
  const [paytable, now, then] = await Promise.all([
    dataOf(api.GET("/v1/paytables/{paytable}", { params })),
    dataOf(api.GET("/v1/links/{link}/meters", { params: { path: { link: link.link } } })),
    round.closedAt ? displayedAt(link.link, round.closedAt) : Promise.resolve([]),
  ]);
  const line = paytable.lines.find((row) => row.hand === late.hand);
  const level = line?.level ?? null;
  const displayed = level ? amountOf(then, level) : null;
  const evaluation =
    late.cards.length === 0 ? null : await evaluate(link, late.cards, displayed, late.onDealer ? "dealer" : "own");
  const rows: DryRow[] = [];
  if (level) {
    rows.push({ kind: "displayed", about: level, before: displayed, after: null });
    rows.push({ kind: "now", about: level, before: amountOf(now.levels, level), after: null });
  }
  if (evaluation?.pay)
    rows.push({ kind: "pays", about: late.hand, before: null, after: evaluation.pay.amount ?? null });
  // All of a level is what it displayed: there is nothing to compute.
  else if (line?.percent === 100) rows.push({ kind: "pays", about: late.hand, before: null, after: displayed });
  if (evaluation?.envy) rows.push({ kind: "envy", about: late.hand, before: null, after: evaluation.envy });
  return {
    at: Date.now(),
    rows,
    reads: evaluation?.hand ?? null,
    winsNothing: evaluation !== null && !evaluation.pay,
  };
}

function evaluate(link: Link, cards: readonly string[], displayed: string | null, on: "own" | "dealer") {
  const body = { paytable: link.paytable, cards: [...cards], wager: link.wager, on, ...(displayed && { displayed }) };
  return dataOf(api.POST("/v1/evaluations", { body }));
}

/** Later hits that a dry run lists. */
const LATER_MOST = 200;

/** Lists what a correction would touch: the hit, what was paid, and the later hits of its level. */
export async function dryRunCorrect(hit: Hit): Promise<DryRun> {
  const rows: DryRow[] = [{ kind: "thisHit", about: hit.hit, before: hit.due, after: "0.00" }];
  for (const row of hit.payouts)
    if (row.payment?.paid)
      rows.push({ kind: "payout", about: String(row.seat), before: row.amount, after: row.amount });
  if (hit.level) {
    const query = { level: hit.level, from: hit.keyed_at, limit: LATER_MOST };
    const path = { link: hit.link };
    const [page, meters] = await Promise.all([
      dataOf(api.GET("/v1/links/{link}/hits", { params: { path, query } })),
      dataOf(api.GET("/v1/links/{link}/meters", { params: { path } })),
    ]);
    const standing = ["pending", "validated", "validated_by_rule", "paid"];
    for (const later of page.hits)
      if (later.hit !== hit.hit && standing.includes(later.state))
        rows.push({ kind: "later", about: later.hit, before: later.due, after: null });
    rows.push({ kind: "level", about: hit.level, before: amountOf(meters.levels, hit.level), after: null });
  }
  return { at: Date.now(), rows };
}

/** Reads what the approval of a proposal would do now, as the server says it. */
export async function dryRunOf(proposal: Pick<Schema<"Proposal">, "link" | "proposal">): Promise<DryRun> {
  const path = { link: proposal.link, proposal: proposal.proposal };
  const run = await dataOf(api.GET("/v1/links/{link}/proposals/{proposal}/dry-run", { params: { path } }));
  const rows = effectRows(run.effect);
  run.before.levels.forEach(({ level, meter }, index) => {
    const after = run.after.levels[index]?.meter ?? meter;
    const known = rows.some((row) => row.kind === "level" && row.about === level);
    if (meter !== after && !known) rows.push({ kind: "level", about: level, before: meter, after });
  });
  return { at: Date.parse(run.at), rows };
}

/** Rows of what an approved change did, as the server says it. */
export function effectRows(effect: Schema<"Effect">): DryRow[] {
  switch (effect.kind) {
    case "corrected":
      return effect.resettled.map((row) => ({ kind: "later", about: row.hit, before: row.before, after: row.due }));
    case "adjusted":
      return [{ kind: "level", about: effect.level, before: effect.before, after: effect.after }];
    case "late_hit_recorded": {
      const { hit } = effect;
      const rows: DryRow[] = [{ kind: "pays", about: hit.hand ?? "", before: null, after: hit.due }];
      if (hit.level && hit.before && hit.after)
        rows.push({ kind: "level", about: hit.level, before: hit.before, after: hit.after });
      return rows;
    }
    case "table_adopted":
      return adoptionRows(effect);
    default:
      return [];
  }
}

function adoptionRows({ adopted, before }: Schema<"TableAdopted">): DryRow[] {
  const part = (table: Schema<"AdoptedTable"> | null | undefined, kind: AdoptedPart): string | null =>
    table ? (table[kind] ?? (kind === "reading" ? "" : null)) : null;
  const kinds: AdoptedPart[] = ["table", "reading", "letter", "returns"];
  return kinds
    .map((kind) => ({ kind, about: adopted.table, before: part(before, kind), after: part(adopted, kind) }))
    .filter((row) => row.before !== null || row.after !== null);
}
