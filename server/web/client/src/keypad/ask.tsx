// The panels that ask one thing before a command: a fold's seats, a void's reason, counted chips, a hit to take back, the
// hand of a bonus. They cover the keys; the felt stays.

import { type ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button } from "../staff/controls.js";
import { money } from "../staff/staff.js";
import { handText } from "../text/keypad.js";
import { type Bonus, useKeypad } from "./context.js";
import { PanelHead } from "./hand.js";
import type { Command, Hit } from "./state.js";
import { stands } from "./state.js";
import { hitText, oddsText, placeText } from "./words.js";

const CHIPS_DIGITS_MAX = 2;
const REASONS = [
  "misdeal",
  "count_mismatch",
  "cards_face_up",
  "wrong_number_of_cards",
  "dealer_cards_exposed",
  "shoe_jam",
  "stub_count",
] as const;

function useClose(): () => void {
  const { panel } = useKeypad();
  return () => (panel.value = null);
}

/** Sends a command, and closes the panel once it is kept. */
function useSend(): (command: Command) => void {
  const { session } = useKeypad();
  const close = useClose();
  return (command) => void session.tap(command).then((taken) => taken && close());
}

function Ask(props: { title: string; hint: string; children?: ComponentChildren; action?: ComponentChildren }) {
  const { texts } = useKeypad();
  const close = useClose();
  return (
    <div class="lower">
      <section class="ask" aria-label={props.title}>
        <PanelHead title={props.title} hint={props.hint} close={close} />
        <div class="ask-body">{props.children}</div>
      </section>
      <div class="actions panel-actions">
        <Button kind="quiet" onClick={close}>
          {texts.cancel}
        </Button>
        <span />
        {props.action ?? <span />}
      </div>
    </div>
  );
}

export function FoldPanel({ seats }: { seats: readonly number[] }) {
  const { texts } = useKeypad();
  const send = useSend();
  return (
    <Ask
      title={texts.fold.replace("…", "")}
      hint={texts.foldHint}
      action={
        <Button
          kind={seats.length > 0 ? "go" : "plain"}
          class="main-action"
          disabled={seats.length === 0}
          onClick={() => send({ command: "fold", seats: [...seats] })}
        >
          {texts.foldSeats(seats)}
        </Button>
      }
    />
  );
}

export function VoidPanel() {
  const { texts } = useKeypad();
  const send = useSend();
  return (
    <Ask title={texts.voidTitle} hint={texts.voidHint}>
      <div class="reasons">
        {REASONS.map((reason) => (
          <Button key={reason} kind="stop" onClick={() => send({ command: "void", reason })}>
            {texts.voidReasons[reason]}
          </Button>
        ))}
      </div>
    </Ask>
  );
}

export function CountPanel() {
  const { session, texts } = useKeypad();
  const send = useSend();
  const [digits, setDigits] = useState("");
  const round = session.kept.value.table?.round;
  const accepted = round ? round.seats.length + round.dealer_seats.length : 0;
  const add = (digit: string) => setDigits((digits + digit).replace(/^0(?=\d)/, "").slice(0, CHIPS_DIGITS_MAX));
  return (
    <Ask
      title={texts.countTitle}
      hint={texts.countHint(accepted)}
      action={
        <Button
          kind={digits === "" ? "plain" : "go"}
          class="main-action"
          disabled={digits === ""}
          onClick={() => send({ command: "count", chips: Number(digits) })}
        >
          {digits === "" ? texts.countDigits : texts.countSend(Number(digits))}
        </Button>
      }
    >
      <div class="digits" role="group" aria-label={texts.countDigits}>
        {"1234567890".split("").map((digit) => (
          <Button key={digit} class="figure" onClick={() => add(digit)}>
            {digit}
          </Button>
        ))}
        <Button kind="quiet" disabled={digits === ""} onClick={() => setDigits(digits.slice(0, -1))}>
          ⌫
        </Button>
      </div>
    </Ask>
  );
}

export function TakeBackPanel({ hit }: { hit: Hit }) {
  const { texts, locale } = useKeypad();
  const send = useSend();
  const close = useClose();
  return (
    <div class="lower">
      <section class="ask" aria-label={texts.takeBackTitle(hitText(texts, hit))}>
        <PanelHead title={texts.takeBackTitle(hitText(texts, hit))} hint={texts.takeBackHint} close={close} />
        <p class="hit-amount figure">{money(hit.due, locale)}</p>
      </section>
      <div class="actions panel-actions">
        <Button kind="stop" onClick={() => send({ command: "cancel_hit", hit: hit.hit })}>
          {texts.takeBack}
        </Button>
        <span />
        <Button class="main-action" onClick={close}>
          {texts.keepHit}
        </Button>
      </div>
    </div>
  );
}

export function BonusPanel({ bonus }: { bonus: Bonus }) {
  const { session, texts, locale } = useKeypad();
  const send = useSend();
  const round = session.kept.value.table?.round;
  const play = session.play.value;
  if (!round || !play) return null;
  const name = handText(texts, bonus);
  const keyed = (seat: number | null) =>
    round.hits.some((hit) => stands(hit) && hit.kind === bonus && (hit.seat ?? null) === seat);
  const forfeited = (seat: number | null) =>
    seat !== null && round.folded.includes(seat) && play.fold_award === "forfeited";
  const wagered: (number | null)[] = [...round.seats, ...(round.dealer_seats.length > 0 ? [null] : [])];
  const lucky = round.lucky_position;
  const places = wagered
    .filter((seat) => !keyed(seat) && !forfeited(seat))
    .filter((seat) => bonus === "magic_card" || (lucky !== null && (lucky?.seat ?? null) === seat));
  return (
    <Ask title={name} hint={oddsText(texts, play[bonus], locale)}>
      <div class="reasons">
        {places.map((seat) => (
          <Button
            key={seat}
            onClick={() =>
              send(
                seat === null
                  ? { command: "bonus", kind: bonus, dealer: true }
                  : { command: "bonus", kind: bonus, seat },
              )
            }
          >
            {texts.key(name)}, {placeText(texts, seat)}
          </Button>
        ))}
      </div>
    </Ask>
  );
}
