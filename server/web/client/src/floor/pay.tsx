// A validated hit: its slips, and the documents of its payouts.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Problem, type Schema, api, dataOf } from "../api/client.js";
import { Button, ErrorNotice } from "../staff/controls.js";
import { type Action, actionOf, draftOf, isWritten } from "./actions.js";
import { useKey } from "./keys.js";
import { type Hit, may } from "./model.js";
import { AlsoDue, Arose, Due } from "./money.js";
import { StepForm } from "./parts.js";
import { Reason } from "./reason.js";
import { go, routeAddress } from "./route.js";
import { Unconfirmed } from "./sending.js";
import { Sign } from "./sign.js";
import { type Signature, headersOf, isGood } from "./signing.js";
import { findSlips, makeSlip, openPage, pages, printAgain, slipKey, slips } from "./slips.js";
import { loadHit, loadRecent } from "./store.js";
import { leftToPay } from "./sum.js";
import { useWords } from "./words.js";

type Payout = Schema<"Payout">;
type Task = "print" | "reprint" | "pay";
type Step = "look" | "reason" | "document" | Task;

/** Does what a person signed for. Returns if it was done. */
async function perform(task: Task, hit: Hit, payout: Payout, signature: Signature, action: Action): Promise<boolean> {
  const key = slipKey(hit.hit, payout.payout);
  if (task === "pay") {
    const document = draftOf(`document ${key}`).value.trim();
    const params = { path: { hit: hit.hit, payout: payout.payout } };
    const sent = () =>
      dataOf(
        api.PUT("/v1/hits/{hit}/payouts/{payout}/payment", {
          params,
          body: { document },
          headers: headersOf(signature),
        }),
      );
    const paid = await action.run(signature, sent);
    await loadHit(hit.hit).catch(() => {});
    void loadRecent().catch(() => {});
    return paid !== null;
  }
  const slip = slips.value[key];
  const reason = draftOf(`reprint ${key}`);
  const page = await action.run(signature, () =>
    task === "reprint" && slip
      ? printAgain(slip, reason.value.trim(), signature)
      : makeSlip(hit.hit, payout.payout, signature),
  );
  await findSlips(hit).catch(() => {});
  if (page && !page.isCopy) {
    reason.value = "";
    openPage(key, page);
  }
  return page !== null;
}

/** The payouts of a hit that are handed over by slip; of them the first that is not paid has the panel's steps. */
export function Pay({ hit, signature }: { hit: Hit; signature: Signature | null }) {
  const { t, money } = useWords();
  const slipped = hit.payouts.filter((row) => row.handed_over === "slip");
  const payout = slipped.find((row) => !row.payment?.paid) ?? slipped[0] ?? null;
  const action = actionOf(`pay ${hit.hit} ${payout?.payout ?? 0}`);
  const step = useSignal<Step>("look");
  const task = useSignal<Task>("print");
  const given = useSignal<Signature | null>(signature);
  useEffect(() => void findSlips(hit).catch(() => {}), [hit.hit, hit.state]);

  async function run(what: Task, signed: Signature): Promise<void> {
    if (!payout) return;
    given.value = signed;
    const done = await perform(what, hit, payout, signed, action);
    const { error, expired } = action.state.value;
    // Another person has to sign where this one lacks the right.
    if (expired || (error instanceof Problem && error.status === 403)) given.value = null;
    if (done || !expired) step.value = "look";
  }

  /** Does a task with the signature that is there, or asks for one. */
  function begin(what: Task): void {
    task.value = what;
    if (isGood(given.value, Date.now())) void run(what, given.value);
    else step.value = what;
  }

  if (action.unanswered)
    return (
      <Unconfirmed
        action={action}
        kind={task.value === "pay" ? "pay" : "other"}
        amount={payout && money(payout.amount)}
        back={() => go("hits")}
      />
    );
  const asks = step.value === "print" || step.value === "reprint" || step.value === "pay";
  if (payout && asks)
    return (
      <>
        <Due hit={hit} title={step.value === "pay" ? t.sign.pays : t.sign.prints} />
        <Sign
          right="pay"
          busy={action.busy}
          back={() => (step.value = "look")}
          signed={(signed) => void run(task.value, signed)}
        />
      </>
    );
  if (payout && step.value === "document")
    return <DocumentForm hit={hit} payout={payout} next={() => begin("pay")} back={() => (step.value = "look")} />;
  if (payout && step.value === "reason")
    return <ReprintForm hit={hit} payout={payout} next={() => begin("reprint")} back={() => (step.value = "look")} />;
  return (
    <Standing
      hit={hit}
      payout={payout}
      action={action}
      print={() => begin("print")}
      again={() => (step.value = "reason")}
      pay={() => (step.value = "document")}
    />
  );
}

type StandingProps = Pick<KeysProps, "hit" | "print" | "again" | "pay"> & { payout: Payout | null; action: Action };

