// The card picker: suits in rows, ranks in columns.

import type { Signal } from "@preact/signals";
import { cardParts } from "../staff/controls.js";
import { SuitIcon } from "../staff/icons.js";
import { useStaff } from "../staff/staff.js";
import { useWords } from "./words.js";

export const SUITS = ["s", "h", "d", "c"];
export const RANKS = ["A", "K", "Q", "J", "T", "9", "8", "7", "6", "5", "4", "3", "2"];

/** Cards that a hand has at most. */
export const CARDS_MOST = 7;

/** Moves the focus in two directions. */
function move(event: KeyboardEvent): void {
  const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -13, ArrowDown: 13 };
  const step = steps[event.key];
  const target = event.target;
  if (step === undefined || !(target instanceof HTMLElement)) return;
  const keys = [...(target.closest(".picker")?.querySelectorAll<HTMLElement>("button") ?? [])];
  keys[keys.indexOf(target) + step]?.focus();
  event.preventDefault();
  event.stopPropagation();
}

export function CardPicker({ cards }: { cards: Signal<readonly string[]> }) {
  const { t } = useWords();
  const { texts } = useStaff();

  function toggle(card: string): void {
    if (cards.value.includes(card)) cards.value = cards.value.filter((chosen) => chosen !== card);
    else if (cards.value.length < CARDS_MOST) cards.value = [...cards.value, card];
  }

  return (
    <div class="picker" role="group" aria-label={t.picker.name} onKeyDown={move}>
      {SUITS.flatMap((suit) =>
        RANKS.map((rank) => {
          const card = rank + suit;
          const parts = cardParts(card);
          return (
            <button
              key={card}
              type="button"
              class={`pick ${suit === "h" || suit === "d" ? "red" : ""}`}
              aria-pressed={cards.value.includes(card)}
              aria-label={texts.card(parts.rank, suit)}
              onClick={() => toggle(card)}
            >
              <span class="figure">{parts.rank}</span>
              <SuitIcon suit={suit} />
            </button>
          );
        }),
      )}
    </div>
  );
}
