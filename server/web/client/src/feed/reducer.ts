// The feed as a pure reducer: messages in, the state of the sign and the news for its win scenes out.

import type { FeedMessage, HitSummary, LevelAmount, Presentation, Snapshot } from "../api/feed.js";
import { toCents } from "../money.js";
import type { WinFacts, WinNews } from "../wins/machine.js";

/** Silence after which a sign says that it is not live: the feed sends a heartbeat each second. */
export const STALE_MS = 2_500;
/** Age up to which a win that was settled during an outage is still shown. */
const REPLAY_MS = 120_000;
/** Hits that a snapshot holds at most. */
const SNAPSHOT_HITS = 25;

export interface LevelState {
  level: string;
  cents: bigint;
}

export interface FeedState {
  title: string | null;
  /** Null before the first snapshot, and of a server that has none. */
  presentation: Presentation | null;
  linkState: string;
  levels: readonly LevelState[];
  disabled: readonly string[];
  batch: number;
  /** Position to resume after; null before the first snapshot. */
  position: string | null;
  seal: string | null;
  /** The local time of the last message, in milliseconds; null before the first snapshot. */
  heardAt: number | null;
  /** The snapshot of this connection: replayed events are compared with it. Null until it has come. */
  snapshot: Pick<Snapshot, "position" | "at" | "hits"> | null;
}

export interface Step {
  state: FeedState;
  news: readonly WinNews[];
}

export const INITIAL: FeedState = {
  title: null,
  presentation: null,
  linkState: "open",
  levels: [],
  disabled: [],
  batch: -1,
  position: null,
  seal: null,
  heardAt: null,
  snapshot: null,
};

/** Compares two positions: "120.3" is batch 120, event 3. */
export function isAfter(left: string, right: string): boolean {
  const [leftBatch = 0, leftIndex = 0] = left.split(".").map(Number);
  const [rightBatch = 0, rightIndex = 0] = right.split(".").map(Number);
  return leftBatch > rightBatch || (leftBatch === rightBatch && leftIndex > rightIndex);
}

/** Keeps what is shown and forgets the connection: nothing counts until its next snapshot. */
export function disconnected(state: FeedState): FeedState {
  return { ...state, snapshot: null };
}

/** Applies one message that arrived at the local time `now`. */
export function receive(state: FeedState, message: FeedMessage, now: number): Step {
  if (message.type === "snapshot") return takeSnapshot(state, message, now);
  // A connection begins with a snapshot; anything before it belongs to no state.
  if (!state.snapshot) return { state, news: [] };
  const heard = { ...state, heardAt: now };
  switch (message.type) {
    case "meters":
      if (message.batch <= state.batch) return { state: heard, news: [] };
      return {
        state: { ...heard, batch: message.batch, seal: message.seal, levels: readLevels(message.levels, state.levels) },
        news: [],
      };
    case "heartbeat":
      return { state: heard, news: [] };
    case "presentation": {
      const { presentation } = message;
      return {
        state: { ...heard, presentation },
        news: [{ kind: "presented", celebration: presentation.celebration }],
      };
    }
    default: {
      const replayed = !isAfter(message.position, state.snapshot.position);
      const position =
        state.position !== null && !isAfter(message.position, state.position) ? state.position : message.position;
      return takeEvent({ ...heard, position }, message, replayed);
    }
  }
}

function takeEvent(
  state: FeedState,
  message: Exclude<FeedMessage, { type: "snapshot" | "meters" | "presentation" | "heartbeat" }>,
  replayed: boolean,
): Step {
  if (message.type === "hit") {
    const win = replayed ? missedWin(state, message.hit) : winFacts(message);
    return { state, news: win ? [{ kind: "appeared", win }] : [] };
  }
  // The snapshot already has what these replayed events say.
  if (replayed) return { state, news: [] };
  if (message.type === "hit_changed") {
    const cents = message.due === null ? null : toCents(message.due);
    const cards = shownCards(message.cards);
    return { state, news: [{ kind: "changed", hit: message.hit, state: message.state, cents, cards }] };
  }
  if (message.type === "link_state") {
    return { state: { ...state, linkState: message.state, disabled: message.disabled ?? state.disabled }, news: [] };
  }
  return { state, news: [] };
}

function takeSnapshot(state: FeedState, message: Snapshot, now: number): Step {
  const hits = message.hits.slice(0, SNAPSHOT_HITS);
  const next: FeedState = {
    title: message.title,
    presentation: message.presentation ?? null,
    linkState: message.state,
    levels: readLevels(message.levels, []),
    disabled: message.disabled,
    batch: message.batch,
    position: message.position,
    seal: message.seal,
    heardAt: now,
    snapshot: { position: message.position, at: message.at, hits },
  };
  const complete = hits.length < SNAPSHOT_HITS;
  const oldest = hits.reduce((least, hit) => Math.min(least, hit.order), Number.POSITIVE_INFINITY);
  const wins = hits.map(winFacts).filter((win) => win !== null);
  const absentFrom = complete ? 0 : oldest;
  return {
    state: next,
    news: [
      { kind: "presented", celebration: message.presentation?.celebration ?? "validation" },
      { kind: "snapshot", wins, absentFrom, missing: message.missing && state.position !== null },
    ],
  };
}

/** Returns a win that came and was settled while the sign was cut off, unless it is too old to be news. */
function missedWin(state: FeedState, hit: string): WinFacts | null {
  const found = state.snapshot?.hits.find((row) => row.hit === hit);
  if (!found || !state.snapshot) return null;
  const age = Date.parse(state.snapshot.at) - Date.parse(found.at);
  return age <= REPLAY_MS ? winFacts(found) : null;
}

/**
 * Returns the facts of a hit that takes a percentage of a level; null for every other hit.
 *
 * Envy, fixed pays and pays whose odds are charged to a level (`percent` is null) take no jackpot: a scene for
 * one would say that a level was won.
 */
export function winFacts(hit: HitSummary): WinFacts | null {
  if (hit.level === null || hit.percent === null || hit.kind === "envy") return null;
  const cents = toCents(hit.due);
  if (cents === null) return null;
  return {
    hit: hit.hit,
    order: hit.order,
    level: hit.level,
    table: hit.table,
    hand: hit.hand ?? hit.kind,
    whole: hit.percent === 100,
    cents,
    state: hit.state,
    cards: shownCards(hit.cards),
  };
}

/** Returns the cards that a sign can draw; null if they are not known. */
function shownCards(cards: readonly string[] | undefined): readonly string[] | null {
  return cards && cards.length > 0 && cards.length <= 7 ? cards : null;
}

/** Reads amounts; a level whose amount is no amount keeps the one it had. */
function readLevels(rows: readonly LevelAmount[], before: readonly LevelState[]): LevelState[] {
  return rows.flatMap(({ level, amount }) => {
    const cents = toCents(amount) ?? before.find((row) => row.level === level)?.cents;
    return cents === undefined ? [] : [{ level, cents }];
  });
}

export type Liveness = { kind: "waiting" } | { kind: "live" } | { kind: "stale"; since: number | null };

/** Returns if the amounts of a sign that started at `startedAt` may be shown as live. */
export function liveness(state: FeedState, startedAt: number, now: number): Liveness {
  if (state.heardAt === null) {
    return now - startedAt < STALE_MS ? { kind: "waiting" } : { kind: "stale", since: null };
  }
  if (now - state.heardAt >= STALE_MS) return { kind: "stale", since: state.heardAt };
  // The server takes nothing from a faulted link and can't vouch for its amounts.
  return state.linkState === "faulted" ? { kind: "stale", since: null } : { kind: "live" };
}
