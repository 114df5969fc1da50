// The panel that settles the whole round by its cards.

import { useState } from "preact/hooks";
import { Button } from "../staff/controls.js";
import { type Place, communityOf } from "./cards.js";
import { type Cards, type SettleDraft, useKeypad } from "./context.js";
import { moveFocus } from "./felt.js";
import { PanelHead } from "./hand.js";
import { isBadgeMissing } from "./key-hand.js";
import { Picker, resetPicker } from "./picker.js";
import { type Part, isOptional, isWhole, needOf, partsOf } from "./round.js";
import type { Command, Play, Round, Table } from "./state.js";

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
  const whole = typeof props.part === "number" ? texts.seat(props.part) : name;
  const full = props.have === props.need;
  return (
    <button
      type="button"
      class={`seat-choice ${props.chosen ? "chosen" : ""} ${full ? "complete" : ""}`}
      aria-pressed={props.chosen}
      onClick={props.choose}
    >
      <span class="unseen">{`${whole}, ${texts.cardsOf(props.have, props.need)}`}</span>
      <span class="figure" aria-hidden="true">
        {name}
      </span>
      <small aria-hidden="true">{full ? texts.handComplete : `${props.have}/${props.need}`}</small>
    </button>
  );
}

/** The cards of the round, part by part; a complete hand leads on to the next one. */
function useRoundCards(round: Round, play: Play) {
  const { panel } = useKeypad();
  const parts = partsOf(round, play);
  const draft = (): Required<SettleDraft> => {
    const begun = { cards: new Map([["community", communityOf(round, play)]] as const), part: parts[0] ?? 1 };
    return { ...begun, ...(panel.value?.kind === "settle" ? panel.value : {}), kind: "settle" };
  };
  const put = (more: Partial<SettleDraft>) => (panel.value = { ...draft(), ...more });
  const count = (one: Part) => (draft().cards.get(one) ?? []).length;
  const missing = parts.filter(
    (one) => !isWhole(one, count(one), play) && !(count(one) === 0 && isOptional(one, round, play)),
  );
  const change = (next: readonly string[]) => {
    const { cards, part } = draft();
    put({ cards: new Map(cards).set(part, next) });
    if (next.length < needOf(part, play)) return;
    const following = [...parts.slice(parts.indexOf(part) + 1), ...parts];
    put({ part: following.find((one) => count(one) < needOf(one, play)) ?? part });
  };
  const choose = (part: Part) => put({ part });
  const need = () => needOf(draft().part, play);
  return { parts, draft, need, count, missing: missing.length, change, choose };
}

function SettleForm({ table, round, play }: { table: Table; round: Round; play: Play }) {
  const { session, texts, panel } = useKeypad();
  const { parts, draft, need, count, missing, change, choose } = useRoundCards(round, play);
  const badge = isBadgeMissing(session);
  const ready = missing === 0 && !badge;
  const close = () => (panel.value = null);
  const label = ready ? texts.settleNow : texts.settleMissing(missing);
  const act = () => {
    if (badge) panel.value = { kind: "device", from: panel.value };
    else void session.tap(commandOf(draft().cards)).then((taken) => taken && close());
  };
  return (
    <main class="whole hand-panel">
      <PanelHead title={texts.settleTitle} hint={texts.settleHint} close={close}>
        <div class="seat-choices" role="group" aria-label={texts.seatLabel} onKeyDown={moveFocus}>
          {parts.map((one) => (
            <PartKey
              key={one}
              part={one}
              have={count(one)}
              need={needOf(one, play)}
              chosen={one === draft().part}
              choose={() => choose(one)}
            />
          ))}
        </div>
      </PanelHead>
      <Picker
        cards={() => draft().cards.get(draft().part) ?? []}
        need={need}
        own={need}
        used={() => usedElsewhere(draft().cards, draft().part)}
        decks={table.decks}
        change={change}
      />
      <div class="actions panel-actions">
        <Button kind="quiet" onClick={close}>
          {texts.cancel}
        </Button>
        <span />
        <Button kind={ready ? "go" : "plain"} class="main-action" disabled={!badge && !ready} onClick={act}>
          {badge ? texts.keyBadgeMissing(texts.settleTitle) : label}
        </Button>
      </div>
    </main>
  );
}

export function SettlePanel() {
  const { session } = useKeypad();
  const { table } = session.kept.value;
  const play = session.play.value;
  useState(resetPicker);
  if (!table?.round || !play) return null;
  return <SettleForm table={table} round={table.round} play={play} />;
}
