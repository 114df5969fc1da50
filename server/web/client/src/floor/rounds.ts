// Rounds that are over, read from the journal of a link: what a late hit refers to.

import { type Schema, api, dataOf } from "../api/client.js";
import type { RoundFacts } from "./felt-model.js";

type Entry = Schema<"JournalEntry">;

export interface PastRound extends RoundFacts {
  /** Number of the round's coin-in. */
  number: number;
  lockedAt: string;
  /** Time of GAME OVER; null while the round is open. */
  closedAt: string | null;
}

/** Length of the period that is read at once, in minutes. */
export const WINDOW_MINUTES = 30;
const ENTRIES_MOST = 500;
/** Pages of the journal that are read of one period. */
const PAGES_MOST = 20;

/** Returns the rounds of a table, newest first, from entries in the journal's order. Void rounds have no hit. */
export function roundsOf(entries: readonly Entry[], table: string): PastRound[] {
  const rounds: PastRound[] = [];
  for (const entry of entries) {
    if (entry.table !== table) continue;
    const { event } = entry;
    const last = rounds[rounds.length - 1];
    const open = last && last.closedAt === null ? last : null;
    if (event.kind === "coin_in_accepted" && entry.sequence)
      rounds.push({
        number: entry.sequence,
        lockedAt: entry.at,
        closedAt: null,
        seats: event.seats,
        dealer_seats: event.dealer_seats,
        dealt: event.dealt,
        folded: [],
      });
    else if (open && event.kind === "seats_folded") open.folded = [...open.folded, ...event.seats];
    else if (open && event.kind === "round_closed") open.closedAt = entry.at;
    else if (open && event.kind === "round_voided") rounds.pop();
  }
  return rounds.reverse();
}

/** Returns the periods of half an hour before a moment: the newest is number 0. */
export function windowBefore(end: number, index: number): { from: string; to: string } {
  const length = WINDOW_MINUTES * 60_000;
  return {
    from: new Date(end - (index + 1) * length).toISOString(),
    to: new Date(end - index * length).toISOString(),
  };
}

/** Reads the entries of one table in a period, in the journal's order. */
export async function readEntries(link: string, table: string, period: { from: string; to: string }): Promise<Entry[]> {
  const all: Entry[] = [];
  let after: string | undefined;
  for (let page = 0; page < PAGES_MOST; page += 1) {
    const query = { ...period, limit: ENTRIES_MOST, ...(after && { after }) };
    const data = await dataOf(api.GET("/v1/links/{link}/journal", { params: { path: { link }, query } }));
    all.push(...data.entries.filter((entry) => entry.table === table));
    if (!data.more || !data.next) break;
    after = data.next;
  }
  return all;
}
