// The odometer's decisions as pure functions: which amount is shown, and which digits roll to reach it.
//
// An amount that is shown is one that the server sent. Between two of them the digits that differ roll upwards, so
// no amount above the server's is ever at rest on the sign, and none below an earlier one unless the server's fell.

/** Least time between two rolls: four a second. Amounts that come faster are passed over for the newest one. */
export const ROLL_EVERY_MS = 250;
/** Duration of one roll, and of one while amounts come faster than that. */
export const ROLL_MS = 420;
export const ROLL_STEADY_MS = 250;

export interface OdometerState {
  /** The amount shown, or being rolled to; null before the first one. */
  shown: bigint | null;
  /** The amount shown before. */
  from: bigint | null;
  /** The newest amount, if it came too soon after the last roll. */
  waiting: bigint | null;
  /** The way from `from` to `shown`. */
  motion: "none" | "roll" | "steady" | "fade";
  changedAt: number;
  /** Number of changes: names the animation of each. */
  changes: number;
}

export const BLANK: OdometerState = {
  shown: null,
  from: null,
  waiting: null,
  motion: "none",
  changedAt: 0,
  changes: 0,
};

/** Takes the server's newest amount at `now`. */
export function confirm(state: OdometerState, cents: bigint, now: number): OdometerState {
  if (state.shown === null) return { ...state, shown: cents, changedAt: now };
  if (cents < state.shown) return show(state, cents, "fade", now);
  if (cents === state.shown) return state.waiting === null ? state : { ...state, waiting: null };
  if (now - state.changedAt >= ROLL_EVERY_MS) return show(state, cents, "roll", now);
  return { ...state, waiting: cents };
}

/** Rolls to the amount that waits, once it is due. */
export function release(state: OdometerState, now: number): OdometerState {
  if (state.waiting === null || now - state.changedAt < ROLL_EVERY_MS) return state;
  return show(state, state.waiting, "steady", now);
}

/** Time after which the last carry of a roll has come to rest. */
export const SETTLED_MS = 900;

/** Forgets the amount before, once its roll is over: what rests has no mask and no second layer. */
export function settle(state: OdometerState, now: number): OdometerState {
  if (state.from === null || now - state.changedAt < SETTLED_MS) return state;
  return { ...state, from: null, motion: "none" };
}

/** Returns the time at which an amount that waits is due; null if none waits. */
export function dueAt(state: OdometerState): number | null {
  return state.waiting === null ? null : state.changedAt + ROLL_EVERY_MS;
}

function show(state: OdometerState, cents: bigint, motion: OdometerState["motion"], now: number): OdometerState {
  return { shown: cents, from: state.shown, waiting: null, motion, changedAt: now, changes: state.changes + 1 };
}

/** Returns the digit of an amount at a place counted from the right in cents; null left of its first digit. */
export function digitAt(cents: bigint, place: number): string | null {
  const digits = cents.toString().padStart(3, "0");
  return digits[digits.length - 1 - place] ?? null;
}

/** Returns the digit that rolls out at a place; null if the place rests. */
export function rollsFrom(state: OdometerState, place: number): string | null {
  if (state.shown === null || state.from === null || (state.motion !== "roll" && state.motion !== "steady"))
    return null;
  const old = digitAt(state.from, place);
  return old === digitAt(state.shown, place) ? null : (old ?? "");
}

/**
 * Returns the amount that a winning amount's count shows after part `t` (0 to 1) of its time: from nothing to the
 * amount, slower and slower, and never above it.
 */
export function countUp(cents: bigint, t: number): bigint {
  if (t >= 1) return cents;
  const left = (1 - Math.max(t, 0)) ** 4;
  const shown = cents - (cents * BigInt(Math.ceil(left * 1_000_000))) / 1_000_000n;
  return shown < 0n ? 0n : shown;
}
