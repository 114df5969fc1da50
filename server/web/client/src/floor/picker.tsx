// The card picker: suits in rows, ranks in columns.

import type { Signal } from "@preact/signals";
import { RANKS, SUITS, cardParts, cardText, isRed, moveCard } from "../staff/cards.js";
import { SuitIcon } from "../staff/icons.js";
import { useStaff } from "../staff/staff.js";
import { useWords } from "./words.js";

/** Cards that a hand has at most. */
const CARDS_MOST = 7;

/** Picks a card, or takes it out again. A full hand takes none. */
export function toggleCard(cards: Signal<readonly string[]>, card: string): void {
  if (cards.value.includes(card)) cards.value = cards.value.filter((chosen) => chosen !== card);
  else if (cards.value.length < CARDS_MOST) cards.value = [...cards.value, card];
}

export function CardPicker({ cards }: { cards: Signal<readonly string[]> }) {
  const { t } = useWords();
  const { texts } = useStaff();
  return (
    <div class="picker" role="group" aria-label={t.picker.name} onKeyDown={moveCard}>
      {SUITS.flatMap((suit) =>
        RANKS.map((rank) => {
          const card = rank + suit;
          return (
            <button
              key={card}
              type="button"
              class={`pick ${isRed(suit) ? "red" : ""}`}
              data-card={card}
              aria-pressed={cards.value.includes(card)}
              aria-label={cardText(texts, card)}
              onClick={() => toggleCard(cards, card)}
            >
              <span class="figure">{cardParts(card).rank}</span>
              <SuitIcon suit={suit} />
            </button>
          );
        }),
      )}
    </div>
  );
}
