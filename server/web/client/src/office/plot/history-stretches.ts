// What the server's history of a level is drawn as. A stretch keeps its first, least, greatest and last amount, none of
// which is a mean; a short period has one for each batch, and then every coin-in is a step.

import type { Schema } from "../../api/client.js";
import { negated, sum } from "../exact.js";
import type { Drawn, Mark, Point, Step } from "./history.js";

/** The server's history of a level, as far as the plot needs it. */
export type Stretches = Pick<Schema<"LevelHistory">, "from" | "to" | "is_each_batch" | "points" | "coin_ins">;

/** Returns the points of a stretch: its ends, and between them what lies outside of both. */
function pointsOfStretch({ from, to, amount, reserve }: Schema<"HistoryPoint">): Point[] {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const middle = (start + end) / 2;
  const ends = [Number(amount.first), Number(amount.last)];
  const between: Point[] = [];
  // A meter rises until it drops: the greatest comes before the least.
  if (Number(amount.max) > Math.max(...ends)) between.push({ at: middle, meter: amount.max, reserve: reserve.max });
  if (Number(amount.min) < Math.min(...ends)) between.push({ at: middle, meter: amount.min, reserve: reserve.min });
  return [
    { at: start, meter: amount.first, reserve: reserve.first },
    ...between,
    { at: end, meter: amount.last, reserve: reserve.last },
  ];
}

/** Returns all points of a period, from its beginning to its end. */
export function pointsOf(history: Stretches): Point[] {
  const points = history.points.flatMap(pointsOfStretch);
  const last = points.at(-1);
  return last ? [...points, { ...last, at: Math.max(last.at, Date.parse(history.to)) }] : [];
}

/** Returns a step for each batch that moved the meter or the reserve. */
function stepsOfBatches(history: Stretches, marks: readonly Mark[]): Step[] {
  const coinIns = new Map((history.coin_ins ?? []).map((coinIn) => [coinIn.batch, coinIn]));
  return history.points.flatMap(({ from, batch, amount, reserve }): Step[] => {
    const at = Date.parse(from);
    const coinIn = coinIns.get(batch);
    const change = coinIn?.amount ?? sum(amount.last, negated(amount.first)) ?? "0.00";
    if (Number(change) === 0 && reserve.first === reserve.last) return [];
    const hit = marks.find((mark) => mark.at === at);
    return [
      {
        position: String(batch),
        at,
        kind: coinIn ? "coin_in_accepted" : hit ? "hit_recorded" : "other",
        round: coinIn?.round ?? null,
        table: coinIn?.table ?? hit?.table ?? null,
        change,
        meter: amount.last,
        reserve: reserve.last,
      },
    ];
  });
}

/** Returns what is drawn of the server's history. A stretch with hits is drawn from their own before and after. */
export function drawnOf(history: Stretches, marks: readonly Mark[]): Drawn {
  const hits = marks.map(({ at }) => at);
  const points = pointsOf({
    ...history,
    points: history.points.map((stretch) => {
      const [start, end] = [Date.parse(stretch.from), Date.parse(stretch.to)];
      if (!hits.some((at) => at >= start && at <= end)) return stretch;
      const { first, last } = stretch.amount;
      const [low, high] = Number(first) < Number(last) ? [first, last] : [last, first];
      return { ...stretch, amount: { ...stretch.amount, min: low, max: high } };
    }),
  });
  const nothing: Point = { at: Date.parse(history.from), meter: "0.00", reserve: "0.00" };
  return {
    points,
    steps: history.is_each_batch ? stepsOfBatches(history, marks) : null,
    opening: points[0] ?? nothing,
    closing: points.at(-1) ?? nothing,
  };
}
