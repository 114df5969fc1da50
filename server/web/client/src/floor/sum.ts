// The sum of an amount: the lines of the server's payoff report, in its order. Nothing is computed here.

import type { Schema } from "../api/client.js";
import type { Hit } from "./model.js";

/** Line of a sum: what it is, and its amount as the API says it. */
export type SumLine =
  | { kind: "opening"; level: string; since: string; afterHit: boolean; amount: string }
  | { kind: "contribution"; table: string; wagers: number; amount: string }
  | { kind: Schema<"PayoffEntryKind">; at: string; amount: string }
  | { kind: "before"; level: string; amount: string };

/** Returns the lines that add up to what the level had before the hit. */
export function sumLines(payoff: Schema<"Payoff">): SumLine[] {
  return [
    {
      kind: "opening",
      level: payoff.level,
      since: payoff.since,
      afterHit: Boolean(payoff.since_hit),
      amount: payoff.opening,
    },
    ...payoff.contributions.map(({ table, wagers, amount }) => ({
      kind: "contribution" as const,
      table,
      wagers,
      amount,
    })),
    ...payoff.entries.map(({ kind, at, amount }) => ({ kind, at, amount })),
    // The level's amount stands in a line of its own only where the hit takes a part of it.
    ...(payoff.before === payoff.due ? [] : [{ kind: "before" as const, level: payoff.level, amount: payoff.before }]),
  ];
}

/** Returns the seats that get envy and the amount of each; the amounts of one hit are equal. */
export function envyOf(hit: Pick<Hit, "payouts">): { seats: number[]; each: string } | null {
  const rows = hit.payouts.filter((row) => row.kind === "envy");
  const [first] = rows;
  if (!first) return null;
  return { seats: rows.map((row) => row.seat).sort((one, other) => one - other), each: first.amount };
}

/** Returns the payout of the hand itself: the first that is no envy. */
export function mainPayout(hit: Pick<Hit, "payouts">): Schema<"Payout"> | null {
  return hit.payouts.find((row) => row.kind !== "envy") ?? null;
}

/** Returns the amount that a hit stands for: what its hand wins, or the envy where the hand made no wager. */
export function amountOf(hit: Pick<Hit, "kind" | "due" | "envy_due">): string {
  return hit.kind === "envy" ? hit.envy_due : hit.due;
}

/** Returns what is still to pay of a hit whose hand is paid; null before that, and once everything is paid. */
export function leftToPay(hit: Pick<Hit, "payouts" | "state">): "envy" | "rest" | null {
  if (hit.state !== "validated" && hit.state !== "validated_by_rule") return null;
  if (!mainPayout(hit)?.payment?.paid) return null;
  const left = hit.payouts.filter((row) => !row.payment?.paid);
  if (left.length === 0) return null;
  return left.every((row) => row.kind === "envy") ? "envy" : "rest";
}
