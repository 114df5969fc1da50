// Several links on one sign: what is shown, and the layout of a link on half a sign.

import { expect, test } from "vitest";
import type { LowerLevel } from "../src/fit/lower.js";
import { LINKS_MAX, readOptions } from "../src/sign/options.js";
import { planHalf } from "../src/wall/half.js";
import { shownOf } from "../src/wall/turns.js";

/** Metrics near those of the gold theme's font. */
const NARROW = { ratio: 0.805, digit: 0.46, comma: 0.2, point: 0.2, currency: 0.46 };
/** Metrics near those of the heritage theme's font. */
const WIDE = { ratio: 0.71, digit: 0.62, comma: 0.27, point: 0.27, currency: 0.55 };

function level(digits: number, nameEm = 2.2): LowerLevel {
  return { nameEm, digits, marks: Math.floor((digits - 1) / 3) };
}

test("an address names its links, each once, and no more than a sign takes", () => {
  const links = (path: string) => readOptions(new URL(path, "http://sign")).links;
  expect(links("/sign/main")).toEqual(["main"]);
  expect(links("/sign/main+hand-bonus")).toEqual(["main", "hand-bonus"]);
  expect(links("/sign/main%2Bhand-bonus+main+")).toEqual(["main", "hand-bonus"]);
  expect(links("/built/sign.html?link=main+hand-bonus")).toEqual(["main", "hand-bonus"]);
  expect(links("/sign/")).toEqual([]);
  expect(links(`/sign/${Array.from({ length: 40 }, (_, index) => `l${index}`).join("+")}`)).toHaveLength(LINKS_MAX);
});

test("two links stand side by side, more take turns, and a win has the whole sign", () => {
  const show = (count: number, halves: boolean, winner: number | null, turn: number) =>
    shownOf({ count, halves, winner, turn });
  expect(show(1, false, null, 7)).toEqual({ kind: "one", index: 0 });
  expect(show(2, true, null, 7)).toEqual({ kind: "pair" });
  expect(show(2, false, null, 7)).toEqual({ kind: "one", index: 1 });
  expect(show(3, true, null, 7)).toEqual({ kind: "one", index: 1 });
  expect(show(2, true, 1, 6)).toEqual({ kind: "one", index: 1 });
  expect(show(3, true, 2, 0)).toEqual({ kind: "one", index: 2 });
});

test("a half takes up to five levels in a narrow font, and leaves none out", () => {
  for (const width of [960, 1080]) {
    for (const count of [1, 2, 3, 4]) {
      const plan = planHalf(
        Array.from({ length: count }, (_, index) => level(index ? 4 : 6)),
        width,
        NARROW,
      );
      expect(plan?.rows).toHaveLength(count - 1);
    }
  }
  expect(
    planHalf(
      Array.from({ length: 5 }, () => level(3)),
      960,
      NARROW,
    )?.rows,
  ).toHaveLength(4);
  expect(
    planHalf(
      Array.from({ length: 6 }, () => level(3)),
      960,
      NARROW,
    ),
  ).toBeNull();
});

test("rows of a half never overlap and stay above its lower edge", () => {
  for (const [width, height] of [
    [960, 1080],
    [1080, 960],
  ] as const) {
    for (const font of [NARROW, WIDE]) {
      for (const count of [2, 3, 4, 5]) {
        const plan = planHalf(
          Array.from({ length: count }, (_, index) => level(index ? 3 : 5)),
          width,
          font,
        );
        if (!plan) continue;
        const high = plan.lower === "row" ? (plan.rowHands ? 131 : plan.rowCap) : 79 + 20 + plan.rowCap;
        plan.rows.slice(1).forEach((row, index) => expect(row - plan.rows[index]!).toBeGreaterThan(high));
        expect(plan.rows.at(-1)! + high).toBeLessThanOrEqual(height - 40);
        expect(plan.rule!).toBeGreaterThan(plan.amount.y + plan.amount.cap * 1.2);
        expect(plan.rows[0]!).toBeGreaterThan(plan.rule! + 8);
      }
    }
  }
});

test("amounts too wide for a row stand below their names, and amounts too wide for a half make links take turns", () => {
  expect(planHalf([level(6), level(4), level(3)], 960, NARROW)?.lower).toBe("row");
  expect(planHalf([level(5), level(4, 2.6), level(3, 2.6)], 960, WIDE)?.lower).toBe("stack");
  expect(planHalf([level(9), level(4), level(3)], 960, WIDE)).toBeNull();
});
