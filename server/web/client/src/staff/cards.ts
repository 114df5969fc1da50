// Cards as the pages for staff write and lay them out: suits in rows, ranks in columns.

import type { StaffTexts } from "../text/staff.en.js";

export const RANKS = ["A", "K", "Q", "J", "T", "9", "8", "7", "6", "5", "4", "3", "2"] as const;
export const SUITS = ["s", "h", "c", "d"] as const;

/** Splits a card as the API writes it ("As", "Td", "10d") into rank and suit. */
export function cardParts(card: string): { rank: string; suit: string } {
  const rank = card.slice(0, -1).toUpperCase();
  return { rank: rank === "T" ? "10" : rank, suit: card.slice(-1).toLowerCase() };
}

export function isRed(suit: string): boolean {
  return suit === "h" || suit === "d";
}

/** Writes a card for a person: "ace of spades". */
export function cardText(texts: StaffTexts, card: string): string {
  const { rank, suit } = cardParts(card);
  return texts.card(rank, suit);
}

const MOVES: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Returns the card that an arrow key reaches in the rows and columns; it stops at the edge. */
export function neighbour(card: string, key: string): string {
  const row = SUITS.indexOf(card.slice(-1) as (typeof SUITS)[number]);
  const column = RANKS.indexOf(card.slice(0, -1) as (typeof RANKS)[number]);
  const [down, right] = MOVES[key] ?? [0, 0];
  const suit = SUITS[Math.min(Math.max(row + down, 0), SUITS.length - 1)] ?? "s";
  const rank = RANKS[Math.min(Math.max(column + right, 0), RANKS.length - 1)] ?? "A";
  return `${rank}${suit}`;
}

/** Moves the focus to the card that an arrow key reaches; each key of the picker has its card as `data-card`. */
export function moveCard(event: KeyboardEvent): void {
  const { card } = (event.target as HTMLElement).dataset;
  if (!card || !(event.key in MOVES)) return;
  event.preventDefault();
  event.stopPropagation();
  const next = `[data-card="${neighbour(card, event.key)}"]`;
  (event.currentTarget as HTMLElement).querySelector<HTMLElement>(next)?.focus();
}
