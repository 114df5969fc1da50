// The cards of the picker: the deck, the cards that are used, and what typed letters mean.

import { RANKS, SUITS } from "../staff/cards.js";
import { type Play, type Round, stands } from "./state.js";

/** The place of a used card: a seat, the dealer's hand, the community, or the hand that is being picked. */
export type Place = { readonly seat: number } | "dealer" | "community" | "here";

/** Writes a card in one form: "10s" and "ts" are "Ts". */
export function canonical(card: string): string {
  const rank = card.slice(0, -1).toUpperCase();
  return `${rank === "10" ? "T" : rank}${card.slice(-1).toLowerCase()}`;
}

/** Returns the places of each card that the round's keyed hits have, but for those of the hand itself. */
export function usedIn(round: Round, play: Play, holder: number | null): Map<string, Place[]> {
  const used = new Map<string, Place[]>();
  const seen = new Set<number | null>();
  const add = (card: string, place: Place) => {
    const places = used.get(canonical(card));
    if (places) places.push(place);
    else used.set(canonical(card), [place]);
  };
  for (const hit of round.hits) {
    const seat = hit.seat ?? null;
    if (!stands(hit) || !hit.cards || seat === holder || seen.has(seat)) continue;
    seen.add(seat);
    for (const card of hit.cards.slice(0, play.cards.own)) add(card, seat === null ? "dealer" : { seat });
  }
  return used;
}

/** Returns the community cards that a keyed hit of the round has: they belong to every hand. */
export function communityOf(round: Round, play: Play): readonly string[] {
  const keyed = round.hits.find((hit) => stands(hit) && (hit.cards?.length ?? 0) > play.cards.own);
  return (keyed?.cards ?? []).slice(play.cards.own).map(canonical);
}

/** Returns the place of a card of which no copy is left; null if one is. */
export function takenBy(used: ReadonlyMap<string, readonly Place[]>, card: string, decks: number): Place | null {
  const places = used.get(card) ?? [];
  return places.length >= decks ? (places[0] ?? null) : null;
}

const RANK_KEYS: Readonly<Record<string, string>> = { "1": "T", "0": "T" };

/** Returns what a typed key makes of the rank typed before: a rank that waits for its suit, a card, or nothing. */
export function typed(rank: string | null, key: string): { rank: string | null; card: string | null } | null {
  const letter = key.toLowerCase();
  if (rank !== null && (SUITS as readonly string[]).includes(letter)) return { rank: null, card: `${rank}${letter}` };
  // "10" is typed as 1, then 0.
  const next = RANK_KEYS[key] ?? key.toUpperCase();
  if ((RANKS as readonly string[]).includes(next)) return { rank: next, card: null };
  return null;
}
