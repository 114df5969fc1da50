// The cards of the picker.

import { describe, expect, test } from "vitest";
import { canonical, communityOf, takenBy, typed, usedIn } from "../src/keypad/cards.js";
import type { Hit, Play, Round } from "../src/keypad/state.js";
import { neighbour } from "../src/staff/cards.js";
import { PLAY } from "./keypad-table.js";

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
const FLOP: Play = { ...PLAY, cards: { ...PLAY.cards, own: 2, community: 3, community_max: 5 } };

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
