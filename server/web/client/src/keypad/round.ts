// What a round shows and admits: the faces of its seats, who may be keyed, what keeps it open. The server decides; this
// only keeps the dealer from taps that it would refuse.

import type { Kept } from "./outbox.js";
import { type Command, type Hit, type Line, type Play, type Round, stands } from "./state.js";

type Wager = Extract<Command, { command: "coin_in" }>["wagers"][number];

/** Chips before COIN IN: on the own hand, on the dealer's hand, the seats that get cards, and whose they are. */
export interface Chips {
  readonly own: readonly number[];
  readonly dealer: readonly number[];
  readonly dealt: readonly number[];
  /** Letter of the player of a seat. A player of several seats gets no envy for a hand of the own. */
  readonly players: Readonly<Record<number, string>>;
}

export const NO_CHIPS: Chips = { own: [], dealer: [], dealt: [], players: {} };

/** What a tap on a seat sets: a chip on the own or the dealer's hand, if it gets cards, or its player. */
export type ChipMode = "own" | "dealer" | "players" | "same";

/** Players of several seats that one table can have: each has two seats at least. */
const LETTERS = ["A", "B", "C"];

function toggled(seats: readonly number[], seat: number): readonly number[] {
  return seats.includes(seat) ? seats.filter((one) => one !== seat) : [...seats, seat].sort((a, b) => a - b);
}

function without(seats: readonly number[], seat: number): readonly number[] {
  return seats.filter((one) => one !== seat);
}

function withPlayer(players: Chips["players"], seat: number, letter: string | undefined): Chips["players"] {
  const others = Object.entries(players).filter(([one]) => Number(one) !== seat);
  return Object.fromEntries(letter === undefined ? others : [...others, [seat, letter]]);
}

/** Returns the chips after a tap on a seat. A chip makes its seat one that gets cards; a seat without cards has no chip. */
export function tapped(chips: Chips, seat: number, mode: ChipMode): Chips {
  if (mode === "players") {
    if (!chips.dealt.includes(seat)) return { ...chips, dealt: toggled(chips.dealt, seat) };
    return {
      own: without(chips.own, seat),
      dealer: without(chips.dealer, seat),
      dealt: without(chips.dealt, seat),
      players: withPlayer(chips.players, seat, undefined),
    };
  }
  const dealt = chips.dealt.includes(seat) ? chips.dealt : toggled(chips.dealt, seat);
  if (mode === "same") {
    const next = LETTERS[LETTERS.indexOf(chips.players[seat] ?? "") + 1];
    return { ...chips, dealt, players: withPlayer(chips.players, seat, next) };
  }
  return { ...chips, [mode]: toggled(chips[mode], seat), dealt };
}

export type Face = "empty" | "player" | "chip" | "sent" | "accepted" | "dealt" | "folding" | "folded";

export interface SeatFace {
  readonly seat: number;
  readonly face: Face;
  /** A wager on the dealer's hand: its chip, or its accepted wager. */
  readonly dealer: "chip" | "sent" | "accepted" | null;
  /** Standing hit of this hand by its rank. */
  readonly hit: Hit | null;
  /** Player of several seats. */
  readonly player: string | null;
}

function byRank(hit: Hit): boolean {
  return hit.kind === "line" || hit.kind === "envy";
}

/** Returns the standing hit of a hand by its rank; `null` is the dealer's hand. */
export function hitOn(round: Round, seat: number | null): Hit | null {
  return round.hits.find((hit) => stands(hit) && byRank(hit) && (hit.seat ?? null) === seat) ?? null;
}

/** Returns the seats whose fold waits for its outcome. */
export function folding(kept: Kept): readonly number[] {
  return kept.entries.flatMap(({ command }) => (command.command === "fold" ? command.seats : []));
}

function faceInRound(round: Round, seat: number, waiting: readonly number[]): SeatFace {
  const lit = round.seats.includes(seat);
  const dealt = round.dealt.includes(seat);
  const folded = round.folded.includes(seat) ? "folded" : waiting.includes(seat) ? "folding" : null;
  return {
    seat,
    face: dealt || lit ? (folded ?? (lit ? "accepted" : "dealt")) : "empty",
    dealer: round.dealer_seats.includes(seat) ? "accepted" : null,
    hit: hitOn(round, seat),
    player: round.players.find((one) => one.seat === seat)?.player ?? null,
  };
}

/** Returns the face of each seat. A seat is lit only after the server has accepted its wager. */
export function facesOf(kept: Kept, chips: Chips): readonly SeatFace[] {
  const table = kept.table;
  if (!table) return [];
  const seats = Array.from({ length: table.seats }, (_, index) => index + 1);
  if (table.round) {
    const round = table.round;
    const waiting = folding(kept);
    return seats.map((seat) => faceInRound(round, seat, waiting));
  }
  const coinIn = kept.entries.map(({ command }) => command).find((command) => command.command === "coin_in");
  if (coinIn) {
    const on = (seat: number, hand: string) =>
      coinIn.wagers.some((wager) => wager.seat === seat && (wager.on ?? "own") === hand);
    return seats.map((seat) => ({
      seat,
      face: on(seat, "own") ? "sent" : coinIn.dealt.includes(seat) ? "player" : "empty",
      dealer: on(seat, "dealer") ? "sent" : null,
      hit: null,
      player: coinIn.wagers.find((wager) => wager.seat === seat)?.player ?? null,
    }));
  }
  return seats.map((seat) => ({
    seat,
    face: chips.own.includes(seat) ? "chip" : chips.dealt.includes(seat) ? "player" : "empty",
    dealer: chips.dealer.includes(seat) ? "chip" : null,
    hit: null,
    player: chips.players[seat] ?? null,
  }));
}

