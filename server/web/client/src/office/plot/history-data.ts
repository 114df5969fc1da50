// Loads the history of a level: exact balances at moments of a period, the hits in it, and single entries if they are few.

import { Problem, api, dataOf, type Schema } from "../../api/client.js";
import { allPages } from "../load.js";
import { type Mark, type Point, type Span, type Step, moments, stepsOf, undone, whole } from "./history.js";

/** Moments at which the balances are asked for. */
const MOMENTS = 48;
const OVERVIEW_MOMENTS = 60;
/** Requests under way at the same time. */
const AT_ONCE = 6;
/** Most hits in view. */
export const HITS_MOST = 200;
/** Most hits around which the balances are asked for twice, so that the drop of the reserve is vertical. */
const EXACT_HITS_MOST = 24;
/** Most batches that are drawn one by one. */
const STEPS_MOST = 240;
const JOURNAL_PAGE = 500;

export interface History {
  span: Span;
  points: Point[];
  marks: Mark[];
  moreHits: boolean;
  /** Single entries; null while the period has too many. */
  steps: Step[] | null;
  opening: Point;
  closing: Point;
}

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

interface Sample extends Point {
  batch: number;
}

/** Reads the exact balances of a level after the last batch up to a moment. */
async function sampleAt(link: string, level: string, at: number): Promise<Sample | null> {
  try {
    const meters = await dataOf(
      api.GET("/v1/links/{link}/meters", { params: { path: { link }, query: { at: iso(at) } } }),
    );
    const found = meters.floor?.find((balances) => balances.level === level);
    return found ? { at, batch: meters.batch, meter: found.meter, reserve: found.reserve } : null;
  } catch (error) {
    if (error instanceof Problem && ["not_open_yet", "time_in_future"].includes(error.code)) return null;
    throw error;
  }
}

/** Returns the time from a link's opening until now, by the server's clock. */
export async function lifeOf(link: string): Promise<Span> {
  const now = await dataOf(api.GET("/v1/links/{link}/liability", { params: { path: { link } } }));
  let from = Date.parse(now.at) - 1_000;
  try {
    await api.GET("/v1/links/{link}/meters", { params: { path: { link }, query: { at: iso(0) } } });
  } catch (error) {
    const opened = error instanceof Problem ? error.fields["opened"] : undefined;
    if (opened === undefined) throw error;
    from = Date.parse(opened) + 1;
  }
  return { from, until: Date.parse(now.at) };
}

/** Loads the points of the overview strip. */
export async function overviewOf(link: string, level: string, life: Span): Promise<Point[]> {
  const samples = await each(moments(life, OVERVIEW_MOMENTS), (at) => sampleAt(link, level, at));
  return samples.filter((sample) => sample !== null);
}

function markOf(hit: Schema<"HitDetail">): Mark[] {
  if (!hit.before || !hit.after) return [];
  return [
    {
      hit: hit.hit,
      at: Date.parse(hit.keyed_at),
      table: hit.table,
      hand: hit.hand ?? null,
      percent: hit.percent ?? null,
      state: hit.state,
      due: hit.due,
      before: hit.before,
      after: hit.after,
    },
  ];
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
async function entriesOf(link: string, span: Span): Promise<Schema<"JournalEntry">[]> {
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
      }),
    );
    return { rows: page.entries, more: page.more, next: page.next ?? null };
  });
}

/** Loads the history of a level in a period. */
export async function historyOf(link: string, level: string, span: Span): Promise<History> {
  const page = await dataOf(
    api.GET("/v1/links/{link}/hits", {
      params: { path: { link }, query: { level, from: iso(span.from), to: iso(span.until), limit: HITS_MOST } },
    }),
  );
  const marks = page.hits.flatMap(markOf);
  const special = page.hits.filter((hit) => whole({ percent: hit.percent ?? null }) || undone(hit));
  const times = [...moments(span, MOMENTS), ...around(special.slice(0, EXACT_HITS_MOST))];
  const inView = [...new Set(times.filter((at) => at >= span.from && at <= span.until))].sort((a, b) => a - b);
  const samples = (await each(inView, (at) => sampleAt(link, level, at))).filter((sample) => sample !== null);
  const nothing: Sample = { at: span.from, batch: 0, meter: "0.00", reserve: "0.00" };
  const opening = samples[0] ?? nothing;
  const closing = samples.at(-1) ?? nothing;
  const few = closing.batch - opening.batch <= STEPS_MOST;
  const steps = few ? stepsOf(await entriesOf(link, { ...span, from: opening.at }), level, opening) : null;
  return { span, points: samples, marks, moreHits: page.more, steps, opening, closing };
}

/** Returns the seed of a level, as the server multiplies it for the link's wager; null if the paytable is gone. */
export async function seedOf(link: Schema<"Link">, level: string): Promise<string | null> {
  try {
    const returns = await dataOf(
      api.GET("/v1/paytables/{paytable}/returns", {
        params: { path: { paytable: link.paytable }, query: { wager: link.wager } },
      }),
    );
    return returns.levels.find((found) => found.level === level)?.displayed ?? null;
  } catch {
    // The plot is whole without the dotted line.
    return null;
  }
}
