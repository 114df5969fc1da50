// A hit that is no hit any more, in words: who undid it, when, and that nothing is due.

import { Button } from "../staff/controls.js";
import { Due } from "./money.js";
import type { Hit } from "./model.js";
import { useWords } from "./words.js";

export function Undone({ hit, meanwhile, back }: { hit: Hit; meanwhile: boolean; back(): void }) {
  const { t, time, seat } = useWords();
  const at = hit.decided_at ? time(hit.decided_at) : "";
  const by = hit.decided_by ?? "";
  const what = {
    cancelled: t.decision.cancelled(at),
    void: t.decision.void(at),
    rejected: t.decision.rejected(by, at),
    withdrawn: t.decision.withdrawn(by, at),
  }[hit.state as "cancelled" | "void" | "rejected" | "withdrawn"];
  return (
    <>
      <Due hit={hit} title={t.money.wasDue(seat(hit))} dim />
      <div class="note-card" role="alert">
        <h2>{what}</h2>
        <p>{t.decision.nothingDue}</p>
        {hit.note && <p class="secondary">{t.decision.note(hit.note)}</p>}
        {meanwhile && <p class="secondary">{t.decision.decidedMeanwhile}</p>}
      </div>
      <Button class="push" onClick={back}>
        {t.decision.backToHits}
      </Button>
    </>
  );
}
