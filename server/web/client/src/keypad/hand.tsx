// The panel that keys one winning hand: its seat, then its cards.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button } from "../staff/controls.js";
import { Icon } from "../staff/icons.js";
import { money } from "../staff/staff.js";
import { type KeypadTexts, handText } from "../text/keypad.js";
import { useKeypad } from "./context.js";
import { moveFocus } from "./felt.js";
import { type HandProps, useHand } from "./key-hand.js";
import { Picker, resetPicker } from "./picker.js";
import type { Choice } from "./round.js";
import { paysText, placeText } from "./words.js";

export function PanelHead(props: { title: string; hint: string; close(): void; children?: ComponentChildren }) {
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

/** Focuses a panel's heading, or its field, when the panel opens, and not again when it changes. */
export function focusOnce(heading: HTMLElement | null): void {
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
      onClick={props.choose}
    >
      <span class="unseen">{`${placeText(texts, props.seat)}, ${texts.seatChoices[props.choice]}`}</span>
      <span class="figure" aria-hidden="true">
        {props.seat ?? texts.dealer}
      </span>
      {word && <small aria-hidden="true">{word}</small>}
    </button>
  );
}

function hintOf({ table, line }: HandProps, texts: KeypadTexts, locale: string): string {
  const level = table.levels.find(({ level }) => level === line.level);
  const pays = paysText(texts, line, locale);
  return level && line.percent === 100 ? `${pays}, ${money(level.amount, locale)}` : pays;
}

function HandForm(props: HandProps) {
  const { texts, locale, panel } = useKeypad();
  const { table, play, line } = props;
  const hand = useHand(props);
  const close = () => (panel.value = null);
  const key = (withCards: boolean) => void hand.key(withCards).then((taken) => taken && close());
  const whole = hand.cards().length === hand.need();
  const act = () => {
    // What was keyed so far stays behind the panel of the badge.
    if (hand.badgeMissing) panel.value = { kind: "device", from: panel.value };
    else key(true);
  };
  return (
    <main class="whole hand-panel">
      <PanelHead
        title={handText(texts, line.hand)}
        hint={hand.envy ? texts.envyAlone : hintOf(props, texts, locale)}
        close={close}
      >
        <div class="seat-choices" role="group" aria-label={texts.seatLabel} onKeyDown={moveFocus}>
          <span class="secondary">{texts.seatLabel}</span>
          {[...hand.choices].map(([seat, choice]) => (
            <SeatChoice
              key={seat}
              seat={seat}
              choice={choice}
              chosen={hand.seat === seat}
              choose={() => hand.choose(seat)}
            />
          ))}
        </div>
      </PanelHead>
      <Picker
        cards={hand.cards}
        need={hand.need}
        own={() => play.cards.own}
        used={hand.used}
        decks={table.decks}
        change={hand.change}
      />
      <div class="actions panel-actions">
        <Button kind="quiet" onClick={close}>
          {texts.cancel}
        </Button>
        <Button kind="quiet" disabled={!hand.ready || whole} onClick={() => key(false)}>
          {texts.keyWithoutCards}
        </Button>
        <Button
          kind={hand.ready && whole ? "go" : "plain"}
          class="main-action"
          disabled={!hand.badgeMissing && (!hand.ready || !whole)}
          onClick={act}
        >
          {hand.label}
        </Button>
      </div>
    </main>
  );
}

export function HandPanel({ hand }: { hand: string }) {
  const { session } = useKeypad();
  const { table } = session.kept.value;
  const play = session.play.value;
  const line = play?.hands.find((one) => one.hand === hand);
  useState(resetPicker);
  if (!table?.round || !play || !line) return null;
  return <HandForm table={table} round={table.round} play={play} line={line} />;
}
