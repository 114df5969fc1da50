// What the plot of returns shows: return against the displayed amount of one level, all other levels as they are.

export interface ReturnPoint {
  meter: number;
  percent: number;
}

export interface ReturnCurve {
  /** Points of the line, each from the server. The return is linear in the meter, so that two are enough. */
  line: readonly ReturnPoint[];
  seed: ReturnPoint;
  mean: ReturnPoint | null;
  breakEven: number | null;
  longRun: number;
  until: number;
}

/** Reads "56.89%" as 56.89. */
export function percentOf(text: string): number {
  return Number.parseFloat(text.replace("%", ""));
}

/** Returns the return at a meter on the line through two points. */
export function returnAt(meter: number, one: ReturnPoint, other: ReturnPoint): number {
  if (one.meter === other.meter) return one.percent;
  return one.percent + ((meter - one.meter) * (other.percent - one.percent)) / (other.meter - one.meter);
}

/** Returns the greatest meter of the plot: a fifth beyond break-even, or beyond twice the mean. */
export function greatestMeter(seed: number, breakEven: number | null, mean: number | null): number {
  if (breakEven !== null && breakEven > seed) return breakEven * 1.2;
  return Math.max(seed * 2, (mean ?? 0) * 2, 1);
}

/** Returns the lowest percentage of the axis: the ten below the lowest point, 0 at least. */
export function lowestPercent(percents: readonly number[]): number {
  return Math.max(0, Math.floor((Math.min(...percents) - 8) / 20) * 20);
}
