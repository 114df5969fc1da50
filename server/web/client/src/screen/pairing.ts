// The pairing of a screen, without IO: what an answer of the server means, and what the screen says that it shows.

import type { FeedState } from "../feed/reducer.js";
import { centsText } from "../money.js";

/** Interval at which a screen without a name asks for its pairing. */
export const ASK_MS = 2_000;
/** Wait after an answer that never came. */
export const AGAIN_MS = 4_000;
/** Interval at which a paired screen says what it shows. */
export const SHOW_MS = 10_000;

/** State of the pairing, as `POST /v1/pairings` answers it. */
export interface PairingAnswer {
  code: string | null;
  expires_at: string | null;
  screen: string | null;
  links: readonly string[];
}

/** The server's answer to a screen. */
export interface Answer {
  /** Zero if none came. */
  status: number;
  body: PairingAnswer | null;
  retrySeconds: number | null;
}

/** What a screen without a link in its address shows. */
export type ScreenState =
  | { kind: "starting" }
  | { kind: "code"; code: string; until: number }
  | { kind: "full" }
  | { kind: "no_connection" }
  | { kind: "paired"; screen: string; links: readonly string[] };

/** What follows an answer: a state to show, a new key to ask with, and the time until the screen asks again. */
export interface Next {
  state: ScreenState | null;
  newKey: boolean;
  /** Null once it is paired. */
  askMs: number | null;
}

/** Decides what follows an answer. A code stays on the screen while the server is away. */
export function afterAsking(before: ScreenState, now: number, { status, body, retrySeconds }: Answer): Next {
  if (status === 200 && body?.screen)
    return { state: { kind: "paired", screen: body.screen, links: body.links }, newKey: false, askMs: null };
  if (status === 200 && body?.code) {
    const until = Date.parse(body.expires_at ?? "");
    return { state: { kind: "code", code: body.code, until }, newKey: false, askMs: ASK_MS };
  }
  // The key was unpaired: it is good for nothing any more.
  if (status === 401) return { state: null, newKey: true, askMs: 0 };
  const askMs = Math.max(AGAIN_MS, (retrySeconds ?? 0) * 1_000);
  if (before.kind === "code" && now < before.until) return { state: null, newKey: false, askMs };
  return { state: { kind: status === 429 ? "full" : "no_connection" }, newKey: false, askMs };
}

/** Returns true for the answer to a report that a screen gets which is paired no more. A new token may get it for a second. */
export function isRefused(status: number): boolean {
  return status === 401 || status === 403 || status === 404;
}

/** Returns true if the server says that a paired screen is none any more, or has other links; false if it says nothing. */
export function isUnpaired(paired: ScreenState, { status, body }: Answer): boolean {
  if (status === 401) return true;
  if (status !== 200 || body === null || paired.kind !== "paired") return false;
  return body.screen !== paired.screen || body.links.join("+") !== paired.links.join("+");
}

/** What a screen says that it shows of a link, as `PUT /v1/shown` takes it. */
export interface ShownLink {
  link: string;
  batch: number;
  levels: { level: string; amount: string }[];
}

/** Returns what a screen shows of a link; null before there is anything. */
export function shownLink(link: string, feed: FeedState): ShownLink | null {
  if (feed.position === null) return null;
  const levels = feed.levels.map(({ level, cents }) => ({ level, amount: centsText(cents) }));
  return { link, batch: feed.batch, levels };
}

const KEY = /^[0-9a-f]{64}$/;

/** Returns the key that a screen kept; null if it kept none that the server takes. */
export function keptKey(text: string | null): string | null {
  return text !== null && KEY.test(text) ? text : null;
}

/** Writes 32 random bytes as a key. */
export function keyOf(random: Uint8Array): string {
  return Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Splits a code into two halves, which are easier to read off and to type. */
export function halvesOf(code: string): readonly [string, string] {
  const middle = Math.ceil(code.length / 2);
  return [code.slice(0, middle), code.slice(middle)];
}
