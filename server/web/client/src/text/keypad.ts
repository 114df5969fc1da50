// The shape of the keypad's texts, and the texts of a locale.

import type { Choice } from "../keypad/round.js";
import { en } from "./keypad.en.js";
import { es } from "./keypad.es.js";
import { type Names, named } from "./names.js";
import { textsIn } from "./staff.js";

/** Reason that COIN IN can't be pressed. */
export type Obstacle =
  | "unplayable"
  | "waiting"
  | "round"
  | "chips"
  | "suspended"
  | "closed"
  | "faulted"
  | "unavailable"
  | "level"
  | "disabled"
  | "left"
  | "lost";

export interface KeypadTexts {
  title(table: string): string;
  hands: Names;
  levels: Names;
  seat(seat: number): string;
  seats(seats: readonly number[]): string;
  dealer: string;
  community: string;
  /** A round by its name, as the floor and the books have it: "C4P-07.12". */
  round(name: string): string;
  // Top bar
  open: string;
  locked: string;
  settling: string;
  unplayable: string;
  lost: string;
  disabled: string;
  left: string;
  linkStates: Readonly<Record<string, string>>;
  allSent: string;
  stateHints: Readonly<Record<"open" | "locked" | "settling", string>>;
  waiting(count: number): string;
  badgeMissing: string;
  // Seats
  faces: Readonly<
    Record<"empty" | "player" | "chip" | "sent" | "accepted" | "dealt" | "folding" | "folded" | "dealerChip", string>
  >;
  chips(count: number): string;
  chipsHint: string;
  /** Said while no chip lies on the felt, and seats have players of the round before. */
  dealtHint: string;
  chipHint(wager: string): string;
  dealerHint: string;
  playersHint: string;
  sameHint: string;
  player(letter: string): string;
  modes: Readonly<Record<"own" | "dealer" | "players" | "same", string>>;
  modesLabel: string;
  modeTitles: Readonly<Record<"own" | "dealer" | "players" | "same", string>>;
  accepted(count: number): string;
  levelIs(level: string): string;
  unanswered: string;
  unansweredHint: string;
  luckyAt(place: string): string;
  // Keys
  coinIn: string;
  coinInChips(count: number, wager: string): string;
  obstacles: Readonly<Record<Obstacle, string>>;
  gameOver: string;
  gameOverWaits(count: number): string;
  gameOverSent: string;
  void: string;
  fold: string;
  foldSeats(seats: readonly number[]): string;
  foldHint: string;
  count: string;
  settle: string;
  percentOf(percent: number, level: string): string;
  forOne(odds: string): string;
  noPaytable: string;
  noPaytableHint: string;
  // Panels
  back: string;
  cancel: string;
  cardsOf(have: number, need: number): string;
  takeOut: string;
  nth(index: number): string;
  communityCards: string;
  key(hand: string): string;
  keyEnvy(hand: string): string;
  keyMissing(hand: string, missing: number): string;
  keySeatMissing(hand: string): string;
  keyBadgeMissing(hand: string): string;
  keyWithoutCards: string;
  seatChoices: Readonly<Record<Choice, string>>;
  chosen: string;
  seatLabel: string;
  envyAlone: string;
  usedBy(card: string, place: string): string;
  usedHere(card: string): string;
  full(count: number): string;
  typedRank(rank: string): string;
  settleTitle: string;
  settleHint: string;
  settleNow: string;
  settleMissing(missing: number): string;
  handComplete: string;
  voidTitle: string;
  voidHint: string;
  voidReasons: Readonly<Record<string, string>>;
  countTitle: string;
  countHint(accepted: number): string;
  countSend(chips: number): string;
  countDigits: string;
  countDiffers(chips: number, accepted: number): string;
  countSame(chips: number): string;
  takeBackTitle(hit: string): string;
  takeBackHint: string;
  takeBack: string;
  keepHit: string;
  // Hits
  states: Readonly<Record<string, string>>;
  hitAt(hand: string, place: string): string;
  envyHit(hand: string): string;
  payHints: Readonly<
    Record<"pendingSlip" | "pendingRack" | "slip" | "rack" | "game_account" | "paid" | "nothing", string>
  >;
  /** Envy is paid after the hand's own award, or alone. `way` is one of `fromWay`. */
  envyOrder(seats: readonly number[], after: boolean, way: string): string;
  envyTitle: string;
  /** The hand is paid, and its envy is not. `way` is one of `fromWay`. */
  envyLeft(way: string): string;
  times(count: number, amount: string): string;
  mistake: string;
  another: string;
  hitOf(index: number, count: number): string;
  nextHit: string;
  lastRound(what: string): string;
  fromWay: Readonly<Record<"slip" | "rack" | "game_account", string>>;
  noHits: string;
  voided: string;
  noteOpen: string;
  noteLocked: string;
  notePanels: Readonly<Partial<Record<string, string>>>;
  notePending: string;
  noteSlip: string;
  notePay: string;
  notePaid: string;
  noteUndone: string;
  // No answer
  takeNoChips: string;
  takeNoChipsSince(time: string): string;
  roundStays: string;
  roundStaysHint(count: number): string;
  noRound: string;
  noRoundHint: string;
  coinInWaits: string;
  coinInWaitsHint: string;
  waitHere(count: number): string;
  nothingWaits: string;
  kept: string;
  tryingAgain(seconds: number): string;
  tryingNow: string;
  countOnce: string;
  openRound: string;
  showTable: string;
  tryNow: string;
  serverSays(detail: string): string;
  // Commands
  commandChips(count: number): string;
  commandFold(seats: readonly number[]): string;
  commandCount(chips: number): string;
  commandSettle: string;
  commandTakeBack(hit: string): string;
  commandVoid(reason: string): string;
  commandEnvy(hand: string): string;
  notCounted(command: string): string;
  /** The hand that refused cards make, and if the paytable pays for it. */
  cardsMake(hand: string, wins: boolean): string;
  change: string;
  read: string;
  contradictionTitle: string;
  contradictionGap: string;
  contradictionOther: string;
  contradictionHint(command: string): string;
  contradictionLater(count: number): string;
  sendNext: string;
  drop: string;
  notKept: string;
  // Device
  tokenTitle(table: string): string;
  tokenHint: string;
  noSuchTable(table: string): string;
  noSuchTableHint: string;
  token: string;
  tokenUse: string;
  tokenEmpty: string;
  tokenRefused: string;
  tokenOther: string;
  device: string;
  badge: string;
  badgeHint: string;
  badgeWrong: string;
  badgeUse: string;
  letters: string;
  /** Each letter, and what it does. */
  letterList: readonly (readonly [string, string])[];
  /** If the page opens while the server is away. */
  pageKept(kept: boolean): string;
  forget: string;
  forgetHint(waiting: number): string;
  forgetNow: string;
  elsewhere: string;
  elsewhereHint: string;
  takeOver: string;
  noDisk: string;
  noDiskHint: string;
  starting: string;
  unknownTable: string;
  unknownTableHint: string;
}

export function keypadTextsOf(locale: string): KeypadTexts {
  return textsIn(locale, { en, es });
}

/** Returns the name of a hand or of a bonus. */
export function handText(texts: KeypadTexts, hand: string): string {
  return named(texts.hands, hand);
}

export function levelText(texts: KeypadTexts, level: string): string {
  return named(texts.levels, level);
}
