// What the console shows: read from the API, kept in signals, and read again where a feed says that it changed.

import { computed, signal } from "@preact/signals";
import { type Schema, api, dataOf } from "../api/client.js";
import { type Hit, type ListedTable, numberOf, oldestFirst } from "./model.js";
import { coalesced } from "./sender.js";
import type { RoundFacts } from "./felt-model.js";

export type Link = Schema<"Link">;
export type Exception = Schema<"LinkException"> & { link: string };
export type Proposal = Schema<"Proposal"> & { link: string };

/** Hits of each link that the list of the day reads. */
const RECENT_MOST = 50;
const PAGE_MOST = 200;
/** Pages of a list that are read; a floor has no more hits that wait, or tables. */
const PAGES_MOST = 10;
/** Waiting hits whose details are read before a person opens them. */
const PREPARED_MOST = 5;

export const hits = signal<Hit[]>([]);
export const tables = signal<ListedTable[]>([]);
export const links = signal<Link[]>([]);
export const recent = signal<Hit[]>([]);
export const exceptions = signal<Exception[]>([]);
export const proposals = signal<Proposal[]>([]);
/** Amounts of the levels by link, newer than those of `links`. */
export const levels = signal<Readonly<Record<string, Schema<"LevelAmount">[]>>>({});
export const details = signal<Readonly<Record<string, Hit>>>({});
export const payoffs = signal<Readonly<Record<string, Schema<"Payoff">>>>({});
export const tableStates = signal<Readonly<Record<string, Schema<"Table">>>>({});
/** Rounds that are over, by name. Null: the server does not show it. */
export const pastRounds = signal<Readonly<Record<string, RoundFacts | null>>>({});
export const paytables = signal<Readonly<Record<string, Schema<"Paytable">>>>({});
/** What kept the first read of the hits from coming; null once they are there. */
export const loadError = signal<unknown>(null);
export const loaded = signal(false);

export const waiting = computed(() => oldestFirst(hits.value));
export const openExceptions = computed(() => exceptions.value.filter((row) => !row.clearance));
export const openProposals = computed(() => proposals.value.filter((row) => row.state === "open"));

interface Page {
  more: boolean;
  next?: string | null;
}

/** Reads the pages of a list one after another. */
async function pages<Row, Data extends Page>(
  read: (after: string | undefined) => Promise<Data>,
  rows: (page: Data) => Row[],
): Promise<Row[]> {
  const all: Row[] = [];
  let after: string | undefined;
  for (let page = 0; page < PAGES_MOST; page += 1) {
    const data = await read(after);
    all.push(...rows(data));
    if (!data.more || !data.next) break;
    after = data.next;
  }
  return all;
}

export const loadHits = coalesced(async () => {
  const rows = await pages(
    (after) =>
      dataOf(
        api.GET("/v1/hits", { params: { query: { state: "pending", limit: PAGE_MOST, ...(after && { after }) } } }),
      ),
    (page) => page.hits,
  );
  hits.value = rows;
  loaded.value = true;
  loadError.value = null;
  await Promise.allSettled(
    oldestFirst(rows)
      .slice(0, PREPARED_MOST)
      .map((row) => prepare(row.hit)),
  );
});

export const loadTables = coalesced(async () => {
  tables.value = await pages(
    (after) => dataOf(api.GET("/v1/tables", { params: { query: { limit: PAGE_MOST, ...(after && { after }) } } })),
    (page) => page.tables,
  );
});

export const loadLinks = coalesced(async () => {
  const rows = await pages(
    (after) => dataOf(api.GET("/v1/links", { params: { query: { limit: PAGE_MOST, ...(after && { after }) } } })),
    (page) => page.links,
  );
  links.value = rows;
  levels.value = Object.fromEntries(rows.map((row) => [row.link, row.levels]));
});

/** Reads one list of every link. A link that refuses keeps none of the others back. */
async function ofLinks<Row>(read: (link: string) => Promise<Row[]>): Promise<Row[]> {
  const results = await Promise.allSettled(links.value.map((row) => read(row.link)));
  const good = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const failed = results.find((result) => result.status === "rejected");
  if (good.length === 0 && failed) throw failed.reason;
  return good.flat();
}

/** Returns the beginning of today by the tablet's clock. */
export function today(): string {
  const midnight = new Date();
  midnight.setHours(0, 0, 0, 0);
  return midnight.toISOString();
}

const newestFirst = <Row>(at: (row: Row) => string) => {
  return (one: Row, other: Row) => Date.parse(at(other)) - Date.parse(at(one));
};

export const loadRecent = coalesced(async () => {
  const rows = await ofLinks(async (link) => {
    const query = { from: today(), limit: RECENT_MOST };
    return (await dataOf(api.GET("/v1/links/{link}/hits", { params: { path: { link }, query } }))).hits;
  });
  recent.value = rows.sort(newestFirst((row) => row.keyed_at));
});

