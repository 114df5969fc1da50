// A table for the tests of the keypad.

import type { Table } from "../src/keypad/state.js";

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
