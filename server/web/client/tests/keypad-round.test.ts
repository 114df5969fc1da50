// What a round shows and admits.

import { describe, expect, test } from "vitest";
import { EMPTY, type Kept, append, read } from "../src/keypad/outbox.js";
import {
  type Chips,
  NO_CHIPS,
  choiceOf,
  chipsOf,
  facesOf,
  isOptional,
  isWhole,
  needOf,
  partsOf,
  tapped,
  unsettled,
  wagersOf,
} from "../src/keypad/round.js";
import { type Hit, type Line, type Round, type Table, afterOutcome } from "../src/keypad/state.js";
import { LINE, PLAY, tableAt } from "./keypad-table.js";

const NO_ENVY: Line = { ...LINE, envy: null };

function hit(seat: number | null, state: Hit["state"], more: Partial<Hit> = {}): Hit {
  return { hit: `T-1.${seat}`, kind: "line", state, seat, payouts: [], ...more } as unknown as Hit;
}

function round(more: Partial<Round> = {}): Round {
  return {
    round: "T-1.1",
    state: "locked",
    seats: [1, 3],
    dealer_seats: [],
    dealt: [1, 2, 3],
    folded: [],
    players: [],
    hits: [],
    ...more,
  };
}

function kept(open: Round | null): Kept {
  return read(EMPTY, { ...tableAt(1), round: open } as Table, 0);
}

const face = (of: Kept, seat: number, chips = NO_CHIPS) => facesOf(of, chips)[seat - 1]?.face;

describe("the seats", () => {
  test("take and give a chip; a seat without cards has none", () => {
    let chips: Chips = tapped(NO_CHIPS, 3, "own");
    expect(chips).toEqual({ own: [3], dealer: [], dealt: [3], players: {} });
    chips = tapped(tapped(chips, 3, "dealer"), 1, "players");
    expect(chips).toEqual({ own: [3], dealer: [3], dealt: [1, 3], players: {} });
    expect(tapped(chips, 3, "own")).toEqual({ own: [], dealer: [3], dealt: [1, 3], players: {} });
    chips = tapped(tapped(chips, 3, "same"), 1, "same");
    expect(chips.players).toEqual({ 1: "A", 3: "A" });
    expect(tapped(chips, 3, "same").players).toEqual({ 1: "A", 3: "B" });
    expect(tapped(tapped(tapped(chips, 3, "same"), 3, "same"), 3, "same").players).toEqual({ 1: "A" });
    expect(chipsOf(wagersOf(chips, "1.00"), chips.dealt)).toEqual({ ...chips, players: { 3: "A" } });
    expect(tapped(chips, 3, "players")).toEqual({ own: [], dealer: [], dealt: [1], players: { 1: "A" } });
  });

  test("are lit only by the server's acceptance", () => {
    const chips: Chips = { own: [1], dealer: [], dealt: [1, 2], players: {} };
    const open = kept(null);
    expect([1, 2, 3].map((seat) => face(open, seat, chips))).toEqual(["chip", "player", "empty"]);
    const sent = append(open, {
      command: "coin_in",
      wagers: [{ seat: 1, amount: "1.00" }],
      dealt: [1, 2],
    }) as Kept;
    expect([1, 2, 3].map((seat) => face(sent, seat))).toEqual(["sent", "player", "empty"]);
    expect([1, 2, 4].map((seat) => face(kept(round()), seat))).toEqual(["accepted", "dealt", "empty"]);
  });

  test("fold when the server says so", () => {
    const waiting = append(kept(round()), { command: "fold", seats: [1] }) as Kept;
    expect(face(waiting, 1)).toBe("folding");
    expect(face(kept(round({ folded: [1] })), 1)).toBe("folded");
  });
});

