// The felt as numbers and words: where each seat is, and what is known about it.

import type { Hit, Round } from "./model.js";

export const FELT_WIDTH = 640;
export const FELT_HEIGHT = 430;

/** Centre and half axes of the arc on which the seats are. */
const ARC = { x: 320, y: 272, halfWidth: 260, halfHeight: 226 };
/** Angle by which the outer seats stay above the dealer's line, in degrees. */
const OUTER_DEGREES = 4;
/** Exponent that makes the arc's shoulders wide, as on a felt. */
const SHOULDER = 0.64;

export type SeatWord = "wager" | "noWager" | "folded" | "empty" | "unknown";

export interface FeltSeat {
  seat: number;
  x: number;
  y: number;
  word: SeatWord;
  /** True if the hit's hand is this seat's. */
  won: boolean;
  /** Amount of envy that the seat gets, as the API says it. */
  envy: string | null;
}

/** Facts of a round, open or past. */
export type RoundFacts = Pick<Round, "seats" | "dealer_seats" | "dealt" | "folded">;

/** Returns where a seat is: seat 1 left of the dealer, the highest right. */
export function seatPlace(seat: number, seats: number): { x: number; y: number } {
  const span = 180 - 2 * OUTER_DEGREES;
  const degrees = seats < 2 ? 90 : 180 - OUTER_DEGREES - (span * (seat - 1)) / (seats - 1);
  const radians = (degrees * Math.PI) / 180;
  const wide = (value: number) => Math.sign(value) * Math.abs(value) ** SHOULDER;
  return {
    x: Math.round(ARC.x + ARC.halfWidth * wide(Math.cos(radians))),
    y: Math.round(ARC.y - ARC.halfHeight * wide(Math.sin(radians))),
  };
}

/** Returns what is known about a seat. Without its round, only the seats of payouts are known to have wagered. */
export function seatWord(seat: number, round: RoundFacts | null, hit: Hit | null): SeatWord {
  if (!round) {
    const pays = hit?.payouts.some((row) => row.seat === seat) ?? false;
    return pays ? "wager" : "unknown";
  }
  if (round.folded.includes(seat)) return "folded";
  if (round.seats.includes(seat)) return "wager";
  return round.dealt.includes(seat) ? "noWager" : "empty";
}

/** Returns the seats of a table as the dealer's side shows them. */
export function feltSeats(seats: number, round: RoundFacts | null, hit: Hit | null): FeltSeat[] {
  return Array.from({ length: seats }, (_, index) => {
    const seat = index + 1;
    const envy = hit?.payouts.find((row) => row.kind === "envy" && row.seat === seat)?.amount ?? null;
    const won = hit !== null && !hit.dealer && hit.seat === seat;
    return { seat, ...seatPlace(seat, seats), word: seatWord(seat, round, hit), won, envy };
  });
}
