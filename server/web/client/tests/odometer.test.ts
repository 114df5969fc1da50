// The odometer never shows more than the server's amount, and steps back only where the server's amount fell.

import { expect, test } from "vitest";
import {
  BLANK,
  ROLL_EVERY_MS,
  SETTLED_MS,
  type OdometerState,
  confirm,
  countUp,
  digitAt,
  dueAt,
  release,
  rollsFrom,
  settle,
} from "../src/odometer/plan.js";
import { seeded } from "./random.js";

test("every amount shown is one that the server sent, never above its newest, never back unless it fell", () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const random = seeded(seed);
    const sent = new Set<bigint>();
    let state: OdometerState = BLANK;
    let server = 1_000_000n;
    let shown = 0n;
    for (let now = 0; now < 20_000; now += Math.ceil(random() * 180)) {
      if (random() < 0.6) {
        const falls = random() < 0.03;
        server = falls ? 250_000n : server + BigInt(Math.floor(random() * 90));
        if (falls) shown = 0n;
        sent.add(server);
        state = confirm(state, server, now);
      } else {
        state = release(state, now);
      }
      if (state.shown === null) continue;
      expect(sent.has(state.shown)).toBe(true);
      expect(state.shown <= server).toBe(true);
      expect(state.shown >= shown).toBe(true);
      shown = state.shown;
    }
  }
});

test("an amount that comes too soon waits, and the newest one is rolled to", () => {
  let state = confirm(confirm(BLANK, 100n, 0), 107n, 1_000);
  state = confirm(state, 109n, 1_100);
  state = confirm(state, 112n, 1_200);
  expect(state.shown).toBe(107n);
  expect(dueAt(state)).toBe(1_000 + ROLL_EVERY_MS);
  expect(release(state, 1_249)).toBe(state);
  state = release(state, 1_250);
  expect([state.shown, state.motion, state.waiting]).toEqual([112n, "steady", null]);
});

test("an amount that waits is given up when the server's falls below it", () => {
  const waiting = confirm(confirm(confirm(BLANK, 100n, 0), 107n, 1_000), 109n, 1_010);
  expect(release(confirm(waiting, 108n, 1_020), 2_000).shown).toBe(108n);
  const fallen = confirm(waiting, 50n, 1_020);
  expect([fallen.shown, fallen.motion, fallen.waiting]).toEqual([50n, "fade", null]);
});

test("only the digits that changed roll, and a fall rolls none", () => {
  const rolled = confirm(confirm(BLANK, 999_99n, 0), 1_000_09n, 1_000);
  const places = [0, 1, 2, 3, 4, 5].map((place) => rollsFrom(rolled, place));
  expect(places).toEqual([null, "9", "9", "9", "9", ""]);
  const fallen = confirm(rolled, 250_00n, 2_000);
  expect([0, 1, 2, 3, 4, 5].map((place) => rollsFrom(fallen, place))).toEqual([null, null, null, null, null, null]);
});

test("a roll that is over leaves nothing behind", () => {
  const rolled = confirm(confirm(BLANK, 100n, 0), 101n, 1_000);
  expect(settle(rolled, 1_000 + SETTLED_MS - 1)).toBe(rolled);
  expect(rollsFrom(settle(rolled, 1_000 + SETTLED_MS), 0)).toBeNull();
});

test("a count goes up to exactly the amount and never above it", () => {
  const due = 12_845_673n;
  let before = 0n;
  for (let part = 0; part <= 1.02; part += 0.01) {
    const shown = countUp(due, part);
    expect(shown >= before && shown <= due).toBe(true);
    before = shown;
  }
  expect(countUp(due, 0)).toBe(0n);
  expect(countUp(due, 0.5) < due).toBe(true);
  expect(countUp(due, 1)).toBe(due);
});

test("digits are counted from the right in cents", () => {
  expect([0, 1, 2, 3].map((place) => digitAt(7n, place))).toEqual(["7", "0", "0", null]);
});
