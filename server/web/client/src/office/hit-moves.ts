// How a hit changed the meter of its level, by the moves of the journal.

import type { Schema } from "../api/client.js";
import { negated, sum } from "./exact.js";

type Move = Schema<"JournalEntry">["moves"][number];

/** A move on the meter of a level, with the sign that it has for the meter. */
interface MeterMove {
  account: string;
  amount: string;
  taken: boolean;
}

function onMeter(move: Move): MeterMove {
  return move.from === "meter"
    ? { account: move.to, amount: negated(move.amount), taken: true }
    : { account: move.from, amount: move.amount, taken: false };
}

/** Returns if moves lead from one amount to the other. */
function lead(before: string, moves: readonly MeterMove[], after: string): boolean {
  const end = moves.reduce<string | null>((at, move) => (at === null ? null : sum(at, move.amount)), before);
  return end !== null && sum(end, negated(after)) === "0.00";
}

type Facts = Pick<Schema<"HitDetail">, "before" | "after" | "entries">;

/**
 * Returns the moves that lead from the meter before a hit to that after it. A hit that was settled anew has more than one
 * such run, and its newest entry has moves of other hits as well: the last run that adds up counts, none if no run does.
 */
export function movesOf(hit: Facts, level: string): MeterMove[] {
  const { before, after } = hit;
  if (!before || !after) return [];
  for (const entry of [...(hit.entries ?? [])].reverse()) {
    const moves = entry.moves
      .filter((move) => move.book === level && (move.from === "meter" || move.to === "meter"))
      .map(onMeter);
    for (let start = moves.length - 1; start >= 0; start -= 1) {
      // A settlement begins with what the hit takes.
      if (moves[start]?.account !== "pending" || !moves[start]?.taken) continue;
      for (let end = moves.length; end > start; end -= 1) {
        const run = moves.slice(start, end);
        if (lead(before, run, after)) return run;
      }
    }
  }
  return [];
}

/** Returns true if a hit was settled anew: an entry of another hit moved its money. */
export function isResettled(hit: Pick<Schema<"HitDetail">, "hit" | "entries">): boolean {
  return (hit.entries ?? []).some(({ event }) => event.kind === "hit_rejected" && event.hit !== hit.hit);
}
