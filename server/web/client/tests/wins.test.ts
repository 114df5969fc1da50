// The win scenes: pending, celebration, plate, paid, and the queue of several wins.

import { expect, test } from "vitest";
import {
  CELEBRATION_MS,
  LEAVING_MS,
  NO_WINS,
  PAID_MS,
  PLATE_LEAST_MS,
  PLATE_TURN_MS,
  UNDONE_MS,
  WAITING_MAX,
  type WinFacts,
  type WinState,
  advance,
  nextAt,
  takeNews,
} from "../src/wins/machine.js";

function facts(hit: string, order: number, state = "pending"): WinFacts {
  return {
    hit,
    order,
    level: "mega",
    table: "C4P-07",
    hand: "royal-flush",
    whole: true,
    cents: 100_00n,
    state,
    cards: null,
  };
}

const appear = (state: WinState, win: WinFacts, now: number) => takeNews(state, "main", { kind: "appeared", win }, now);
const change = (state: WinState, hit: string, to: string, now: number) =>
  takeNews(state, "main", { kind: "changed", hit, state: to, cents: null, cards: null }, now);
const shown = (state: WinState) => (state.scene ? `${state.scene.win.hit} ${state.scene.step}` : "nothing");

test("a win is pending as long as it is, celebrated once it is validated, on the plate until paid, and then gone", () => {
  let state = appear(NO_WINS, facts("A", 1), 0);
  expect(shown(advance(state, 86_400_000))).toBe("A pending");
  expect(nextAt(state)).toBeNull();
  state = change(state, "A", "validated", 10_000);
  expect(shown(state)).toBe("A celebration");
  state = advance(state, 10_000 + CELEBRATION_MS - 1);
  expect(shown(state)).toBe("A celebration");
  state = advance(state, 10_000 + CELEBRATION_MS);
  expect(shown(state)).toBe("A won");
  expect(shown(advance(state, 86_400_000))).toBe("A won");
  state = change(state, "A", "paid", 100_000);
  expect(shown(state)).toBe("A paid");
  state = advance(state, 100_000 + PAID_MS);
  expect(shown(state)).toBe("A leaving");
  expect(shown(advance(state, 100_000 + PAID_MS + LEAVING_MS))).toBe("nothing");
});

test("a win that is paid while it is celebrated is celebrated to the end and then paid", () => {
  let state = change(appear(NO_WINS, facts("A", 1), 0), "A", "validated", 40);
  state = change(state, "A", "paid", 80);
  expect(shown(advance(state, 40 + CELEBRATION_MS - 1))).toBe("A celebration");
  expect(shown(advance(state, 40 + CELEBRATION_MS))).toBe("A paid");
});

test("an undone win fades and does not come back, in every step", () => {
  for (const before of ["pending", "validated"]) {
    let state = change(appear(NO_WINS, facts("A", 1), 0), "A", before, 10);
    state = change(state, "A", "undone", 5_000);
    expect(shown(state)).toBe("A undone");
    expect(shown(advance(state, 5_000 + UNDONE_MS))).toBe("nothing");
  }
});

test("a win that waits and is undone never shows", () => {
  let state = appear(appear(NO_WINS, facts("A", 1), 0), facts("B", 2), 10);
  state = change(state, "B", "undone", 20);
  expect(state.waiting).toEqual([]);
});

test("several wins take turns: a celebration is never cut short, news comes first", () => {
  let state = change(appear(NO_WINS, facts("A", 1), 0), "A", "validated", 100);
  state = appear(appear(state, facts("B", 2), 200), facts("C", 3), 300);
  state = change(state, "C", "validated", 400);
  expect(shown(advance(state, 100 + CELEBRATION_MS - 1))).toBe("A celebration");
  state = advance(state, 100 + CELEBRATION_MS);
  expect(shown(state)).toBe("A won");
  state = advance(state, 100 + CELEBRATION_MS + PLATE_LEAST_MS);
  expect(shown(state)).toBe("C celebration");
});

test("pending plates take turns", () => {
  let state = appear(appear(NO_WINS, facts("A", 1), 0), facts("B", 2), 10);
  expect(nextAt(state)).toBe(PLATE_TURN_MS);
  state = advance(state, PLATE_TURN_MS);
  expect(shown(state)).toBe("B pending");
  expect(shown(advance(state, 2 * PLATE_TURN_MS))).toBe("A pending");
});

test("a snapshot keeps a pending win, adds one that was missed, and leaves old wins alone", () => {
  let state = appear(NO_WINS, facts("A", 1), 0);
  const wins = [facts("D", 4, "validated"), facts("C", 3, "paid"), facts("B", 2), facts("A", 1)];
  state = takeNews(state, "main", { kind: "snapshot", wins, absentFrom: 0, missing: false }, 1_000);
  expect(shown(state)).toBe("A pending");
  expect(state.waiting.map((win) => win.hit)).toEqual(["B"]);
});

test("a pending win that was validated while the sign was cut off is celebrated", () => {
  let state = appear(NO_WINS, facts("A", 1), 0);
  state = takeNews(
    state,
    "main",
    { kind: "snapshot", wins: [facts("A", 1, "validated")], absentFrom: 0, missing: false },
    9_000,
  );
  expect(shown(state)).toBe("A celebration");
});

