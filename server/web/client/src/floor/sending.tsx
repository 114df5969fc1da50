// A request without an answer: what is so, what to do, and what happens by itself.

import { Problem } from "../api/client.js";
import { Button, RefusalText, Status } from "../staff/controls.js";
import { refusedBy } from "../text/problems.js";
import type { Action } from "./actions.js";
import { now, readAt } from "./live.js";
import { useWords } from "./words.js";

interface UnconfirmedProps {
  action: Action;
  kind: "approve" | "reject" | "pay" | "other";
  amount: string | null;
  back(): void;
}

export function Unconfirmed({ action, kind, amount, back }: UnconfirmedProps) {
  const { t, time } = useWords();
  const { attempt } = action.state.value;
  if (!attempt) return null;
  const seconds = attempt.nextAt === null ? null : Math.max(0, Math.ceil((attempt.nextAt - now.value) / 1000));
  const refusal = attempt.error instanceof Problem ? attempt.error : null;
  return (
    <>
      <p class="panel-head">
        <Status icon="error" tone="vermilion">
          {t.sending.noAnswer}
        </Status>
      </p>
      {amount && <p class="amount figure dim">{amount}</p>}
      {readAt.value !== null && kind === "approve" && (
        <p class="secondary">{t.sending.lastKnown(time(readAt.value))}</p>
      )}
      <div class="note-card" role="alert">
        <h2>{t.sending.notConfirmed[kind]}</h2>
        <p class="secondary">{t.sending.again(time(attempt.firstSentAt))}</p>
        {refusal && (
          <p class="secondary">
            <RefusalText refused={refusedBy(refusal)} />
          </p>
        )}
      </div>
      {(kind === "approve" || kind === "pay") && (
        <div class="note-card">
          <h2>{t.sending.doNotPay}</h2>
          {kind === "approve" && <p class="secondary">{t.sending.payWhen}</p>}
        </div>
      )}
      <p class="secondary centre push">
        {seconds === null ? t.sending.tryingNow(attempt.attempts) : t.sending.trying(seconds, attempt.attempts + 1)}
      </p>
      <Button class="tall" disabled={attempt.nextAt === null} onClick={() => action.now()}>
        {t.sending.tryNow}
      </Button>
      <Button kind="quiet" onClick={back}>
        {t.decision.backToHits}
      </Button>
    </>
  );
}
