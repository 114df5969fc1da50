// Loads the history of a level: the amounts of a period, the hits in it, and single batches if they are few.

import { Problem, api, dataOf, type Schema } from "../../api/client.js";
import { SPAN_LEAST_MS, type Drawn, type Mark, type Point, type Span } from "./history.js";
import { type Stretches, drawnOf, pointsOf } from "./history-stretches.js";

/** Stretches into which the server cuts a period. */
const STRETCHES = 400;
const OVERVIEW_STRETCHES = 120;
/** Most hits in view. */
const HITS_MOST = 200;

/** The level whose history is asked for, and the signal that ends the asking. */
interface Where {
  link: string;
  level: string;
  signal: AbortSignal;
}

export interface History extends Drawn {
  span: Span;
  marks: Mark[];
  moreHits: boolean;
}

const iso = (at: number) => new Date(at).toISOString();

/** Reads the time of the first entry of a journal; that of the oldest one that is not archived by its refusal. */
async function openedAt(link: string): Promise<number> {
  const path = { link };
  try {
    const page = await dataOf(api.GET("/v1/links/{link}/journal", { params: { path, query: { limit: 1 } } }));
    return Date.parse(page.entries[0]?.at ?? "");
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "position_archived") throw error;
  }
  // Balances of archived months are kept: the refusal of a time before the opening says when that was.
  try {
    await api.GET("/v1/links/{link}/meters", { params: { path, query: { at: iso(0) } } });
  } catch (error) {
    if (error instanceof Problem && error.fields["opened"]) return Date.parse(error.fields["opened"]);
    throw error;
  }
  return Number.NaN;
}

/** Returns the time from a link's opening until now, by the server's clock. */
export async function lifeOf(link: string): Promise<Span> {
  const now = await dataOf(api.GET("/v1/links/{link}/liability", { params: { path: { link } } }));
  const until = Date.parse(now.at);
  const opened = await openedAt(link);
  return { from: Number.isNaN(opened) ? until - SPAN_LEAST_MS : Math.min(opened + 1, until - SPAN_LEAST_MS), until };
}

async function stretchesOf({ link, level, signal }: Where, span: Span, points: number): Promise<Stretches> {
  const params = { path: { link, level }, query: { from: iso(span.from), to: iso(span.until), points } };
  return dataOf(api.GET("/v1/links/{link}/levels/{level}/history", { params, signal }));
}

/** Loads the points of the overview strip. */
export async function overviewOf(where: Where, life: Span): Promise<Point[]> {
  return pointsOf(await stretchesOf(where, life, OVERVIEW_STRETCHES));
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

/** Loads the history of a level in a period. */
export async function historyOf(where: Where, span: Span): Promise<History> {
  const { link, level, signal } = where;
  const query = { level, from: iso(span.from), to: iso(span.until), limit: HITS_MOST };
  const page = await dataOf(api.GET("/v1/links/{link}/hits", { params: { path: { link }, query }, signal }));
  const marks = page.hits.flatMap(markOf);
  const drawn = drawnOf(await stretchesOf(where, span, STRETCHES), marks);
  return { ...drawn, span, marks, moreHits: page.more };
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
