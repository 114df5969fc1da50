// The panel that keys one winning hand: its seat, then its cards.

import { useState } from "preact/hooks";
import { Button } from "../staff/controls.js";
import { Icon } from "../staff/icons.js";
import { handText } from "../text/keypad.js";
import { money } from "../staff/staff.js";
import { communityOf, usedIn } from "./cards.js";
import { useKeypad } from "./context.js";
import type { Line, Paytable } from "./paytable.js";
import { Picker, resetPicker } from "./picker.js";
import { type Choice, choiceOf } from "./round.js";
import type { Command, Round, Table } from "./state.js";
import { paysText, placeText } from "./words.js";

/** A seat that is chosen: a number, the dealer's hand (`null`), or none so far. */
type Chosen = number | null | undefined;

interface HandProps {
  table: Table;
  round: Round;
  paytable: Paytable;
  line: Line;
}

export function PanelHead(props: { title: string; hint: string; close(): void; children?: preact.ComponentChildren }) {
  const { texts } = useKeypad();
  return (
    <div class="panel-head">
      <button type="button" class="button quiet back" aria-label={texts.back} onClick={props.close}>
        <Icon name="back" />
      </button>
      <div class="panel-title">
        <h2 tabIndex={-1} ref={focusOnce}>
          {props.title}
        </h2>
        <p class="secondary">{props.hint}</p>
      </div>
      {props.children}
    </div>
  );
}

/** Focuses a panel's heading when the panel opens, and not again when it changes. */
function focusOnce(heading: HTMLElement | null): void {
  if (!heading || heading.dataset["seen"]) return;
  heading.dataset["seen"] = "yes";
  heading.focus({ preventScroll: true });
}

function SeatChoice(props: { seat: number | null; choice: Choice; chosen: boolean; choose(): void }) {
  const { texts } = useKeypad();
  const possible = props.choice === "hit" || props.choice === "envy";
  const word = props.chosen ? texts.chosen : props.choice === "hit" ? "" : texts.seatChoices[props.choice];
  return (
    <button
      type="button"
      class={`seat-choice ${props.chosen ? "chosen" : ""}`}
      disabled={!possible}
      aria-pressed={props.chosen}
      aria-label={`${placeText(texts, props.seat)}, ${texts.seatChoices[props.choice]}`}
      onClick={props.choose}
    >
      <span class="figure">{props.seat ?? texts.dealer}</span>
      {word && <small>{word}</small>}
    </button>
  );
}

function hintOf(props: HandProps, texts: ReturnType<typeof useKeypad>["texts"], locale: string): string {
  const level = props.table.levels.find(({ level }) => level === props.line.level);
  const pays = paysText(texts, props.line);
  return level && props.line.percent === 100 ? `${pays}, ${money(level.amount, locale)}` : pays;
}

function commandOf(line: Line, seat: number | null, envy: boolean, cards: readonly string[] | null): Command {
  const hand = line.hand as Extract<Command, { command: "hit" }>["hand"];
  const shown = cards ? { cards: [...cards] } : {};
  if (envy && seat !== null) return { command: "envy", seat, hand, ...shown };
  return seat === null ? { command: "hit", dealer: true, hand, ...shown } : { command: "hit", seat, hand, ...shown };
}

function HandForm(props: HandProps) {
  const { session, texts, locale, panel } = useKeypad();
  const { table, round, paytable, line } = props;
  const places: readonly (number | null)[] = [
    ...Array.from({ length: table.seats }, (_, index) => index + 1),
    ...(round.dealer_seats.length > 0 ? [null] : []),
  ];
  const choices = new Map(places.map((seat) => [seat, choiceOf(round, paytable, line, seat)] as const));
  const possible = places.filter((seat) => ["hit", "envy"].includes(choices.get(seat) ?? ""));
  const wagers = places.filter((seat) => choices.get(seat) === "hit");
  const [chosen, choose] = useState<Chosen>(wagers.length === 1 ? wagers[0] : undefined);
  const community = communityOf(round, paytable);
  const [own, setCards] = useState<readonly string[]>([]);
  const need = paytable.own + paytable.community;
  // The board is the same for every hand: it is filled in once the own cards are there.
  const cards = own.length === paytable.own ? [...own, ...community.filter((card) => !own.includes(card))] : own;
  const seat = chosen !== undefined && possible.includes(chosen) ? chosen : undefined;
  const envy = seat !== undefined && choices.get(seat) === "envy";
  const badgeMissing = session.link.value?.settings?.badge_required === true && session.device.value.badge === null;
  const hand = handText(texts, line.hand);
  const ready = seat !== undefined && !badgeMissing;
  const close = () => (panel.value = null);
  const key = async (withCards: boolean) => {
    if (seat === undefined) return;
    if (await session.tap(commandOf(line, seat, envy, withCards ? cards : null))) close();
  };
  const label = badgeMissing
    ? texts.keyBadgeMissing(hand)
    : seat === undefined
      ? texts.keySeatMissing(hand)
      : cards.length < need
        ? texts.keyMissing(hand, need - cards.length)
        : envy
          ? texts.keyEnvy(hand)
          : texts.key(hand);
  return (
    <main class="whole hand-panel">
      <PanelHead title={hand} hint={envy ? texts.envyAlone : hintOf(props, texts, locale)} close={close}>
        <div class="seat-choices" role="group" aria-label={texts.seatLabel}>
          <span class="secondary">{texts.seatLabel}</span>
          {places.map((place) => (
            <SeatChoice
              key={place}
              seat={place}
              choice={choices.get(place) ?? "empty"}
              chosen={seat === place}
              choose={() => choose(place)}
            />
          ))}
        </div>
      </PanelHead>
      <Picker
        cards={cards}
        need={need}
        own={paytable.own}
        used={usedIn(round, paytable, seat ?? -1)}
        decks={table.decks}
        change={(next) => setCards(community.length > 0 ? next.slice(0, paytable.own) : next)}
      />
      <div class="actions panel-actions">
        <Button kind="quiet" onClick={close}>
          {texts.cancel}
        </Button>
        <Button kind="quiet" disabled={!ready || cards.length === need} onClick={() => void key(false)}>
          {texts.keyWithoutCards}
        </Button>
        <Button
          kind={ready && cards.length === need ? "go" : "plain"}
          class="main-action"
          disabled={!ready || cards.length !== need}
          onClick={() => void key(true)}
        >
          {label}
        </Button>
      </div>
    </main>
  );
}

export function HandPanel({ hand }: { hand: string }) {
  const { session } = useKeypad();
  const { table } = session.kept.value;
  const paytable = session.paytable.value;
  const line = paytable ? paytable.lines.find((one) => one.hand === hand) : undefined;
  const [begun] = useState(() => {
    resetPicker();
    return true;
  });
  if (!begun || !table?.round || !paytable || !line) return null;
  return <HandForm table={table} round={table.round} paytable={paytable} line={line} />;
}