describe("a hand", () => {
  test("is a hit with a wager, envy without one, and nothing where no line gives envy", () => {
    const open = round();
    expect([1, 2, 4].map((seat) => choiceOf(open, PLAY, LINE, seat))).toEqual(["hit", "envy", "empty"]);
    expect(choiceOf(open, PLAY, NO_ENVY, 2)).toBe("noWager");
    expect(choiceOf(open, PLAY, LINE, null)).toBe("noWager");
    const players = [1, 2, 3].map((seat) => ({ seat, player: "A" }));
    expect(choiceOf(round({ players }), PLAY, LINE, 2)).toBe("noWager");
    expect(choiceOf(round({ dealer_seats: [3] }), PLAY, LINE, null)).toBe("hit");
  });

  test("of a folded seat follows the paytable", () => {
    const open = round({ folded: [1, 2] });
    const kept = { ...PLAY, fold_award: "kept" as const };
    const shown = { ...PLAY, folded_hand_gives_envy: true };
    expect([1, 2].map((seat) => choiceOf(open, PLAY, LINE, seat))).toEqual(["folded", "folded"]);
    expect([1, 2].map((seat) => choiceOf(open, kept, LINE, seat))).toEqual(["hit", "folded"]);
    expect([1, 2].map((seat) => choiceOf(open, shown, LINE, seat))).toEqual(["envy", "envy"]);
  });

  test("is keyed once, and in turn from the highest seat down", () => {
    const open = round({ hits: [hit(1, "pending")] });
    expect([1, 3].map((seat) => choiceOf(open, PLAY, LINE, seat))).toEqual(["keyed", "early"]);
    const undone = round({ hits: [hit(1, "cancelled")] });
    expect([1, 3].map((seat) => choiceOf(undone, PLAY, LINE, seat))).toEqual(["hit", "hit"]);
    const dealers = round({ dealer_seats: [3], hits: [hit(null, "pending")] });
    expect([3, 1].map((seat) => choiceOf(dealers, PLAY, LINE, seat))).toEqual(["early", "hit"]);
  });
});

describe("the cards of a whole round", () => {
  test("are those of the board, of each dealt seat, and of the dealer's hand with a wager", () => {
    const cards = { ...PLAY.cards, own: 2, community: 3 };
    expect(partsOf(round({ dealer_seats: [3] }), PLAY)).toEqual([1, 2, 3, "dealer"]);
    expect(partsOf(round(), { ...PLAY, cards })).toEqual(["community", 1, 2, 3]);
    expect(needOf("community", { ...PLAY, cards })).toBe(3);
    expect(needOf(1, { ...PLAY, cards })).toBe(2);
  });

  test("may be five or six of the dealer's where games differ", () => {
    expect(needOf("dealer", PLAY)).toBe(6);
    expect([4, 5, 6].map((count) => isWhole("dealer", count, PLAY))).toEqual([false, true, true]);
    expect([4, 5].map((count) => isWhole(1, count, PLAY))).toEqual([false, true]);
  });

  test("may be left out of a hand that can neither win nor give envy", () => {
    const parts = [1, 2, 3] as const;
    const optional = (open: Round, play = PLAY) => parts.map((part) => isOptional(part, open, play));
    expect(optional(round())).toEqual([false, false, false]);
    expect(optional(round(), { ...PLAY, hands: [NO_ENVY] })).toEqual([false, true, false]);
    expect(optional(round({ folded: [1, 2] }))).toEqual([true, true, false]);
    expect(optional(round({ folded: [1, 2] }), { ...PLAY, fold_award: "kept" })).toEqual([false, true, false]);
    expect(optional(round({ folded: [1, 2] }), { ...PLAY, folded_hand_gives_envy: true })).toEqual([
      false,
      false,
      false,
    ]);
    expect(isOptional("dealer", round(), PLAY)).toBe(false);
  });
});

describe("GAME OVER", () => {
  test("waits for the floor and for the document of a slip", () => {
    const slip = (paid: boolean) =>
      ({ payouts: [{ handed_over: "slip", payment: { paid } }] }) as unknown as Partial<Hit>;
    const rack = { payouts: [{ handed_over: "rack", payment: { paid: false } }] } as unknown as Partial<Hit>;
    const hits = [
      hit(1, "pending"),
      hit(2, "validated", slip(false)),
      hit(3, "validated", slip(true)),
      hit(4, "validated_by_rule", rack),
      hit(5, "rejected", slip(false)),
    ];
    expect(unsettled(round({ hits })).map(({ seat }) => seat)).toEqual([1, 2]);
  });
});

describe("an outcome", () => {
  test("brings the table forward once", () => {
    const table = { ...tableAt(4), round: round() } as Table;
    const outcome = {
      table: "T-1",
      sequence: 5,
      command: "hit",
      hit: hit(3, "pending"),
      levels: [{ level: "mega", amount: "10000.00" }],
      at: "2026-11-21T13:44:45Z",
      position: "9.0",
    } as Parameters<typeof afterOutcome>[2];
    const command = { command: "hit", seat: 3, hand: "royal-flush" } as const;
    const after = afterOutcome(table, command, outcome);
    expect(after.round?.state).toBe("settling");
    expect(after.next_sequence).toBe(6);
    expect(afterOutcome(after, command, outcome)).toBe(after);
    const back = afterOutcome(after, { command: "cancel_hit", hit: "T-1.3" }, {
      ...outcome,
      sequence: 6,
      command: "cancel_hit",
      hit: "T-1.3",
    } as Parameters<typeof afterOutcome>[2]);
    expect(back.round?.state).toBe("locked");
    expect(back.round?.hits[0]?.state).toBe("cancelled");
  });
});
