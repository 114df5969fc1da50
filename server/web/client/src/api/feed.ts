// The messages of the feed and the public view of a link, written by hand from docs/API.md
// ("The feed", "Links"): types generated from docs/openapi.json would be larger than this whole page.

import type { Schema } from "./client.js";

/** Amount of one level, a decimal text in dollars. */
export interface LevelAmount {
  level: string;
  amount: string;
}

/** Summary of a hit, as a feed shows it. */
export interface HitSummary {
  at: string;
  hit: string;
  order: number;
  table: string;
  kind: "line" | "envy" | "magic_card" | "lucky_bonus";
  state: string;
  hand: string | null;
  level: string | null;
  percent: number | null;
  due: string;
  /** The cards of the hand, once they are known. */
  cards?: string[];
}

/** How a link is presented on its signs; null for the sign's own choice. */
export interface Presentation {
  name: string | null;
  celebration: "validation" | "hit";
  theme: string | null;
  /** It changes with a theme of the house; a shipped theme has none. */
  theme_version?: string;
  locale: string | null;
}

export interface Snapshot {
  type: "snapshot";
  link: string;
  title: string;
  state: string;
  disabled: string[];
  batch: number;
  position: string;
  missing: boolean;
  at: string;
  seal: string | null;
  /** A server of 0.1.0 has none. */
  presentation?: Presentation;
  levels: LevelAmount[];
  hits: HitSummary[];
}

export interface Meters {
  type: "meters";
  batch: number;
  levels: LevelAmount[];
  seal: string | null;
}

export type Hit = HitSummary & { type: "hit"; position: string };

export interface HitChanged {
  type: "hit_changed";
  position: string;
  hit: string;
  state: string;
  due: string | null;
  /** The cards that the supervisor saw, if the hit was validated with them. */
  cards?: string[];
}

export interface LinkStateChanged {
  type: "link_state";
  position: string;
  state: Schema<"LinkState">;
  reason: string | null;
  disabled: string[] | null;
}

export interface Paid {
  type: "paid";
  position: string;
  hit: string;
}

export interface TableStateChanged {
  type: "table_state";
  position: string;
  table: string;
  /** Of a table that is lost or disabled, players hear `unavailable`. */
  state: Schema<"TableState">;
}

/** No event of the journal: it has no position. */
export interface PresentationChanged {
  type: "presentation";
  presentation: Presentation;
}

export interface Heartbeat {
  type: "heartbeat";
}

export type FeedMessage =
  Snapshot | Meters | Hit | HitChanged | LinkStateChanged | Paid | TableStateChanged | PresentationChanged | Heartbeat;

/** Level of `GET /v1/links/{link}`. */
export interface LinkLevel {
  level: string;
  ceiling: string | null;
  /** The hands that take a percentage of the level, those that take all of it first. A server of 0.1.0 has none. */
  hands?: LevelHand[];
}

export interface LevelHand {
  hand: string;
  percent: number;
}

export interface LinkView {
  link: string;
  levels: LinkLevel[];
}

const TYPES = new Set([
  "snapshot",
  "meters",
  "hit",
  "hit_changed",
  "paid",
  "link_state",
  "table_state",
  "presentation",
  "heartbeat",
]);

/** Reads one message; null if the text is none, undefined if its type is one of a later release. */
export function parseMessage(text: string): FeedMessage | null | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null || !("type" in value)) return null;
  return TYPES.has(String(value.type)) ? (value as FeedMessage) : undefined;
}
