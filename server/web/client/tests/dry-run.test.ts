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

test("a later dry run does the same if nothing but its time differs", () => {
  const of = (meter: string, batch: number) => ({
    proposal: "1",
    link: "main",
    batch,
    at: `2026-11-21T13:44:0${batch}.000000Z`,
    effect: { kind: "returns_acknowledged" as const },
    moves: [],
    before: books(level("mega", meter)),
    after: books(level("mega", meter)),
  });
  expect(doesTheSame(of("1.00", 1), of("1.00", 2))).toBe(true);
  expect(doesTheSame(of("1.00", 1), of("1.27", 2))).toBe(false);
});
