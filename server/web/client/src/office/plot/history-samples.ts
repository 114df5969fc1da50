// Draws the history of a level for a server without an operation for it: from exact balances at moments of the period,
// and from the journal if the period has few entries.

import { Problem, api, dataOf, type Schema } from "../../api/client.js";
import { allPages } from "../load.js";
import { type Drawn, type Point, type Span, moments, stepsOf, undone } from "./history.js";

/** Moments at which the balances are asked for. */
const MOMENTS = 40;
const OVERVIEW_MOMENTS = 40;
/** Requests under way at the same time. */
const AT_ONCE = 6;
/** Most hits around which the balances are asked for twice, so that the drop of the reserve is vertical. */
const EXACT_HITS_MOST = 24;
/** Most batches that are drawn one by one. */
const STEPS_MOST = 240;
const JOURNAL_PAGE = 500;

const iso = (at: number) => new Date(at).toISOString();

/** Runs a request for each value, a few at a time, and keeps their order. */
async function each<In, Out>(values: readonly In[], run: (value: In) => Promise<Out>): Promise<Out[]> {
  const results: Out[] = new Array<Out>(values.length);
  let next = 0;
  async function work(): Promise<void> {
    for (let index = next++; index < values.length; index = next++) results[index] = await run(values[index] as In);
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return results;
}

/** The level whose history is asked for, and the signal that ends the asking. */
export interface Where {
  link: string;
  level: string;
  signal: AbortSignal;
}

interface Sample extends Point {
  batch: number;
}

/** Reads the exact balances of a level after the last batch up to a moment. */
async function sampleAt({ link, level, signal }: Where, at: number): Promise<Sample | null> {
  try {
    const meters = await dataOf(
      api.GET("/v1/links/{link}/meters", { params: { path: { link }, query: { at: iso(at) } }, signal }),
    );
    const found = meters.floor?.find((balances) => balances.level === level);
    return found ? { at, batch: meters.batch, meter: found.meter, reserve: found.reserve } : null;
  } catch (error) {
    if (error instanceof Problem && ["not_open_yet", "time_in_future"].includes(error.code)) return null;
    throw error;
  }
}

/** Loads the points of the overview strip. */
export async function sampledOverview(where: Where, life: Span): Promise<Point[]> {
  const samples = await each(moments(life, OVERVIEW_MOMENTS), (at) => sampleAt(where, at));
  return samples.filter((sample) => sample !== null);
}

/** Moments right before and at a hit, and at the return of its money if it was undone. */
function around(hits: readonly Schema<"HitDetail">[]): number[] {
  return hits.flatMap((hit) => {
    const at = Date.parse(hit.keyed_at);
    const decided = hit.decided_at ? Date.parse(hit.decided_at) : null;
    return undone(hit) && decided !== null ? [at - 1, at, decided - 1, decided + 1] : [at - 1, at + 1];
  });
}

/** Reads the entries of the journal in a period. */
async function entriesOf({ link, signal }: Where, span: Span): Promise<Schema<"JournalEntry">[]> {
  return allPages(async (after) => {
    const page = await dataOf(
      api.GET("/v1/links/{link}/journal", {
        params: {
          path: { link },
          query: {
            from: iso(span.from + 1),
            to: iso(span.until + 1),
            limit: JOURNAL_PAGE,
            ...(after ? { after } : {}),
          },
        },
        signal,
      }),
    );
    return { rows: page.entries, more: page.more, next: page.next ?? null };
  });
}

/** Draws a period; the balances right before and after the special hits are among its points. */
export async function sampled(where: Where, span: Span, special: readonly Schema<"HitDetail">[]): Promise<Drawn> {
  const times = [...moments(span, MOMENTS), ...around(special.slice(0, EXACT_HITS_MOST))];
  const inView = [...new Set(times.filter((at) => at >= span.from && at <= span.until))].sort((a, b) => a - b);
  const samples = (await each(inView, (at) => sampleAt(where, at))).filter((sample) => sample !== null);
  const nothing: Sample = { at: span.from, batch: 0, meter: "0.00", reserve: "0.00" };
  const opening = samples[0] ?? nothing;
  const closing = samples.at(-1) ?? nothing;
  const few = closing.batch - opening.batch <= STEPS_MOST;
  const steps = few ? stepsOf(await entriesOf(where, { ...span, from: opening.at }), where.level, opening) : null;
  return { points: samples, steps, opening, closing };
}
