// The card picker: the cards of the hand, the 52 keys, and typed cards. A card that is used can't be picked.

import { type Signal, signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { RANKS, SUITS, cardParts, cardText, isRed, moveCard } from "../staff/cards.js";
import { PlayingCard } from "../staff/controls.js";
import { SuitIcon } from "../staff/icons.js";
import { useStaff } from "../staff/staff.js";
import type { KeypadTexts } from "../text/keypad.js";
import { type Place, takenBy, typed } from "./cards.js";
import { useKeypad } from "./context.js";

/** What the picker fills. Each is read when it is needed: keys may come faster than the page is drawn. */
export interface PickerProps {
  cards(): readonly string[];
  /** Number of cards that the hand needs. */
  need(): number;
  /** Places of the cards that other hands have. */
  used(): ReadonlyMap<string, readonly Place[]>;
  decks: number;
  /** Number of own cards, after which the board's come. */
  own(): number;
  change(cards: readonly string[]): void;
}

function placeName(texts: KeypadTexts, place: Place): string {
  if (place === "dealer") return texts.dealer;
  if (place === "community") return texts.community;
  return place === "here" ? "" : texts.seat(place.seat);
}

/** Returns what keeps a card from being picked, in words; null if nothing does. */
function useReason(props: PickerProps): (card: string) => string | null {
  const { texts } = useKeypad();
  const staff = useStaff();
  return (card) => {
    const name = cardText(staff.texts, card);
    const picked = props.cards();
    if (picked.includes(card) && props.decks === 1) return texts.usedHere(name);
    const used = new Map(props.used());
    for (const one of picked) used.set(one, [...(used.get(one) ?? []), "here"]);
    const place = takenBy(used, card, props.decks);
    if (place === "here") return texts.usedHere(name);
    return place === null ? null : texts.usedBy(name, placeName(texts, place));
  };
}

/** The cards that were picked. Each is taken out by a tap. */
function Strip({ props, said }: { props: PickerProps; said: string | null }) {
  const { texts } = useKeypad();
  const staff = useStaff();
  const [cards, need, own] = [props.cards(), props.need(), props.own()];
  return (
    <div class="strip">
      {Array.from({ length: need }, (_, index) => {
        const card = cards[index];
        const gap = index === own && index > 0 ? "after-own" : "";
        if (!card)
          return (
            <div key={index} class={`slot ${gap}`}>
              {index === cards.length ? texts.nth(index) : ""}
            </div>
          );
        return (
          <button
            type="button"
            key={index}
            class={`picked ${gap}`}
            aria-label={cardText(staff.texts, card)}
            onClick={() => props.change(props.cards().filter((_, at) => at !== index))}
          >
            <PlayingCard card={card} width={80} />
          </button>
        );
      })}
      <div class="strip-words">
        <p class="headline">{texts.cardsOf(cards.length, need)}</p>
        <p role="status" class={said ? "said" : ""}>
          {said ?? (cards.length > 0 ? texts.takeOut : own < need ? texts.communityCards : "")}
        </p>
      </div>
    </div>
  );
}

function CardKey({
  card,
  reason,
  focus,
  pick,
}: {
  card: string;
  reason: string | null;
  focus: Signal<string>;
  pick(): void;
}) {
  const staff = useStaff();
  const { rank, suit } = cardParts(card);
  const name = cardText(staff.texts, card);
  return (
    <button
      type="button"
      class={`card-key ${isRed(suit) ? "red" : ""} ${reason ? "used" : ""}`}
      data-card={card}
      tabIndex={focus.value === card ? 0 : -1}
      aria-disabled={reason !== null}
      aria-label={reason ?? name}
      onClick={pick}
      onFocus={() => (focus.value = card)}
    >
      <span class="figure" aria-hidden="true">
        {rank}
      </span>
      <SuitIcon suit={suit} />
    </button>
  );
}

/** Types cards: rank, then suit; backspace takes the last card out. */
function useTyping(pick: (card: string) => void, takeLast: () => void, say: (text: string | null) => void): void {
  const { session, texts } = useKeypad();
  const rank = useRef<string | null>(null);
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !session.device.value.letters) return;
      if ((event.target as HTMLElement).matches("input")) return;
      if (event.key === "Backspace") return takeLast();
      if (event.key === "Enter" && !(event.target as HTMLElement).matches("button"))
        return document.querySelector<HTMLButtonElement>(".main-action:enabled")?.click();
      const next = typed(rank.current, event.key);
      if (!next) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      rank.current = next.rank;
      if (next.card) pick(next.card);
      else if (next.rank) say(texts.typedRank(next.rank === "T" ? "10" : next.rank));
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
}

const said = signal<string | null>(null);
const focus = signal("As");

/** Clears what the picker said last, when another hand is begun. */
export function resetPicker(): void {
  said.value = null;
}

export function Picker(props: PickerProps) {
  const { texts } = useKeypad();
  const reason = useReason(props);
  const pick = (card: string) => {
    const why = reason(card) ?? (props.cards().length >= props.need() ? texts.full(props.need()) : null);
    said.value = why;
    if (why === null) props.change([...props.cards(), card]);
  };
  useTyping(
    pick,
    () => props.change(props.cards().slice(0, -1)),
    (text) => (said.value = text),
  );
  return (
    <>
      <Strip props={props} said={said.value} />
      <div class="picker" onKeyDown={moveCard}>
        {SUITS.map((suit) => (
          <div class="suit-row" key={suit}>
            <span class={`suit-mark ${isRed(suit) ? "red" : ""}`}>
              <SuitIcon suit={suit} />
            </span>
            {RANKS.map((rank) => (
              <CardKey
                key={rank}
                card={`${rank}${suit}`}
                reason={reason(`${rank}${suit}`)}
                focus={focus}
                pick={() => pick(`${rank}${suit}`)}
              />
            ))}
          </div>
        ))}
      </div>
    </>
  );
}
