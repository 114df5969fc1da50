// The messages of the players' feed and the public view of a link, written by hand from docs/API.md
// ("The feed", "Links"): types generated from docs/openapi.json would be larger than this whole page.

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
  /** The cards of the hand. The players' feed of today has none: the field is read if a later release adds it. */
  cards?: string[];
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
}

export interface LinkStateChanged {
  type: "link_state";
  position: string;
  state: string;
  disabled: string[] | null;
}

/** Messages of which a sign uses the position alone, or nothing but the arrival. */
export interface Other {
  type: "paid" | "table_state";
  position: string;
}

export interface Heartbeat {
  type: "heartbeat";
}

export type FeedMessage = Snapshot | Meters | Hit | HitChanged | LinkStateChanged | Other | Heartbeat;

/** Level of `GET /v1/links/{link}`. */
export interface LinkLevel {
  level: string;
  ceiling: string | null;
  /** The hands that win the level. Not in the API of today: read if a later release adds it. */
  hands?: string[];
}

export interface LinkView {
  link: string;
  levels: LinkLevel[];
}

const TYPES = new Set(["snapshot", "meters", "hit", "hit_changed", "paid", "link_state", "table_state", "heartbeat"]);

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
