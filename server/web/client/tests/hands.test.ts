import { expect, test } from "vitest";
import { winningHands } from "../src/sign/hands.js";

test("a level is won by the hands that take all of it, else by those that take the greatest part", () => {
  const royal = { hand: "royal-flush", percent: 100 };
  const straight = { hand: "straight-flush", percent: 10 };
  expect(winningHands([royal, straight])).toEqual(["royal-flush"]);
  expect(winningHands([royal, { ...straight, percent: 100 }])).toEqual(["royal-flush", "straight-flush"]);
  expect(winningHands([straight])).toEqual(["straight-flush"]);
  expect(winningHands([])).toEqual([]);
});
