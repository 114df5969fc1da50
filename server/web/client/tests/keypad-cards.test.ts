// The cards of the picker, and the paytable as the manual's page has it.

import { describe, expect, test } from "vitest";
import type { Schema } from "../src/api/client.js";
import { canonical, communityOf, neighbour, takenBy, typed, usedIn } from "../src/keypad/cards.js";
import { paytableOf } from "../src/keypad/paytable.js";
import type { Hit, Round } from "../src/keypad/state.js";

const COLUMNS = `Crazy 4 Poker, Five Card Hand Bonus Wager
pa-657a-five-card-hand-bonus

Source                 58 Pa. Code § 657a.12(f) (PA)
Wagered on             the own hand, the dealer's hand, or both; a percentage on the dealer's is split equally
Hand                   the player's own five cards, ranked as five-card hands
A fold                 keeps the award

Level          seed   reseed  primary  reserve
meter  10,000 for 1  0 for 1      13%       8%

Hand                     pays         envy
royal-flush     100% of meter  1,000 for 1
straight-flush   10% of meter
four-of-a-kind      500 for 1
full-house    50 for 1 off meter

Draw             pays
magic_card   20 for 1
lucky_bonus   5 for 1

Settlement             charged to  handed over
percentage of a level  meter       slip
`;

const PAGE: Schema<"ManualPage"> = {
  game: "crazy-4-poker",
  title: "Crazy 4 Poker",
  parts: [
    {
      heading: "Round of play",
      table: [
        ["", "", "Source"],
        ["Cards", "2 to each player, 2 to the dealer, 5 community cards", "§"],
      ],
      columns: null,
    },
    { heading: "bonus", table: null, columns: COLUMNS },
  ],
};

describe("the paytable of the manual", () => {
  test("has lines, bonuses, the number of cards and what a fold does", () => {
    const paytable = paytableOf(PAGE, "bonus");
    expect(paytable).toMatchObject({
      title: "Crazy 4 Poker, Five Card Hand Bonus Wager",
      dealerWagers: true,
      magicCard: "20",
      luckyBonus: "5",
      own: 5,
      community: 0,
      dealer: 2,
      communityDealt: 5,
      foldKeepsAward: true,
      foldedGivesEnvy: false,
    });
    expect(paytable?.lines).toEqual([
      { hand: "royal-flush", level: "meter", percent: 100, forOne: null, envy: "1,000" },
      { hand: "straight-flush", level: "meter", percent: 10, forOne: null, envy: null },
      { hand: "four-of-a-kind", level: null, percent: null, forOne: "500", envy: null },
      { hand: "full-house", level: "meter", percent: null, forOne: "50", envy: null },
    ]);
  });

  test("is none where the page has none of the id, or one of another form", () => {
    expect(paytableOf(PAGE, "other")).toBeNull();
    const strange = { ...PAGE, parts: [{ heading: "bonus", table: null, columns: "no columns" }] };
    expect(paytableOf(strange, "bonus")).toBeNull();
  });
});

function hit(seat: number, cards: string[], state: Hit["state"] = "pending"): Hit {
  return {
    hit: `T-1.${seat}`,
    round: "T-1.1",
    order: seat,
    table: "T-1",
    kind: "line",
    state,
    seat,
    dealer: false,
    hand: "flush",
    level: null,
    percent: null,
    due: "1.00",
    envy_due: "0.00",
    cards,
    payouts: [],
  } as unknown as Hit;
}

const ROUND: Round = {
  round: "T-1.1",
  state: "settling",
  seats: [1, 3],
  dealer_seats: [],
  dealt: [1, 3],
  folded: [],
  players: [],
  hits: [hit(3, ["10s", "9s", "As", "Kd", "2c"]), hit(1, ["2h", "3h", "As", "Kd", "2c"], "cancelled")],
};
const FLOP = { ...paytableOf(PAGE, "bonus"), own: 2, community: 3 } as NonNullable<ReturnType<typeof paytableOf>>;

describe("the picker", () => {
  test("knows who has a card; a hit that was taken back uses none", () => {
    const used = usedIn(ROUND, FLOP, 1);
    expect(takenBy(used, "Ts", 1)).toEqual({ seat: 3 });
    expect(takenBy(used, "Ts", 2)).toBeNull();
    // The community's cards belong to every hand.
    expect(takenBy(used, "As", 1)).toBeNull();
    expect(takenBy(used, "2h", 1)).toBeNull();
    expect(usedIn(ROUND, FLOP, 3).size).toBe(0);
    expect(communityOf(ROUND, FLOP)).toEqual(["As", "Kd", "2c"]);
  });

  test("reads typed letters: rank, then suit", () => {
    expect(canonical("10d")).toBe("Td");
    expect(typed(null, "a")).toEqual({ rank: "A", card: null });
    expect(typed("A", "s")).toEqual({ rank: null, card: "As" });
    expect(typed("1", "0")).toEqual({ rank: "T", card: null });
    expect(typed(null, "1")).toEqual({ rank: "T", card: null });
    expect(typed(null, "s")).toBeNull();
    expect(typed("K", "x")).toBeNull();
  });

  test("moves by arrows and stops at the edge", () => {
    expect(neighbour("As", "ArrowRight")).toBe("Ks");
    expect(neighbour("As", "ArrowDown")).toBe("Ah");
    expect(neighbour("As", "ArrowUp")).toBe("As");
    expect(neighbour("2d", "ArrowRight")).toBe("2d");
  });
});
