// The line below the keys: what to do now, or what became of the last round.

import { Status } from "../staff/controls.js";
import { money } from "../staff/staff.js";
import type { KeypadTexts } from "../text/keypad.js";
import { type Panel, useKeypad } from "./context.js";
import { hitStatus, useOpenHits } from "./hits.js";
import type { LastRound } from "./outbox.js";
import { unsettled } from "./round.js";
import { type Hit, type Round, stands } from "./state.js";
import { hitText, isHandPaid } from "./words.js";

/** The last round in one line: its hits, and what each paid. */
function Last({ last }: { last: LastRound }) {
  const { session, texts, locale } = useKeypad();
  // Two people may still have corrected a hit of a closed round.
  const newest = (hit: Hit) => session.kept.value.table?.closed_hits.find((one) => one.hit === hit.hit) ?? hit;
  const hits = last.hits.map(newest).filter((hit) => !["cancelled", "void"].includes(hit.state));
  const hit = hits.at(-1);
  if (last.end === "void") return <p>{texts.lastRound(texts.voided)}</p>;
  if (!hit) return <p>{texts.lastRound(texts.noHits)}</p>;
  const [icon, tone] = hitStatus(hit.state);
  const own = hit.payouts.find((payout) => payout.kind !== "envy");
  return (
    <>
      <Status icon={icon} tone={tone}>
        {texts.states[hit.state]}
      </Status>
      <p>
        {texts.lastRound(hitText(texts, hit))}
        {own && stands(hit) && (
          <>
            , <strong class="figure">{money(hit.due, locale)}</strong> {texts.fromWay[own.handed_over]}
          </>
        )}
      </p>
    </>
  );
}

/** Returns what the dealer does now: in the panel that is open, about the hits that cover the keys, or next. */
function roundNote(texts: KeypadTexts, round: Round, panel: Panel | null, shown: readonly Hit[]): string {
  const asked = panel && texts.notePanels[panel.kind];
  if (asked) return asked;
  if (shown.length === 0) return texts.noteLocked;
  if (shown.some((hit) => hit.state === "pending")) return texts.notePending;
  if (unsettled(round).length > 0) return texts.noteSlip;
  const standing = shown.filter(stands);
  if (standing.length === 0) return texts.noteUndone;
  return standing.every(isHandPaid) ? texts.notePaid : texts.notePay;
}

export function Note() {
  const { session, texts, panel } = useKeypad();
  const shown = useOpenHits();
  const { table, last, entries } = session.kept.value;
  const reason = table?.disabled_reason ?? table?.reason;
  return (
    <div class="note">
      {table?.round ? (
        <p>{roundNote(texts, table.round, panel.value, shown)}</p>
      ) : entries.length > 0 ? (
        <p>{texts.countOnce}</p>
      ) : reason ? (
        <p>{reason}</p>
      ) : last ? (
        <>
          <Last last={last} />
          <p class="note-end">{texts.round(last.round)}</p>
        </>
      ) : (
        <p>{texts.noteOpen}</p>
      )}
    </div>
  );
}