/** The way a hand is keyed, or the reason that it can't be. */
export type Choice = "hit" | "envy" | "empty" | "noWager" | "folded" | "keyed" | "early";

/** Returns the position of a hand in turn order, smaller first: from the highest seat down, the dealer's after its first. */
function turnOf(round: Round, seat: number | null): number {
  return seat === null ? 0.5 - Math.max(0, ...round.dealer_seats) : -seat;
}

function isEarly(round: Round, seat: number | null): boolean {
  return round.hits.some(
    (hit) => stands(hit) && hit.kind === "line" && turnOf(round, hit.seat ?? null) > turnOf(round, seat),
  );
}

/** Returns the seats that get envy for a seat's hand: the wagers of all other players. */
function envious(round: Round, seat: number): readonly number[] {
  const playerOf = (one: number) => round.players.find((player) => player.seat === one)?.player ?? one;
  return round.seats.filter((one) => playerOf(one) !== playerOf(seat));
}

/** Returns the way to key a line for a seat, or for the dealer's hand (`null`). */
export function choiceOf(round: Round, play: Play, line: Line, seat: number | null): Choice {
  if (hitOn(round, seat)) return "keyed";
  if (seat === null) {
    if (round.dealer_seats.length === 0) return "noWager";
    return isEarly(round, null) ? "early" : "hit";
  }
  if (!round.dealt.includes(seat) && !round.seats.includes(seat)) return "empty";
  const folded = round.folded.includes(seat);
  const lit = round.seats.includes(seat);
  if (lit && !(folded && play.fold_award === "forfeited")) return isEarly(round, seat) ? "early" : "hit";
  if (folded && (play.fold_award === "kept" || !play.folded_hand_gives_envy)) return "folded";
  if (!line.envy || envious(round, seat).length === 0) return "noWager";
  return "envy";
}

/** A part of the round that has cards: a seat, the dealer's hand, or the board. */
export type Part = number | "dealer" | "community";

export function partsOf(round: Round, play: Play): readonly Part[] {
  const seats = [...new Set([...round.dealt, ...round.seats])].sort((one, other) => one - other);
  return [
    ...(play.cards.community > 0 ? (["community"] as const) : []),
    ...seats,
    ...(round.dealer_seats.length > 0 ? (["dealer"] as const) : []),
  ];
}

/** Returns the most cards of a part. */
export function needOf(part: Part, { cards }: Play): number {
  if (part === "community") return cards.community;
  return part === "dealer" ? cards.dealer_max : cards.own;
}

/** Returns true if a part has the cards that the server takes. */
export function isWhole(part: Part, count: number, play: Play): boolean {
  return count >= (part === "dealer" ? play.cards.dealer_min : needOf(part, play));
}

/** Choices of a hand that can neither win nor give envy. */
const OUT: readonly Choice[] = ["empty", "noWager", "folded"];

/** Returns true if the round can be settled without the cards of this part: a hand that can neither win nor give envy. */
export function isOptional(part: Part, round: Round, play: Play): boolean {
  if (typeof part !== "number") return false;
  return play.hands.every((line) => OUT.includes(choiceOf(round, play, line, part)));
}

/** Returns the hits that keep GAME OVER from closing the round: not decided, or with an undocumented slip. */
export function unsettled(round: Round): readonly Hit[] {
  return round.hits.filter((hit) => {
    if (hit.state === "pending") return true;
    if (hit.state !== "validated" && hit.state !== "validated_by_rule") return false;
    return hit.payouts.some((payout) => payout.handed_over === "slip" && !payout.payment?.paid);
  });
}

/** Returns true if the table itself can take this hit back: no person has decided it. */
export function isCancellable(hit: Hit): boolean {
  return hit.state === "pending" || hit.state === "validated_by_rule";
}

/** Returns the chips that follow a closed round: the same players, without chips. */
export function chipsAfter(dealt: readonly number[], players: Chips["players"]): Chips {
  return { own: [], dealer: [], dealt: [...dealt], players };
}

/** Returns the wagers of the chips on the felt. */
export function wagersOf({ own, dealer, players }: Chips, amount: string): Wager[] {
  const wager = (seat: number) => ({ seat, amount, ...(players[seat] ? { player: players[seat] } : {}) });
  return [...own.map(wager), ...dealer.map((seat) => ({ ...wager(seat), on: "dealer" as const }))];
}

/** Returns the chips of a coin-in, to be laid on the felt again. */
export function chipsOf(wagers: readonly Wager[], dealt: readonly number[]): Chips {
  const on = (hand: string) => wagers.filter((wager) => (wager.on ?? "own") === hand).map((wager) => wager.seat);
  const players = wagers.flatMap(({ seat, player }) => (player ? [[seat, player] as const] : []));
  return { own: on("own"), dealer: on("dealer"), dealt: [...dealt], players: Object.fromEntries(players) };
}
