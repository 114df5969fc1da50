// The chain by which amounts and texts are made to fit, and its floors.

import { expect, test } from "vitest";
import {
  AMOUNT_FLOOR,
  CENTS_FLOOR,
  type AmountRequest,
  type Metrics,
  amountWidth,
  firstFitting,
  fitAmount,
  fitText,
  split,
} from "../src/fit/chain.js";
import { amountParts, amountText, toCents } from "../src/money.js";

const FONT: Metrics = { ratio: 0.8, digit: 0.5, comma: 0.25, point: 0.25, currency: 0.5 };
const MEGA: AmountRequest = { digits: 6, marks: 1, cap: 292, centsShare: 0.5, width: 2_000 };

test("an amount that fits keeps its size", () => {
  expect(fitAmount(MEGA, FONT)).toMatchObject({ cap: 292, centsCap: 146, cents: true, fits: true });
});

test("the chain: smaller, then small cents, then no gap, then no cents, then another layout", () => {
  const seen = new Set<string>();
  for (let width = 1_400; width >= 300; width -= 1) {
    const fit = fitAmount({ ...MEGA, cap: 160, centsShare: 0.8, width }, FONT);
    const way = !fit.fits
      ? "other layout"
      : !fit.cents
        ? "no cents"
        : fit.gap === 0
          ? "no gap"
          : fit.centsCap <= CENTS_FLOOR && fit.cap < 160
            ? "small cents"
            : fit.cap < 160
              ? "smaller"
              : "whole";
    seen.add(way);
  }
  expect([...seen]).toEqual(["whole", "smaller", "small cents", "no gap", "no cents", "other layout"]);
});

test("no amount that fits is wider than its column, nor below its floors", () => {
  for (let digits = 1; digits <= 9; digits += 1) {
    for (let width = 200; width <= 1_900; width += 37) {
      const request = { ...MEGA, digits, marks: Math.floor((digits - 1) / 3), width };
      const fit = fitAmount(request, FONT);
      expect(fit.cap).toBeGreaterThanOrEqual(AMOUNT_FLOOR);
      expect(fit.centsCap).toBeGreaterThanOrEqual(CENTS_FLOOR);
      if (fit.fits) expect(amountWidth(request, fit, FONT)).toBeLessThanOrEqual(width);
    }
  }
});

const measure = (text: string) => text.length * 0.5;

test("a text loses its letter spacing, then its size, then its line", () => {
  const fit = (width: number) =>
    fitText(
      { text: "Northern Crown", cap: 46, floor: 36, width, tracking: 0.16, trackingLeast: 0.04, lines: 2 },
      measure,
      0.74,
    );
  expect(fit(600)).toMatchObject({ cap: 46, tracking: 0.16 });
  expect(fit(480)).toMatchObject({ cap: 46, tracking: 0.04, lines: ["Northern Crown"] });
  expect(fit(400).cap).toBeLessThan(46);
  expect(fit(400).lines.length).toBe(1);
  expect(fit(300)).toMatchObject({ cap: 36, lines: ["Northern", "Crown"] });
});

test("a hand takes two lines before it goes below its size", () => {
  const request = { text: "four of a kind", cap: 84, floor: 50, width: 480, tracking: 0, trackingLeast: 0, lines: 2 };
  expect(fitText(request, measure, 0.8, true)).toMatchObject({ cap: 84, lines: ["four of", "a kind"] });
  expect(fitText(request, measure, 0.8, false).cap).toBeLessThan(84);
});

test("a text is never below its floor, even where it is too wide", () => {
  expect(
    fitText(
      { text: "Unbreakable", cap: 90, floor: 79, width: 10, tracking: 0, trackingLeast: 0, lines: 2 },
      measure,
      0.8,
    ).cap,
  ).toBe(79);
});

test("lines are split near their middle", () => {
  expect(split("a bb ccc dddd eeeee", 3)).toEqual(["a bb ccc", "dddd", "eeeee"]);
  expect(split("one", 2)).toBeNull();
});

test("the first wording that fits is taken, else the last", () => {
  expect(firstFitting(["Table C4P-07", "C4P-07"], 3, measure)).toBe("C4P-07");
  expect(firstFitting(["Table C4P-07", "C4P-07"], 100, measure)).toBe("Table C4P-07");
  expect(firstFitting(["Table C4P-07", "C4P-07"], 1, measure)).toBe("C4P-07");
});

test("amounts are written as their locale writes them, cents exactly", () => {
  expect(toCents("10000.279")).toBe(1_000_027n);
  expect(toCents("-1.00")).toBeNull();
  expect(amountText(12_845_673n, "en-US")).toBe("$128,456.73");
  expect(amountText(25_000_00n, "en-US", true)).toBe("$25,000");
  expect(amountText(12_845_673n, "es-ES")).toMatch(/^128\.456,73\s\$$/);
  expect(amountText(9_007_199_254_740_993_01n, "en-US")).toBe("$9,007,199,254,740,993.01");
  const places = amountParts(1_234_56n, "en-US").flatMap((part) => (part.kind === "digit" ? [part.place] : []));
  expect(places).toEqual([5, 4, 3, 2, 1, 0]);
});
