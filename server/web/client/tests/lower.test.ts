// The layout of lower levels: every level has a place, none overlaps another, and floors hold for any number of them.

import { expect, test } from "vitest";
import { type LowerLevel, type LowerPage, planLandscape, planPortrait } from "../src/fit/lower.js";

/** Metrics near those of the gold and of the heritage theme's font. */
const NARROW = { ratio: 0.805, digit: 0.46, comma: 0.2, point: 0.2, currency: 0.46 };
const WIDE = { ratio: 0.71, digit: 0.62, comma: 0.27, point: 0.27, currency: 0.55 };

function level(digits: number, nameEm = 2.4): LowerLevel {
  return { nameEm, digits, marks: Math.floor((digits - 1) / 3) };
}

const kinds = (pages: readonly LowerPage[]) => pages.map((page) => page.map((cell) => cell.kind));

test("each level is on one page, cells do not overlap, and they stay within their place", () => {
  for (const font of [NARROW, WIDE]) {
    for (let count = 1; count <= 9; count += 1) {
      for (const digits of [2, 4, 6, 8]) {
        const levels = Array.from({ length: count }, () => level(digits));
        for (const [pages, right, bottom] of [
          [planLandscape(levels, 140, font), 1864, 1040],
          [planPortrait(levels, 125, font), 1024, 1890],
        ] as const) {
          expect(pages.flat().map((cell) => cell.index)).toEqual(levels.map((_, index) => index));
          for (const page of pages) {
            for (const [at, cell] of page.entries()) {
              const high = cell.kind === "column" ? 106 + cell.cap : Math.max(cell.cap, cell.hand ? 132 : 0);
              expect(cell.x + cell.width).toBeLessThanOrEqual(right + 0.001);
              expect(cell.y + high).toBeLessThanOrEqual(bottom);
              for (const other of page.slice(at + 1)) {
                const beside = other.x >= cell.x + cell.width;
                expect(beside || other.y >= cell.y + high).toBe(true);
              }
            }
          }
        }
      }
    }
  }
});

test("two levels stand in columns, and in rows if an amount is too wide for a column", () => {
  expect(kinds(planLandscape([level(4), level(3)], 140, NARROW))).toEqual([["column", "column"]]);
  expect(kinds(planLandscape([level(9), level(8)], 140, WIDE))).toEqual([["row", "row"]]);
});

test("four levels stand in two rows rather than lose their cents, and on pages if the rows are too narrow", () => {
  const four = [level(5), level(4), level(3), level(2)];
  expect(kinds(planLandscape(four, 140, NARROW))).toEqual([["row", "row", "row", "row"]]);
  expect(planLandscape(four, 140, WIDE).map((page) => page.length)).toEqual([2, 2]);
  expect(planLandscape([...four, level(2)], 140, NARROW).map((page) => page.length)).toEqual([2, 1, 2]);
});

test("portrait takes three levels below one another, up to five in rows, and pages beyond", () => {
  const many = (count: number) => Array.from({ length: count }, () => level(4));
  expect(kinds(planPortrait(many(3), 125, NARROW))).toEqual([["column", "column", "column"]]);
  expect(kinds(planPortrait(many(5), 125, NARROW))).toEqual([["row", "row", "row", "row", "row"]]);
  expect(planPortrait(many(5), 125, WIDE).map((page) => page.length)).toEqual([3, 2]);
  expect(planPortrait(many(7), 125, NARROW).map((page) => page.length)).toEqual([2, 3, 2]);
});
