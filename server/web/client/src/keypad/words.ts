// Commands and hits in words.

import { count } from "../staff/staff.js";
import { type KeypadTexts, handText, levelText } from "../text/keypad.js";
import { type Command, type Hit, type Line, type Round, stands } from "./state.js";

/** Writes a seat, or the dealer's hand (`null`). */
export function placeText(texts: KeypadTexts, seat: number | null): string {
  return seat === null ? texts.dealer : texts.seat(seat);
}

/** Writes a hit: "Royal flush, seat 3". */
export function hitText(texts: KeypadTexts, hit: Hit): string {
  const place = placeText(texts, hit.seat ?? null);
  if (hit.hand === null || hit.hand === undefined) return texts.hitAt(handText(texts, hit.kind), place);
  const hand = handText(texts, hit.hand);
  return texts.hitAt(hit.kind === "envy" ? texts.envyHit(hand) : hand, place);
}

/** Writes a command as the dealer would say it. */
export function commandText(texts: KeypadTexts, command: Command, round: Round | null): string {
  switch (command.command) {
    case "coin_in":
      return texts.commandChips(command.wagers.length);
    case "count":
      return texts.commandCount(command.chips);
    case "fold":
      return texts.commandFold(command.seats);
    case "hit":
      return texts.hitAt(handText(texts, command.hand), placeText(texts, command.seat ?? null));
    case "envy":
      return texts.hitAt(texts.commandEnvy(handText(texts, command.hand)), texts.seat(command.seat));
    case "bonus":
      return texts.hitAt(handText(texts, command.kind), placeText(texts, command.seat ?? null));
    case "settle":
      return texts.commandSettle;
    case "cancel_hit": {
      const hit = round?.hits.find((one) => one.hit === command.hit);
      return texts.commandTakeBack(hit ? hitText(texts, hit) : command.hit);
    }
    case "close":
      return texts.gameOver;
    case "void":
      return texts.commandVoid(texts.voidReasons[command.reason] ?? command.reason);
  }
}

/** Writes what a line pays, without an amount. */
export function paysText(texts: KeypadTexts, line: Line, locale: string): string {
  if (line.percent && line.level) return texts.percentOf(line.percent, levelText(texts, line.level));
  return oddsText(texts, line.for_one, locale);
}

/** Writes fixed odds; nothing where there are none. */
export function oddsText(texts: KeypadTexts, odds: number | null | undefined, locale: string): string {
  return odds ? texts.forOne(count(odds, locale)) : "";
}

/** Returns true if an amount of the API is not zero. */
export function isDue(amount: string): boolean {
  return /[1-9]/.test(amount);
}

type Payout = Hit["payouts"][number];

/** Groups payouts of one amount and way, in the order of payment. */
export function grouped(payouts: readonly Payout[]): readonly (readonly Payout[])[] {
  const groups: Payout[][] = [];
  for (const payout of payouts) {
    const last = groups.at(-1);
    if (last?.[0]?.amount === payout.amount && last[0].handed_over === payout.handed_over) last.push(payout);
    else groups.push([payout]);
  }
  return groups;
}

/** Returns true if the hit's own award is paid. Its envy may still be left. */
export function isHandPaid(hit: Hit): boolean {
  if (hit.state === "paid") return true;
  const own = hit.payouts.filter((payout) => payout.kind !== "envy");
  return stands(hit) && own.length > 0 && own.every((payout) => payout.payment?.paid);
}

/** Returns what the dealer does about a hit's own award. */
export function payHint(texts: KeypadTexts, hit: Hit): string {
  const own = hit.payouts.find((payout) => payout.kind !== "envy");
  if (hit.state === "pending")
    return own?.handed_over === "slip" ? texts.payHints.pendingSlip : texts.payHints.pendingRack;
  if (isHandPaid(hit)) {
    const envy = hit.payouts.find((payout) => payout.kind === "envy" && !payout.payment?.paid);
    return envy && hit.state !== "paid" ? texts.envyLeft(texts.fromWay[envy.handed_over]) : texts.payHints.paid;
  }
  if (!hit.state.startsWith("validated")) return texts.payHints.nothing;
  return own ? texts.payHints[own.handed_over] : "";
}
