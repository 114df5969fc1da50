// The cards that a supervisor sees, where the dealer keyed none: a suit, then ranks, on keys that a finger meets.

import { type Signal, useSignal } from "@preact/signals";
import { RANKS, SUITS, cardParts, cardText, isRed } from "../staff/cards.js";
import { Button, PlayingCard } from "../staff/controls.js";
import { SuitIcon } from "../staff/icons.js";
import { useStaff } from "../staff/staff.js";
import { useKey } from "./keys.js";
import type { Hit } from "./model.js";
import { toggleCard } from "./picker.js";
import { amountOf } from "./sum.js";
import { useWords } from "./words.js";

interface CardsProps {
  hit: Hit;
  cards: Signal<readonly string[]>;
  next(): void;
  back(): void;
}

export function CardsForm({ hit, cards, next, back }: CardsProps) {
  const { t, money } = useWords();
  const { texts } = useStaff();
  const suit = useSignal("s");
  useKey("Escape", back);

  return (
    <div class="step">
      <h2 tabIndex={-1}>{t.decision.cardsTitle}</h2>
      <div class="chosen" aria-live="polite">
        {cards.value.map((card) => (
          <PlayingCard key={card} card={card} width={40} />
        ))}
      </div>
      <div class="suit-keys" role="group" aria-label={t.picker.name} data-arrows>
        {SUITS.map((name) => (
          <button
            key={name}
            type="button"
            class={`pick ${isRed(name) ? "red" : ""}`}
            aria-pressed={suit.value === name}
            aria-label={t.suits[name]}
            onClick={() => (suit.value = name)}
          >
            <SuitIcon suit={name} />
          </button>
        ))}
      </div>
      <div class="rank-keys" data-arrows>
        {RANKS.map((rank) => {
          const card = rank + suit.value;
          return (
            <button
              key={card}
              type="button"
              class="pin-key figure"
              aria-pressed={cards.value.includes(card)}
              aria-label={cardText(texts, card)}
              onClick={() => toggleCard(cards, card)}
            >
              {cardParts(card).rank}
            </button>
          );
        })}
      </div>
      <Button kind="go" class="push" disabled={cards.value.length === 0} onClick={next}>
        {t.decision.withCards(money(amountOf(hit)))}
      </Button>
      <Button kind="quiet" onClick={back}>
        {t.decision.back}
      </Button>
    </div>
  );
}
