// What the plot of a level's history shows, as plain values: exact points, marks of hits, and steps of single entries.
// Each drop comes from the stored before and after of a hit, never from a mean between two points.

/** Exact balances of a level at a moment. */
export interface Point {
  at: number;
  meter: string;
  reserve: string;
}

/** A hit that took from the level. */
export interface Mark {
  hit: string;
  at: number;
  table: string;
  hand: string | null;
  percent: number | null;
  state: string;
  due: string;
  before: string;
  after: string;
}

/** One batch that moved the level's meter or reserve. */
export interface Step {
  position: string;
  at: number;
  kind: "coin_in_accepted" | "hit_recorded" | "other";
  round: string | null;
  table: string | null;
  change: string;
  meter: string;
  reserve: string;
}

export interface Span {
  from: number;
  until: number;
}

/** What is drawn of a period. */
export interface Drawn {
  points: Point[];
  /** Single batches; null while the period has too many. */
  steps: Step[] | null;
  opening: Point;
  closing: Point;
}

/** Shortest period that the plot shows. */
export const SPAN_LEAST_MS = 1_000;

const UNDONE = ["cancelled", "rejected", "void", "withdrawn"];

/** Returns true if a hit did not stay: its amount went back to the meter. */
export function undone(mark: Pick<Mark, "state">): boolean {
  return UNDONE.includes(mark.state);
}

/** Returns true if a hit took the whole level. */
export function whole(mark: Pick<Mark, "percent">): boolean {
  return mark.percent === 100;
}

/** A vertex of a line: a time and a value in dollars, for pixels only. */
export type Vertex = readonly [at: number, value: number];

/** Joins points and the drops of hits into the line of the meter. Points that lie on a hit's own time give way to it. */
export function meterLine(points: readonly Point[], marks: readonly Mark[]): Vertex[] {
  const dropped = new Set(marks.map((mark) => mark.at));
  const vertices = [
    ...points.filter((point) => !dropped.has(point.at)).map((point) => ({ at: point.at, values: [point.meter] })),
    ...marks.map((mark) => ({ at: mark.at, values: [mark.before, mark.after] })),
  ];
  vertices.sort((one, other) => one.at - other.at);
  return vertices.flatMap(({ at, values }) => values.map((value): Vertex => [at, Number(value)]));
}

/** Returns the line of the reserve; an empty one if the level has none. */
export function reserveLine(points: readonly Point[]): Vertex[] {
  if (points.every((point) => Number(point.reserve) === 0)) return [];
  return [...points].sort((one, other) => one.at - other.at).map((point) => [point.at, Number(point.reserve)]);
}

/** Draws steps: each amount stands until the next one. */
export function stepLine(steps: readonly Step[], opening: Point, until: number): Vertex[] {
  const line: Vertex[] = [[opening.at, Number(opening.meter)]];
  let value = Number(opening.meter);
  for (const step of steps) {
    line.push([step.at, value]);
    value = Number(step.meter);
    line.push([step.at, value]);
  }
  line.push([until, value]);
  return line;
}

/** Zooms around a moment: a factor below 1 shows less. The period stays inside the limits. */
export function zoomed(span: Span, around: number, factor: number, limits: Span): Span {
  const length = Math.min(Math.max((span.until - span.from) * factor, SPAN_LEAST_MS), limits.until - limits.from);
  const share = (around - span.from) / (span.until - span.from || 1);
  return inside({ from: around - length * share, until: around + length * (1 - share) }, limits);
}

/** Moves a period by a share of its own length, inside the limits. */
export function moved(span: Span, share: number, limits: Span): Span {
  const by = (span.until - span.from) * share;
  return inside({ from: span.from + by, until: span.until + by }, limits);
}

/** Moves a period into the limits, and cuts it to them if it is longer. */
export function inside(span: Span, limits: Span): Span {
  const length = Math.min(span.until - span.from, limits.until - limits.from);
  const from = Math.min(Math.max(span.from, limits.from), limits.until - length);
  return { from: Math.round(from), until: Math.round(from + length) };
}

const RANGES: Readonly<Record<string, number>> = {
  hour: 3_600_000,
  day: 86_400_000,
  month: 30 * 86_400_000,
  year: 365 * 86_400_000,
};

/** Returns the period of a named range that ends now; the whole time for "all". */
export function rangeOf(name: string, limits: Span): Span {
  const length = RANGES[name];
  return length === undefined ? limits : { from: limits.until - length, until: limits.until };
}

/** Returns the hit that is the next one in a direction from a chosen one; the newest first if none is chosen. */
export function neighbour(marks: readonly Mark[], chosen: string | null, direction: 1 | -1): Mark | null {
  const ordered = [...marks].sort((one, other) => one.at - other.at);
  const index = ordered.findIndex((mark) => mark.hit === chosen);
  if (index < 0) return (direction === 1 ? ordered[0] : ordered.at(-1)) ?? null;
  return ordered[Math.min(Math.max(index + direction, 0), ordered.length - 1)] ?? null;
}
