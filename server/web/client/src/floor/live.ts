// Keeps the store fresh: the feed of each link says what changed, and a slow poll reads everything in case a message was lost.

import { signal } from "@preact/signals";
import type { FeedMessage } from "../api/feed.js";
import { FeedSocket, feedAddress } from "../feed/socket.js";
import { route } from "./route.js";
import * as store from "./store.js";

/** Pause between two reads of everything: the safety net behind the feeds. */
const POLL_EVERY_MS = 15_000;
/** Pause between two reads of one table's round: a feed says that a link plays, not which table. */
const ROUND_EVERY_MS = 500;
/** Silence after which the console says that it is stale. The feed sends a heartbeat each second. */
export const STALE_MS = 3_000;

/** The local time, once a second. */
export const now = signal(Date.now());
/** Difference of the server's clock and the tablet's: ages count by the server's. */
export const clockOffset = signal(0);
/** Time of the last message of each link's feed. */
export const heardAt = signal<Readonly<Record<string, number>>>({});
/** Time of the last answer of the poll. */
export const readAt = signal<number | null>(null);

/** Returns the time since which the console has heard nothing from one of its links; null if it is live. */
export function staleSince(current: number): number | null {
  const heard = Object.values(heardAt.value);
  if (heard.length === 0) return null;
  const oldest = Math.min(...heard);
  return current - oldest > STALE_MS ? oldest : null;
}

/** Returns the server's time in milliseconds. */
export function serverNow(): number {
  return now.value + clockOffset.value;
}

const sockets = new Map<string, FeedSocket>();
let timers: ReturnType<typeof setInterval>[] = [];
let turn = 0;

/** Runs a read whose failure the next poll mends. */
function quietly(read: Promise<unknown>): void {
  void read.catch((error: unknown) => {
    if (!store.loaded.value) store.loadError.value = error;
  });
}

function hear(link: string, message: FeedMessage): void {
  heardAt.value = { ...heardAt.value, [link]: Date.now() };
  if ("at" in message && message.type !== "hit" && typeof message.at === "string")
    clockOffset.value = Date.parse(message.at) - Date.now();
  switch (message.type) {
    case "snapshot":
      store.levels.value = { ...store.levels.value, [link]: message.levels };
      readHits();
      break;
    case "meters":
      store.levels.value = { ...store.levels.value, [link]: message.levels };
      break;
    case "hit":
      readHit(message.hit, message.table);
      break;
    case "hit_changed":
      readHit(message.hit, null);
      break;
    case "link_state":
      store.links.value = store.links.value.map((row) =>
        row.link === link ? { ...row, state: message.state, reason: message.reason } : row,
      );
      quietly(store.loadLinks());
      quietly(store.loadExceptions());
      break;
    case "table_state":
      store.tables.value = store.tables.value.map((row) =>
        row.table === message.table ? { ...row, state: message.state } : row,
      );
      quietly(store.loadTables());
      quietly(store.loadExceptions());
      break;
    case "paid":
      readHit(message.hit, null);
      break;
  }
}

function readHit(hit: string, table: string | null): void {
  readHits();
  if (store.details.value[hit]) quietly(store.loadHit(hit));
  if (table) quietly(store.loadTable(table));
}

function readHits(): void {
  quietly(store.loadHits());
  quietly(store.loadRecent());
}

/** Reads everything; the links come first, since other lists are read by link. */
export async function readAll(): Promise<void> {
  await Promise.all([store.loadHits(), store.loadTables(), store.loadLinks()]);
  readAt.value = Date.now();
  connect();
  const { place, open } = route.value;
  if (open && (place === "hits" || place === "today")) quietly(store.loadHit(open));
  await Promise.all([store.loadRecent(), store.loadExceptions(), store.loadProposals()]);
}

/** Connects to the feed of each link that has none. */
function connect(): void {
  for (const { link } of store.links.value) {
    if (sockets.has(link)) continue;
    const listener = {
      address: () => feedAddress(location.href, link, null, null, "floor"),
      message: (message: FeedMessage) => hear(link, message),
      closed: () => {},
    };
    heardAt.value = { ...heardAt.value, [link]: Date.now() };
    sockets.set(link, new FeedSocket(listener));
  }
}

/** Reads the round of the next table in turn. */
function readRound(): void {
  if (document.visibilityState === "hidden") return;
  const playing = store.tables.value.filter((row) => row.state !== "left");
  const next = playing[turn % Math.max(1, playing.length)];
  turn += 1;
  if (next) quietly(store.loadTable(next.table));
}

/** Starts feeds and polls; returns what ends them. */
export function start(): () => void {
  quietly(readAll());
  timers = [
    setInterval(() => (now.value = Date.now()), 1_000),
    setInterval(() => quietly(readAll()), POLL_EVERY_MS),
    setInterval(readRound, ROUND_EVERY_MS),
  ];
  const visible = () => document.visibilityState === "visible" && quietly(readAll());
  document.addEventListener("visibilitychange", visible);
  return () => {
    timers.forEach(clearInterval);
    for (const socket of sockets.values()) socket.close();
    sockets.clear();
    document.removeEventListener("visibilitychange", visible);
  };
}
