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

/** Says if two dry runs would do the same, whatever the time of each. */
export function doesTheSame(one: Schema<"DryRun">, other: Schema<"DryRun">): boolean {
  const does = ({ effect, moves, before, after }: Schema<"DryRun">) => JSON.stringify([effect, moves, before, after]);
  return does(one) === does(other);
}