/** A hit that stands, with what is left to do for it. */
function Standing({ hit, payout, action, ...keys }: StandingProps) {
  return (
    <>
      <Due hit={hit} />
      <div class="scroll">
        <Decided hit={hit} />
        <Arose hit={hit} />
        <AlsoDue hit={hit} />
      </div>
      <div class="stick">
        <ErrorNotice error={action.state.value.error} />
        {payout && !payout.payment?.paid ? (
          <PayKeys hit={hit} payout={payout} busy={action.busy} {...keys} />
        ) : (
          <Settled hit={hit} payout={payout} />
        )}
      </div>
    </>
  );
}

/** Who approved the hit, or the rule by which it needs no approval. */
function Decided({ hit }: { hit: Hit }) {
  const { t, time } = useWords();
  const by = hit.decided_by && hit.decided_at ? t.decision.validated(hit.decided_by, time(hit.decided_at)) : null;
  return (
    <p class="who" role="status">
      {by ?? t.decision.validatedByRule}
    </p>
  );
}

function Settled({ hit, payout }: { hit: Hit; payout: Payout | null }) {
  const { t, time, money, holder } = useWords();
  const paid = payout?.payment;
  const left = leftToPay(hit);
  const closed = hit.state === "paid" || hit.state === "validated";
  return (
    <>
      {paid?.paid ? (
        <>
          <p class="who">
            {paid.at && t.decision.paid(time(paid.at))}{" "}
            {paid.document && t.decision.paidDocument(paid.document, paid.by ?? "")}
          </p>
          {left !== null && (
            <p class="note-card" role="status">
              {left === "envy" ? t.decision.envyLeft(money(hit.envy_due)) : t.decision.restLeft}
            </p>
          )}
        </>
      ) : (
        <p class="secondary">{t.decision.gameOverPays}</p>
      )}
      <div class="pair">
        <Button onClick={() => go("hits")}>{t.decision.backToHits}</Button>
        {closed && may(holder, "adjust") && (
          <a class="button quiet" href={routeAddress("two-people", `correct/${hit.hit}`)}>
            {t.decision.correct}
          </a>
        )}
      </div>
    </>
  );
}

interface KeysProps {
  hit: Hit;
  payout: Payout;
  busy: boolean;
  print(): void;
  again(): void;
  pay(): void;
}

function PayKeys({ hit, payout, busy, print, again, pay }: KeysProps) {
  const { t, time } = useWords();
  const key = slipKey(hit.hit, payout.payout);
  const slip = slips.value[key];
  const page = pages.value[key];
  useKey("p", slip ? null : print);
  return (
    <>
      {slip && (
        <p class="secondary">
          {t.decision.slipMade(String(slip.slip), slip.made_by, time(slip.at))}{" "}
          {page ? (
            <a href={page} target="_blank" rel="noreferrer">
              {t.decision.openSlip}
            </a>
          ) : (
            t.decision.slipCopy
          )}
        </p>
      )}
      <Button
        kind={slip ? "quiet" : "go"}
        class={slip ? "" : "tall"}
        icon="print"
        busy={busy}
        onClick={slip ? again : print}
      >
        {slip ? t.decision.reprint : t.decision.print}
      </Button>
      <Button kind={slip ? "go" : "quiet"} class={slip ? "tall" : ""} onClick={pay}>
        {t.decision.markPaid}
      </Button>
    </>
  );
}

interface FormProps {
  hit: Hit;
  payout: Payout;
  next(): void;
  back(): void;
}

function DocumentForm({ hit, payout, next, back }: FormProps) {
  const { t, money } = useWords();
  const key = slipKey(hit.hit, payout.payout);
  const document = draftOf(`document ${key}`);
  const slip = slips.value[key];
  return (
    <StepForm
      ready={isWritten(document)}
      label={t.decision.markPaidNow(money(payout.amount))}
      class="tall push"
      next={next}
      back={back}
    >
      <Due hit={hit} title={t.sign.pays} />
      <div class="field">
        <label for="document">{t.decision.document}</label>
        <input
          id="document"
          maxLength={256}
          autocomplete="off"
          value={document.value}
          onInput={(event) => (document.value = event.currentTarget.value)}
        />
        <p class="secondary">{t.decision.documentHint}</p>
      </div>
      {slip && (
        <Button kind="quiet" small onClick={() => (document.value = String(slip.slip))}>
          {t.decision.useSlip(String(slip.slip))}
        </Button>
      )}
    </StepForm>
  );
}

function ReprintForm({ hit, payout, next, back }: FormProps) {
  const { t } = useWords();
  const reason = draftOf(`reprint ${slipKey(hit.hit, payout.payout)}`);
  return (
    <StepForm ready={isWritten(reason)} label={t.decision.reprint} next={next} back={back}>
      <Due hit={hit} title={t.sign.prints} />
      <p class="secondary">{t.decision.slipCopy}</p>
      <Reason id="reprint-reason" label={t.decision.reprintReason} common={t.decision.reprintReasons} draft={reason} />
    </StepForm>
  );
}
