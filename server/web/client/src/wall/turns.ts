// What a sign of several links shows, as pure functions: two links side by side, or one link after another.

/** Time that each link is shown while links take turns. */
export const LINK_TURN_MS = 12_000;

export type Shown = { kind: "pair" } | { kind: "one"; index: number };

export interface WallState {
  count: number;
  /** Both of two links fit on half a sign. */
  halves: boolean;
  /** Index of the link whose win is on the sign; null without a win. */
  winner: number | null;
  /** Turns that are over. */
  turn: number;
}

/** Returns what is shown: a win has the whole sign. */
export function shownOf({ count, halves, winner, turn }: WallState): Shown {
  if (winner !== null) return { kind: "one", index: winner };
  if (count === 2 && halves) return { kind: "pair" };
  return { kind: "one", index: turn % Math.max(1, count) };
}
