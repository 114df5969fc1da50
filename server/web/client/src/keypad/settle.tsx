// The panel that settles the whole round by its cards.

import { useState } from "preact/hooks";
import { Button } from "../staff/controls.js";
import { type Place, communityOf, usedIn } from "./cards.js";
import { useKeypad } from "./context.js";
import { PanelHead } from "./hand.js";
import type { Paytable } from "./paytable.js";
import { Picker } from "./picker.js";
import type { Command, Round, Table } from "./state.js";

/** A part of the round that has cards: a seat, the dealer's hand, or the board. */
type Part = number | "dealer" | "community";

function partsOf(round: Round, paytable: Paytable): readonly Part[] {
  const seats = [...new Set([...round.dealt, ...round.seats])].sort((one, other) => one - other);
  return [
    ...(paytable.community > 0 ? (["community"] as const) : []),
    ...seats,
    ...(round.dealer_seats.length > 0 ? (["dealer"] as const) : []),
  ];
}

function needOf(part: Part, paytable: Paytable): number {
  if (part === "community") return paytable.community;
  return part === "dealer" ? paytable.dealer : paytable.own;
}

/** Returns true if the round can be settled without the cards of this part: a hand that can neither win nor give envy. */
function isOptional(part: Part, round: Round, paytable: Paytable): boolean {
  if (typeof part !== "number") return false;
  const gives = paytable.lines.some((line) => line.envy !== null) && round.seats.some((seat) => seat !== part);
  const folded = round.folded.includes(part);
  if (round.seats.includes(part) && (!folded || paytable.foldKeepsAward)) return false;
  return !gives || (folded && (paytable.foldKeepsAward || !paytable.foldedGivesEnvy));
}

export type Cards = ReadonlyMap<Part, readonly string[]>;

function usedElsewhere(cards: Cards, part: Part): Map<string, Place[]> {
  const used = new Map<string, Place[]>();
  for (const [other, picked] of cards)
    if (other !== part)
      for (const card of picked)
        used.set(card, [...(used.get(card) ?? []), typeof other === "number" ? { seat: other } : other]);
  return used;
}

function commandOf(cards: Cards): Command {
  const seats = [...cards].flatMap(([part, picked]) =>
    typeof part === "number" && picked.length > 0 ? [{ seat: part, cards: [...picked] }] : [],
  );
  const dealer = cards.get("dealer") ?? [];
  const community = cards.get("community") ?? [];
  return {
    command: "settle",
    seats,
    ...(dealer.length > 0 ? { dealer: [...dealer] } : {}),
    ...(community.length > 0 ? { community: [...community] } : {}),
  };
}

function PartKey(props: { part: Part; have: number; need: number; chosen: boolean; choose(): void }) {
  const { texts } = useKeypad();
  const name =
    props.part === "dealer" ? texts.dealer : props.part === "community" ? texts.community : String(props.part);
  const full = props.have === props.need;
  return (
    <button
      type="button"
      class={`seat-choice ${props.chosen ? "chosen" : ""} ${full ? "complete" : ""}`}
      aria-pressed={props.chosen}
      aria-label={`${typeof props.part === "number" ? texts.seat(props.part) : name}, ${texts.cardsOf(props.have, props.need)}`}
      onClick={props.choose}
    >
      <span class="figure">{name}</span>
      <small>{full ? texts.handComplete : `${props.have}/${props.need}`}</small>
    </button>
  );
}

function SettleForm({ table, round, paytable }: { table: Table; round: Round; paytable: Paytable }) {
  const { session, texts, panel } = useKeypad();
  const parts = partsOf(round, paytable);
  const [cards, setCards] = useState<Cards>(new Map([["community", communityOf(round, paytable)]]));
  const [part, choose] = useState<Part>(parts[0] ?? 1);
  const count = (one: Part, all: Cards) => (all.get(one) ?? []).length;
  const missing = parts.filter((one) => {
    const have = count(one, cards);
    return have !== needOf(one, paytable) && !(have === 0 && isOptional(one, round, paytable));
  });
  const change = (next: readonly string[]) => {
    const all = new Map(cards).set(part, next);
    setCards(all);
    if (next.length < needOf(part, paytable)) return;
    const following = [...parts.slice(parts.indexOf(part) + 1), ...parts];
    const open = following.find((one) => count(one, all) < needOf(one, paytable));
    if (open !== undefined) choose(open);
  };
  const badgeMissing = session.link.value?.settings?.badge_required === true && session.device.value.badge === null;
  const ready = missing.length === 0 && !badgeMissing;
  const close = () => (panel.value = null);
  const used = usedElsewhere(cards, part);
  for (const [card, places] of usedIn(round, paytable, typeof part === "number" ? part : -1))
    used.set(card, [...(used.get(card) ?? []), ...places]);
  return (
    <main class="whole hand-panel">
      <PanelHead title={texts.settleTitle} hint={texts.settleHint} close={close}>
        <div class="seat-choices" role="group" aria-label={texts.seatLabel}>
          {parts.map((one) => (
            <PartKey
              key={one}
              part={one}
              have={count(one, cards)}
              need={needOf(one, paytable)}
              chosen={one === part}
              choose={() => choose(one)}
            />
          ))}
        </div>
      </PanelHead>
      <Picker
        cards={cards.get(part) ?? []}
        need={needOf(part, paytable)}
        own={needOf(part, paytable)}
        used={used}
        decks={table.decks}
        change={change}
      />
      <div class="actions panel-actions">
        <Button kind="quiet" onClick={close}>
          {texts.cancel}
        </Button>
        <span />
        <Button
          kind={ready ? "go" : "plain"}
          class="main-action"
          disabled={!ready}
          onClick={() => void session.tap(commandOf(cards)).then((taken) => taken && close())}
        >
          {badgeMissing
            ? texts.keyBadgeMissing(texts.settleTitle)
            : ready
              ? texts.settleNow
              : texts.settleMissing(missing.length)}
        </Button>
      </div>
    </main>
  );
}

export function SettlePanel() {
  const { session } = useKeypad();
  const { table } = session.kept.value;
  const paytable = session.paytable.value;
  if (!table?.round || !paytable) return null;
  return <SettleForm table={table} round={table.round} paytable={paytable} />;
}
