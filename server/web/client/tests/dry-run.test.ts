// The dry run of a proposal as the office lists it.

import { expect, test } from "vitest";
import { balanceChanges, doesTheSame } from "../src/office/views/dry-run-changes.js";

const level = (name: string, meter: string, pending = "0.00", reserve = "0.00") => ({
  level: name,
  meter,
  reserve,
  overflow: "0.00",
  pending,
});
const books = (...levels: ReturnType<typeof level>[]) => ({ state: "open" as const, at_displayed: null, levels });

test("the balances that differ are listed, with the meter of their level", () => {
  const before = books(level("mega", "10000.27"), level("major", "1000.00"), level("fixed", "0.00"));
  const after = books(
    level("mega", "10000.27", "0.00", "77.25"),
    level("major", "1000.00"),
    level("fixed", "0.00", "3.00"),
  );
  expect(balanceChanges({ before, after })).toEqual([
    { level: "mega", account: "meter", before: "10000.27", change: "0.00", after: "10000.27" },
    { level: "mega", account: "reserve", before: "0.00", change: "77.25", after: "77.25" },
    { level: "fixed", account: "pending", before: "0.00", change: "3.00", after: "3.00" },
  ]);
  expect(balanceChanges({ before, after: before })).toEqual([]);
});

test("a later dry run does the same after coin-ins, and not after a win or with another change", () => {
  const of = (before: string, after: string, more: { amount?: string; pending?: string } = {}) => {
    const { amount = "1.50", pending = "0.00" } = more;
    return {
      proposal: "1",
      link: "main",
      batch: 1,
      at: "2026-11-21T13:44:01.000000Z",
      effect: { kind: "adjusted" as const, level: "mega", account: "meter" as const, before, after },
      moves: [{ book: "mega", from: "house" as const, to: "meter" as const, amount }],
      before: books(level("mega", before, pending)),
      after: books(level("mega", after, pending)),
    };
  };
  const seen = of("10000.27", "10001.77");
  expect(doesTheSame(seen, seen)).toBe(true);
  expect(doesTheSame(seen, of("10000.54", "10002.04"))).toBe(true);
  // The level was won since, or a hit waits.
  expect(doesTheSame(seen, of("10000.00", "10001.50"))).toBe(false);
  expect(doesTheSame(seen, of("10000.27", "10001.77", { pending: "3.00" }))).toBe(false);
  // The change itself is another one.
  expect(doesTheSame(seen, of("10000.27", "10001.78"))).toBe(false);
  expect(doesTheSame(seen, of("10000.27", "10001.77", { amount: "1.49" }))).toBe(false);
});
