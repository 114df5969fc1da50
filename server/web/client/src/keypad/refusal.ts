// What the dealer may do about a refused command: key the hand that the cards make, or take up the draft again.

import type { HandDraft } from "./context.js";
import type { RefusedCommand } from "./outbox.js";
import { type Command, type Play, type Round, roundNumber } from "./state.js";

type Keyed = Extract<Command, { command: "hit" | "envy" }>;

/** Returns the keyed hand of a refused command if it belongs to the open round: no hand is keyed into a later one. */
export function keyedIn(round: Round | null | undefined, { command, sequence }: RefusedCommand): Keyed | null {
  if (command.command !== "hit" && command.command !== "envy") return null;
  return round && sequence > Number(roundNumber(round.round)) ? command : null;
}

/** Returns the hand that the cards make, if the server refused them for another one. */
export function foundHand({ refusal }: RefusedCommand): string | null {
  return refusal.code === "wrong_hand" || refusal.code === "not_a_winner" ? (refusal.fields["found"] ?? null) : null;
}

/** Returns the command for the hand that the cards make; null if the paytable has no line for it. */
export function correctedBy(command: Keyed, found: string, play: Play | null): Keyed | null {
  const line = play?.hands.find((one) => one.hand === found);
  return line ? { ...command, hand: line.hand } : null;
}

/** Returns the panel that keys the hand again, with its seat and cards. */
export function draftOf(command: Keyed): HandDraft {
  const seat = command.seat ?? null;
  return { kind: "hand", hand: command.hand, seat, ...(command.cards ? { cards: command.cards } : {}) };
}