test("a win that a snapshot leaves out is undone, unless it may only be older than the snapshot's hits", () => {
  const state = appear(NO_WINS, facts("A", 5), 0);
  const left = (absentFrom: number, missing: boolean) =>
    shown(takeNews(state, "main", { kind: "snapshot", wins: [], absentFrom, missing }, 10));
  expect(left(0, false)).toBe("A undone");
  expect(left(5, false)).toBe("A undone");
  expect(left(6, false)).toBe("A pending");
  expect(left(6, true)).toBe("A undone");
});

test("a corrected amount replaces the one shown, and a hit sent twice is one win", () => {
  let state = appear(appear(NO_WINS, facts("A", 1), 0), facts("A", 1), 5);
  expect(state.waiting).toEqual([]);
  state = takeNews(state, "main", { kind: "changed", hit: "A", state: "pending", cents: 90_00n, cards: null }, 10);
  expect(state.scene?.win.cents).toBe(90_00n);
});

test("a win without a decision of a person is celebrated at once", () => {
  expect(shown(appear(NO_WINS, facts("A", 1, "validated_by_rule"), 0))).toBe("A celebration");
});

test("wins that wait are bounded", () => {
  let state = NO_WINS;
  for (let order = 1; order <= 200; order += 1) state = appear(state, facts(`H${order}`, order), order);
  expect(state.waiting.length).toBe(WAITING_MAX);
});

test("the links of a sign share one queue, and a snapshot decides on the wins of its own link alone", () => {
  let state = appear(NO_WINS, facts("A", 5), 0);
  state = takeNews(state, "hand-bonus", { kind: "appeared", win: facts("B", 1, "validated") }, 10);
  state = takeNews(state, "hand-bonus", { kind: "snapshot", wins: [], absentFrom: 0, missing: true }, 20);
  expect(shown(state)).toBe("A pending");
  expect(state.waiting).toEqual([]);
  state = takeNews(state, "hand-bonus", { kind: "appeared", win: facts("C", 2, "validated") }, 30);
  state = advance(state, PLATE_LEAST_MS);
  expect(shown(state)).toBe("C celebration");
  expect(state.scene?.win.link).toBe("hand-bonus");
});

test("the cards that a supervisor saw take the place of those that were not known", () => {
  const royal = ["As", "Ks", "Qs", "Js", "Ts"];
  let state = takeNews(NO_WINS, "main", { kind: "appeared", win: facts("A", 1) }, 0);
  state = takeNews(state, "main", { kind: "changed", hit: "A", state: "validated", cents: null, cards: royal }, 10);
  expect(state.scene?.win.cards).toEqual(royal);
  state = takeNews(state, "main", { kind: "changed", hit: "A", state: "paid", cents: null, cards: null }, 20);
  expect(state.scene?.win.cards).toEqual(royal);
});

test("a link may celebrate at the hit: once, before the validation, and not again at it", () => {
  let state = takeNews(NO_WINS, "main", { kind: "presented", celebration: "hit" }, 0);
  state = appear(state, facts("A", 1), 0);
  expect(shown(state)).toBe("A celebration");
  state = advance(state, CELEBRATION_MS);
  expect(shown(state)).toBe("A pending");
  state = change(state, "A", "validated", CELEBRATION_MS + 10);
  expect(shown(state)).toBe("A won");
});

test("a pending hit of a snapshot was there before: it is celebrated when it is validated", () => {
  let state = takeNews(NO_WINS, "main", { kind: "presented", celebration: "hit" }, 0);
  state = takeNews(state, "main", { kind: "snapshot", wins: [facts("A", 1)], absentFrom: 0, missing: false }, 0);
  expect(shown(state)).toBe("A pending");
  state = change(state, "A", "validated", 10);
  expect(shown(state)).toBe("A celebration");
});

test("a hit that is validated or undone while it is celebrated early", () => {
  let state = takeNews(NO_WINS, "main", { kind: "presented", celebration: "hit" }, 0);
  state = appear(state, facts("A", 1), 0);
  expect(shown(change(state, "A", "undone", 10))).toBe("A undone");
  state = change(state, "A", "validated", 10);
  expect(shown(advance(state, CELEBRATION_MS - 1))).toBe("A celebration");
  expect(shown(advance(state, CELEBRATION_MS))).toBe("A won");
});

test("each link of a sign has its own time of the celebration, kept over turns of plates", () => {
  let state = takeNews(NO_WINS, "early", { kind: "presented", celebration: "hit" }, 0);
  state = takeNews(state, "main", { kind: "presented", celebration: "validation" }, 0);
  state = appear(appear(state, facts("A", 1), 0), facts("B", 2), 0);
  state = advance(state, PLATE_TURN_MS);
  expect(shown(state)).toBe("B pending");
  state = takeNews(state, "early", { kind: "appeared", win: facts("C", 1) }, 2 * PLATE_TURN_MS);
  expect(shown(state)).toBe("C celebration");
});

test("a changed time of the celebration counts for the hits after it", () => {
  let state = takeNews(appear(NO_WINS, facts("A", 1), 0), "main", { kind: "presented", celebration: "hit" }, 10);
  expect(shown(state)).toBe("A pending");
  state = appear(state, facts("B", 2), 20);
  expect(shown(advance(state, PLATE_LEAST_MS))).toBe("B celebration");
});
