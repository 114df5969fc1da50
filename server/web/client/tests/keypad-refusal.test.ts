// What a dealer may do about a refused hand, and what is left to pay.

import { expect, test } from "vitest";
import type { RefusedCommand } from "../src/keypad/outbox.js";
import { correctedBy, draftOf, foundHand, keyedIn } from "../src/keypad/refusal.js";
import type { Command, Hit, Play, Round } from "../src/keypad/state.js";
import { payHint } from "../src/keypad/words.js";
import { keypadTextsOf } from "../src/text/keypad.js";

const CARDS = ["8s", "8h", "8d", "Kc", "2h"];
const HIT: Command = { command: "hit", seat: 2, hand: "four-of-a-kind", cards: CARDS, by: "d-12" };
const ROUND = { round: "T-1.4" } as Round;
const PLAY = { hands: [{ hand: "four-of-a-kind" }, { hand: "three-of-a-kind" }] } as Play;

function refused(command: Command, more: { sequence?: number; code?: string; found?: string } = {}): RefusedCommand {
  const { sequence = 5, code = "wrong_hand", found = "three-of-a-kind" } = more;
  return { sequence, command, refusal: { code, detail: "no", fields: { found }, requestId: null } };
}

test("a refused hand belongs to the round that was open when it was keyed", () => {
  expect(keyedIn(ROUND, refused(HIT))).toBe(HIT);
  expect(keyedIn(ROUND, refused(HIT, { sequence: 3 }))).toBeNull();
  expect(keyedIn(null, refused(HIT))).toBeNull();
  expect(keyedIn(ROUND, refused({ command: "fold", seats: [2] }))).toBeNull();
});

test("cards that make another hand of the paytable are keyed as that hand", () => {
  const found = foundHand(refused(HIT));
  expect(found).toBe("three-of-a-kind");
  const command = keyedIn(ROUND, refused(HIT));
  expect(command && correctedBy(command, "three-of-a-kind", PLAY)).toEqual({ ...HIT, hand: "three-of-a-kind" });
  expect(command && correctedBy(command, "high-card", PLAY)).toBeNull();
  expect(foundHand(refused(HIT, { code: "no_wager" }))).toBeNull();
});

test("the draft of a refused hand has its seat and cards", () => {
  const command = keyedIn(ROUND, refused(HIT));
  expect(command && draftOf(command)).toEqual({ kind: "hand", hand: "four-of-a-kind", seat: 2, cards: CARDS });
  const dealers = keyedIn(ROUND, refused({ command: "hit", dealer: true, hand: "flush" }));
  expect(dealers && draftOf(dealers)).toEqual({ kind: "hand", hand: "flush", seat: null });
});

test("a hand that is paid leaves its envy to be paid, then GAME OVER", () => {
  const texts = keypadTextsOf("en-US");
  const payout = (kind: string, paid: boolean) => ({ kind, handed_over: "rack", payment: { paid } });
  const hint = (state: string, ...payouts: unknown[]) => payHint(texts, { state, payouts } as unknown as Hit);
  expect(hint("validated", payout("line", true), payout("envy", false))).toBe(
    "Left to do: envy from the rack, then GAME OVER.",
  );
  expect(hint("validated", payout("line", true))).toBe(texts.payHints.paid);
  expect(hint("validated", payout("line", false), payout("envy", false))).toBe(texts.payHints.rack);
  expect(hint("paid", payout("line", true), payout("envy", true))).toBe(texts.payHints.paid);
  expect(hint("rejected", payout("line", false))).toBe(texts.payHints.nothing);
});
