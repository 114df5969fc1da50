// What a dry run changes, account by account.

import type { Schema } from "../../api/client.js";
import { negated, sum } from "../exact.js";

const ACCOUNTS = ["meter", "reserve", "overflow", "pending"] as const;

type DryRun = Pick<Schema<"DryRun">, "before" | "after">;

export interface BalanceChange {
  level: string;
  account: (typeof ACCOUNTS)[number];
  before: string;
  change: string;
  after: string;
}

/** Lists the balances that differ, and the meter of each of their levels. */
export function balanceChanges(run: DryRun): BalanceChange[] {
  return run.before.levels.flatMap((before, index) => {
    const after = run.after.levels[index] ?? before;
    const differs = ACCOUNTS.filter((account) => before[account] !== after[account]);
    if (differs.length === 0) return [];
    const shown = ACCOUNTS.filter(
      (account) => differs.includes(account) || (account === "meter" && before.level !== "fixed"),
    );
    return shown.map((account) => ({
      level: before.level,
      account,
      before: before[account],
      change: sum(after[account], negated(before[account])) ?? "",
      after: after[account],
    }));
  });
}

/** Writes what a dry run would do, without the balances before and after. */
function doneBy(run: Schema<"DryRun">): string {
  const changes = balanceChanges(run).map(({ level, account, change }) => [level, account, change]);
  // How a table paid before stays in it: that is no balance.
  const paid = run.effect.kind === "table_adopted" ? (run.effect.before ?? null) : null;
  const done = [run.effect, paid, run.moves, run.before.state, run.after.state, changes];
  return JSON.stringify(done, (key, value: unknown) => (key === "before" || key === "after" ? undefined : value));
}

/**
 * Checks if a later dry run would do the same as the one that was seen. Coin-ins in between make no difference: a link that
 * plays gets them all the time. A balance that has fallen, and another amount that is pending, do.
 */
export function doesTheSame(seen: Schema<"DryRun">, now: Schema<"DryRun">): boolean {
  const asSeen = seen.before.levels.every((before, index) => {
    const later = now.before.levels[index] ?? before;
    const rest = ACCOUNTS.map((account) => [account, sum(later[account], negated(before[account])) ?? "-"] as const);
    return rest.every(([account, grown]) => (account === "pending" ? grown === "0.00" : !grown.startsWith("-")));
  });
  return asSeen && doneBy(seen) === doneBy(now);
}