export const loadExceptions = coalesced(async () => {
  const read = async (link: string, query: { cleared: boolean; from?: string }) => {
    const params = { path: { link }, query };
    const page = await dataOf(api.GET("/v1/links/{link}/exceptions", { params }));
    return page.exceptions.map((row) => ({ ...row, link }));
  };
  const rows = await ofLinks(async (link) => [
    ...(await read(link, { cleared: false })),
    ...(await read(link, { cleared: true, from: today() })),
  ]);
  exceptions.value = rows.sort(newestFirst((row) => row.at));
});

export const loadProposals = coalesced(async () => {
  const rows = await ofLinks(async (link) => {
    const params = { path: { link }, query: { limit: PAGE_MOST } };
    return (await dataOf(api.GET("/v1/links/{link}/proposals", { params }))).proposals.map((row) => ({ ...row, link }));
  });
  proposals.value = rows.sort(newestFirst((row) => row.proposed_at));
});

export async function loadHit(hit: string): Promise<Hit> {
  const found = await dataOf(api.GET("/v1/hits/{hit}", { params: { path: { hit } } }));
  details.value = { ...details.value, [hit]: found };
  return found;
}

async function loadPayoff(hit: string): Promise<void> {
  const payoff = await dataOf(api.GET("/v1/hits/{hit}/payoff", { params: { path: { hit } } }));
  payoffs.value = { ...payoffs.value, [hit]: payoff };
}

export async function loadTable(table: string): Promise<Schema<"Table">> {
  const found = await dataOf(api.GET("/v1/tables/{table}", { params: { path: { table } } }));
  tableStates.value = { ...tableStates.value, [table]: found };
  return found;
}

export async function loadPaytable(paytable: string): Promise<void> {
  if (paytables.value[paytable]) return;
  const found = await dataOf(api.GET("/v1/paytables/{paytable}", { params: { path: { paytable } } }));
  paytables.value = { ...paytables.value, [paytable]: found };
}

/** Returns what is known of a hit: its details, else its row in a list. */
export function knownHit(hit: string): Hit | null {
  const row = hits.value.find((found) => found.hit === hit) ?? recent.value.find((found) => found.hit === hit);
  const detail = details.value[hit];
  if (!detail) return row ?? null;
  return detail;
}

/** Returns true while only a hit's row in a list is known: its cards are not evaluated there. */
export function isBeingRead(hit: Pick<Hit, "hit" | "cards">): boolean {
  return Boolean(hit.cards) && !(hit.hit in details.value);
}

/** Returns the round of a hit, if it is open or was read. */
export function knownRound(hit: Hit): RoundFacts | null {
  const open = tableStates.value[hit.table]?.round;
  return open?.round === hit.round ? open : (pastRounds.value[hit.round] ?? null);
}

/** Reads a round that is over from the evidence of a hit. Evidence waits for a signed head: without one, nothing is shown. */
async function loadPastRound(hit: Hit): Promise<void> {
  if (hit.round in pastRounds.value) return;
  try {
    const evidence = await dataOf(api.GET("/v1/hits/{hit}/evidence", { params: { path: { hit: hit.hit } } }));
    pastRounds.value = { ...pastRounds.value, [hit.round]: evidence.round };
  } catch {
    // The felt says then that only the seats of payouts are known.
  }
}

/** Reads everything that the page of one hit shows. The parts come when they come: none waits for another. */
export async function prepare(name: string): Promise<void> {
  if (links.value.length === 0) await loadLinks();
  const hit = await loadHit(name);
  const link = links.value.find((row) => row.link === hit.link);
  const parts: Promise<unknown>[] = [
    loadTable(hit.table).then((table) => (table.round?.round === hit.round ? undefined : loadPastRound(hit))),
  ];
  // A resettled hit arose anew.
  if (hit.level && payoffs.value[name]?.due !== hit.due) parts.push(loadPayoff(name));
  if (link) parts.push(loadPaytable(link.paytable));
  await Promise.allSettled(parts);
}

/** Returns the game, table and round of a hit for its heading. */
export function roundOf(hit: Pick<Hit, "round" | "table">): { number: string; table: ListedTable | null } {
  return { number: numberOf(hit.round), table: tables.value.find((row) => row.table === hit.table) ?? null };
}

type Line = Pick<Schema<"PaytableLine">, "envy" | "for_one" | "level" | "percent">;

/** Returns the line of a hit; a bonus has a pay of its own in the paytable. */
export function lineOf(paytable: Schema<"Paytable">, hit: Pick<Hit, "kind" | "hand">): Line | null {
  const bonus = (pay: number | null | undefined) => (pay ? { for_one: pay } : null);
  if (hit.kind === "magic_card") return bonus(paytable.magic_card);
  if (hit.kind === "lucky_bonus") return bonus(paytable.lucky_bonus);
  return paytable.lines.find((line) => line.hand === hit.hand) ?? null;
}

/** Returns the odds of a hit by the paytable of its link, if that was read. */
export function oddsOf(hit: Pick<Hit, "kind" | "hand" | "link">): number | null {
  const link = links.value.find((row) => row.link === hit.link);
  const paytable = link && paytables.value[link.paytable];
  return (paytable && lineOf(paytable, hit)?.for_one) ?? null;
}
