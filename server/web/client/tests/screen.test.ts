// The pairing of a screen, and what the office says of it: pure functions.

import { expect, test } from "vitest";
import { INITIAL } from "../src/feed/reducer.js";
import { heardAt, pairingOf, screenWord, shownWord } from "../src/office/screen-state.js";
import {
  AGAIN_MS,
  ASK_MS,
  type ScreenState,
  afterAsking,
  halvesOf,
  isUnpaired,
  keptKey,
  keyOf,
  shownLink,
} from "../src/screen/pairing.js";

const UNTIL = Date.parse("2026-11-26T12:10:00Z");
const STARTING: ScreenState = { kind: "starting" };
const CODE: ScreenState = { kind: "code", code: "4HK7QD", until: UNTIL };
const PAIRED: ScreenState = { kind: "paired", screen: "pit-1", links: ["main", "second"] };

const answered = (status: number, body: object | null = null, retrySeconds: number | null = null) => ({
  status,
  body: body && { code: null, expires_at: null, screen: null, links: [], ...body },
  retrySeconds,
});

test("a screen shows its code until it is paired", () => {
  const waiting = answered(200, { code: "4HK7QD", expires_at: "2026-11-26T12:10:00Z" });
  expect(afterAsking(STARTING, 0, waiting)).toEqual({ state: CODE, newKey: false, askMs: ASK_MS });
  const paired = answered(200, { screen: "pit-1", links: ["main", "second"] });
  expect(afterAsking(CODE, 0, paired)).toEqual({ state: PAIRED, newKey: false, askMs: null });
});

test("a key that was unpaired is replaced at once", () => {
  expect(afterAsking(STARTING, 0, answered(401))).toEqual({ state: null, newKey: true, askMs: 0 });
});

test("a code stays while the server is away, as long as it is good", () => {
  expect(afterAsking(CODE, UNTIL - 1, answered(0))).toEqual({ state: null, newKey: false, askMs: AGAIN_MS });
  expect(afterAsking(CODE, UNTIL, answered(503)).state).toEqual({ kind: "no_connection" });
  expect(afterAsking(STARTING, 0, answered(0)).state).toEqual({ kind: "no_connection" });
});

test("a screen that gets no code waits as long as the server says", () => {
  const full = afterAsking(STARTING, 0, answered(429, null, 30));
  expect(full).toEqual({ state: { kind: "full" }, newKey: false, askMs: 30_000 });
});

test("a paired screen begins anew if it is unpaired or has other links, and not because of an outage", () => {
  expect(isUnpaired(PAIRED, answered(401))).toBe(true);
  expect(isUnpaired(PAIRED, answered(200, { screen: "pit-1", links: ["main"] }))).toBe(true);
  expect(isUnpaired(PAIRED, answered(200, { screen: "pit-1", links: ["main", "second"] }))).toBe(false);
  expect(isUnpaired(PAIRED, answered(0))).toBe(false);
  expect(isUnpaired(PAIRED, answered(503))).toBe(false);
});

test("a screen says what it shows, cent by cent", () => {
  expect(shownLink("main", INITIAL)).toBe(null);
  const levels = [
    { level: "mega", cents: 1_004_127n },
    { level: "minor", cents: 5n },
  ];
  expect(shownLink("main", { ...INITIAL, position: "41.0", batch: 41, levels })).toEqual({
    link: "main",
    batch: 41,
    levels: [
      { level: "mega", amount: "10041.27" },
      { level: "minor", amount: "0.05" },
    ],
  });
});

test("a key is kept if the server takes it", () => {
  const key = keyOf(new Uint8Array(32).fill(10));
  expect(key).toBe("0a".repeat(32));
  expect(keptKey(key)).toBe(key);
  for (const other of [null, "", "0a", "0A".repeat(32), `${key} `]) expect(keptKey(other)).toBe(null);
});

test("a code is read in two halves", () => {
  expect(halvesOf("4HK7QD")).toEqual(["4HK", "7QD"]);
});

const shown = (more: object = {}) => ({
  link: "main",
  batch: 1,
  levels: [],
  since: "2026-11-26T12:00:00Z",
  until: "2026-11-26T12:00:10Z",
  difference: false,
  stale: false,
  ...more,
});
const screen = (more: object = {}) => ({
  screen: "pit-1",
  links: ["main"],
  paired_at: "2026-11-26T12:00:00Z",
  paired_by: "mia",
  silent: false,
  shown: [shown()],
  ...more,
});

test("the office says of a screen what weighs most", () => {
  expect(screenWord(screen())).toBe("showing");
  expect(screenWord(screen({ shown: [], silent: true }))).toBe("waiting");
  expect(screenWord(screen({ silent: true }))).toBe("silent");
  expect(screenWord(screen({ shown: [shown(), shown({ stale: true })] }))).toBe("stale");
  expect(screenWord(screen({ silent: true, shown: [shown({ difference: true })] }))).toBe("difference");
  expect(shownWord(shown({ difference: true, stale: true }))).toBe("difference");
});

test("a screen was heard when it last spoke of any link", () => {
  expect(heardAt(screen({ shown: [] }))).toBe(null);
  const later = shown({ until: "2026-11-26T12:00:20Z" });
  expect(heardAt(screen({ shown: [shown(), later, shown()] }))).toBe("2026-11-26T12:00:20Z");
});

test("a code is sent without the gaps that a person types, and with the links that are ticked", () => {
  const values = { code: " 4hk-7qd ", screen: "pit-1", replaces: "", "link:main": "yes", "link:second": "" };
  expect(pairingOf(values)).toEqual({ code: "4HK7QD", links: ["main"] });
  expect(pairingOf({ ...values, replaces: "yes" })).toMatchObject({ replaces: true });
});
