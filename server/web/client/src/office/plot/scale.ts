// Scales of the plots: round values of an axis, pixels of a value, and labels of times where a unit begins.
// Pixels may be floats: no amount is computed from them.

import { ticks } from "d3-array";
import { timeTicks } from "d3-time";

/** Most labels of an axis of values. */
const LABELS_MOST = 5;

export interface Scale {
  (value: number): number;
  /** Returns the value at a pixel. */
  invert(pixel: number): number;
}

/** Maps values of a domain to pixels of a range, without limits. */
export function linear([low, high]: readonly [number, number], [from, until]: readonly [number, number]): Scale {
  const span = high - low || 1;
  const scale = (value: number) => from + ((value - low) / span) * (until - from);
  return Object.assign(scale, { invert: (pixel: number) => low + ((pixel - from) / (until - from || 1)) * span });
}

/** Returns at most five round values from `low` on, the last of which is at least `high`. */
export function axis(low: number, high: number): number[] {
  let values: number[] = [];
  for (let wanted = LABELS_MOST; wanted > 0; wanted -= 1) {
    values = ticks(low, Math.max(high, low + 1e-9), wanted);
    const step = (values[1] ?? low + 1) - (values[0] ?? low);
    const last = values.at(-1) ?? low;
    if (last < high) values.push(last + step);
    if (values.length <= LABELS_MOST) break;
  }
  return values;
}

const MINUTE_MS = 60_000;
const UNITS = [
  { span: 2 * 60_000, format: { minute: "2-digit", second: "2-digit", hour: "2-digit", hourCycle: "h23" } },
  { span: 2 * 86_400_000, format: { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } },
  { span: 90 * 86_400_000, format: { day: "numeric", month: "short" } },
  { span: 730 * 86_400_000, format: { month: "short" } },
  { span: Infinity, format: { year: "numeric" } },
] as const;

/** Returns the times at which a unit begins, each with its label. The first label says the larger unit too. */
export function timeLabels(from: number, until: number, locale: string, most = 12): { at: number; label: string }[] {
  const times = timeTicks(new Date(from), new Date(until), most);
  // Labels of half minutes need their seconds, or two would be the same.
  const apart = (times[1]?.getTime() ?? until) - (times[0]?.getTime() ?? from);
  const unit = apart < MINUTE_MS ? UNITS[0] : (UNITS.find(({ span }) => until - from <= span) ?? UNITS[4]);
  const format = new Intl.DateTimeFormat(locale, unit.format as Intl.DateTimeFormatOptions);
  const year = new Intl.DateTimeFormat(locale, { month: "short", year: "numeric" });
  const monthly = "month" in unit.format && !("day" in unit.format);
  let before = -1;
  return times.map((date) => {
    const turned = monthly && date.getFullYear() !== before;
    before = date.getFullYear();
    return { at: date.getTime(), label: (turned ? year : format).format(date) };
  });
}

/** Builds a path through points, broken nowhere. */
export function pathOf(points: readonly (readonly [number, number])[]): string {
  return points.map(([x, y], index) => `${index === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
}
