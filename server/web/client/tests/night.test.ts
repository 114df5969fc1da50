// The hours in which a sign is dimmed, and the sounds of a win.

import { expect, test } from "vitest";
import { isNight, readNight } from "../src/wall/night.js";
import { CELEBRATION_MS } from "../src/wins/machine.js";
import { tuneOf } from "../src/wins/tune.js";

test("a night is read in hours or with minutes, and anything else is none", () => {
  expect(readNight("22-8")).toEqual({ from: 1320, to: 480 });
  expect(readNight("22:30-08:05")).toEqual({ from: 1350, to: 485 });
  expect(readNight("0-24")).toBeNull();
  for (const text of [null, "", "on", "22", "22-", "22-8-9", "25-8", "22:60-8", "-1-8", "8-8"])
    expect(readNight(text)).toBeNull();
});

test("a night ends in the next morning, or on the same day", () => {
  const late = { from: 1320, to: 480 };
  expect([0, 479, 480, 720, 1319, 1320, 1439].map((minute) => isNight(late, minute))).toEqual([
    true,
    true,
    false,
    false,
    false,
    true,
    true,
  ]);
  expect([59, 60, 299, 300].map((minute) => isNight({ from: 60, to: 300 }, minute))).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

test("a hit chimes, a validated win has its fanfare, and nothing else sounds", () => {
  for (const step of ["won", "paid", "leaving", "undone"] as const) expect(tuneOf(step)).toEqual([]);
  for (const step of ["pending", "celebration"] as const) {
    const notes = tuneOf(step);
    expect(notes.length).toBeGreaterThan(0);
    for (const { at, seconds } of notes) expect(at + seconds).toBeLessThan(CELEBRATION_MS / 1000);
    // Notes that sound together stay below full loudness.
    for (const { at } of notes) {
      const loud = notes.filter((note) => note.at <= at && at < note.at + note.seconds);
      expect(loud.reduce((sum, note) => sum + note.gain, 0)).toBeLessThan(1);
    }
  }
});
