// A table for the tests of the keypad.

import type { Line, Play, Table } from "../src/keypad/state.js";

export function tableAt(last: number): Table {
  return {
    table: "T-1",
    link: "main",
    state: "in_service",
    must_resume: false,
    link_state: "open",
    disabled: [],
    game: "crazy-4-poker",
    seats: 6,
    paytable: "p",
    table_paytable: "p",
    wager: "1.00",
    decks: 1,
    last_sequence: last,
    next_sequence: last + 1,
    round: null,
    closed_hits: [],
    levels: [],
    position: `${last}.0`,
  };
}

export const LINE: Line = {
  hand: "royal-flush",
  percent: 100,
  level: "mega",
  for_one: null,
  envy: 1000,
  needs_validation: true,
};

export const PLAY: Play = {
  title: "Five-Card Progressive Payout Wager",
  hands: [LINE],
  bet_on_dealer: true,
  magic_card: null,
  lucky_bonus: null,
  cards: { own: 5, community: 0, dealer_min: 5, dealer_max: 6, community_max: 0 },
  fold_award: "forfeited",
  folded_hand_gives_envy: false,
  badge_required: true,
};
