// The decision about a hit, always at the same place: approve or reject, sign, and what became of it.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Problem, type Schema, api, dataOf } from "../api/client.js";
import { Button, ErrorNotice } from "../staff/controls.js";
import { type Action, actionOf, draftOf, isWritten } from "./actions.js";
import { useKey } from "./keys.js";
import { type Hit, agreement, may } from "./model.js";
import { AlsoDue, Arose, Due } from "./money.js";
import { StepForm } from "./parts.js";
import { Pay } from "./pay.js";
import { CardsForm } from "./cards-form.js";
import { Reason } from "./reason.js";
import { type Place, go } from "./route.js";
import { Unconfirmed } from "./sending.js";
import { Sign } from "./sign.js";
import { type Signature, headersOf } from "./signing.js";
import { isBeingRead, loadHit, loadHits, loadRecent } from "./store.js";
import { amountOf, envyOf, mainPayout } from "./sum.js";
import { Undone } from "./undone.js";
import { useWords } from "./words.js";

/** Steps of a decision. The panel of a step lies over nothing: it takes the place of the one before. */
type Step = "look" | "cards" | "approve" | "reject" | "sign-reject";

type Body = Schema<"ValidationRequest">;

/** Sends a decision until it is answered; a refusal shows the hit as it is now. */
async function decide(action: Action, hit: string, body: Body, signature: Signature): Promise<boolean> {
  const answer = await action.run(signature, () =>
    dataOf(api.PUT("/v1/hits/{hit}/validation", { params: { path: { hit } }, body, headers: headersOf(signature) })),
  );
  await loadHit(hit).catch(() => {});
  void loadHits().catch(() => {});
  void loadRecent().catch(() => {});
  return answer !== null;
}

/** The state of a decision about a hit, and what sends it. */
function useDecision(hit: Hit) {
  const action = actionOf(`decision ${hit.hit}`);
  const step = useSignal<Step>("look");
  const kind = useSignal<"approve" | "reject">("approve");
  const resettle = useSignal(false);
  const cards = useSignal<readonly string[]>([]);
  const signature = useSignal<Signature | null>(null);
  const reason = draftOf(`reject ${hit.hit}`);

  async function send(decision: "approve" | "reject", signed: Signature): Promise<void> {
    kind.value = decision;
    signature.value = signed;
    const note = reason.value.trim();
    const approved = { decision, ...(cards.value.length > 0 ? { cards: [...cards.value] } : {}) };
    const rejected = { decision, note, ...(resettle.value ? { resettle: true } : {}) };
    const done = await decide(action, hit.hit, decision === "approve" ? approved : rejected, signed);
    if (done || !action.state.value.expired) step.value = "look";
    if (done) reason.value = "";
  }
  return { action, step, kind, resettle, cards, signature, send };
}

export function Decision({ hit, back }: { hit: Hit; back: Place }) {
  const { t, money } = useWords();
  const state = useDecision(hit);
  const { action, step, kind, signature } = state;
  const panel = useRef<HTMLElement>(null);

  useEffect(() => {
    if (step.value === "look") return;
    panel.current?.querySelector<HTMLElement>("h2[tabindex]")?.focus({ preventScroll: true });
    // In portrait the panel is below the felt.
    panel.current?.scrollIntoView({ block: "nearest" });
  }, [step.value]);

  if (action.unanswered)
    return (
      <section class="panel decision alarmed" aria-label={t.decision.title}>
        <Unconfirmed action={action} kind={kind.value} amount={money(amountOf(hit))} back={() => go(back)} />
      </section>
    );
  const stands = hit.state === "validated" || hit.state === "validated_by_rule" || hit.state === "paid";
  const refused = action.state.value.error instanceof Problem;
  return (
    <section class="panel decision" aria-label={t.decision.title} ref={panel}>
      {hit.state === "pending" ? (
        <Steps hit={hit} state={state} />
      ) : stands ? (
        <Pay hit={hit} signature={signature.value} />
      ) : (
        <Undone hit={hit} meanwhile={refused} back={() => go(back)} />
      )}
    </section>
  );
}

function Steps({ hit, state }: { hit: Hit; state: ReturnType<typeof useDecision> }) {
  const { action, step, resettle, cards, send } = state;
  const { error, expired } = action.state.value;
  const to = (next: Step) => () => (step.value = next);
  switch (step.value) {
    case "look":
      return (
        <Look
          hit={hit}
          error={error}
          approve={to("approve")}
          cards={to("cards")}
          reject={to("reject")}
          resettle={() => {
            resettle.value = true;
            step.value = "sign-reject";
          }}
        />
      );
    case "cards": {
      const back = () => {
        cards.value = [];
        step.value = "look";
      };
      return <CardsForm hit={hit} cards={cards} next={to("approve")} back={back} />;
    }
    case "approve":
      return (
        <Signing hit={hit} kind="approve" expired={expired} busy={action.busy} back={to("look")}>
          {(signed) => void send("approve", signed)}
        </Signing>
      );
    case "reject":
      return <RejectForm hit={hit} next={to("sign-reject")} back={to("look")} />;
    case "sign-reject":
      return (
        <Signing hit={hit} kind="reject" expired={expired} busy={action.busy} back={to("reject")}>
          {(signed) => void send("reject", signed)}
        </Signing>
      );
  }
}

interface LookProps {
  hit: Hit;
  error: unknown;
  approve(): void;
  cards(): void;
  reject(): void;
  resettle(): void;
}

function Look({ hit, error, approve, cards, reject, resettle }: LookProps) {
  const { t, holder, money } = useWords();
  const differs = agreement(hit) === "differs";
  // The right is that of the person who signs, not of the session.
  useKey("a", differs ? null : approve);
  useKey("r", reject);
  return (
    <>
      <Due hit={hit} />
      <div class="scroll">
        <Arose hit={hit} />
        <AlsoDue hit={hit} />
      </div>
      <div class="stick">
        <ErrorNotice error={error} />
        {error instanceof Problem && error.code === "later_hits" && (
          <>
            <p class="secondary">{t.decision.laterHits}</p>
            <Button kind="stop" onClick={resettle}>
              {t.decision.resettle}
            </Button>
          </>
        )}
        {differs ? (
          <p class="pin-wrong">{t.decision.differs}</p>
        ) : may(holder, "validate") ? (
          <p class="who">
            <strong>{t.decision.oneSigns}</strong>{" "}
            {hit.keyed_by && <span class="secondary">{t.decision.keyedBy(hit.keyed_by)}</span>}
          </p>
        ) : (
          <p class="who">{t.decision.mayNot("validate")}</p>
        )}
        <Button kind="go" class="tall" disabled={differs} onClick={approve}>
          {t.decision.approve(money(amountOf(hit)))}
        </Button>
        <div class="pair">
          <Button kind="stop" onClick={reject}>
            {t.decision.reject}
          </Button>
          {agreement(hit) === "noCards" && !isBeingRead(hit) ? (
            <Button kind="quiet" onClick={cards}>
              {t.decision.enterCards}
            </Button>
          ) : (
            <Button kind="quiet" icon="print" disabled title={t.decision.printAfter}>
              {t.decision.print}
            </Button>
          )}
        </div>
      </div>
    </>
  );
}

interface SigningProps {
  hit: Hit;
  kind: "approve" | "reject";
  expired: boolean;
  busy: boolean;
  back(): void;
  children: (signature: Signature) => void;
}

function Signing({ hit, kind, expired, busy, back, children }: SigningProps) {
  const words = useWords();
  const { t } = words;
  const way = t.money.ways[mainPayout(hit)?.handed_over ?? "rack"];
  const envy = hit.kind !== "envy" && envyOf(hit) !== null;
  const place = words.seat(hit);
  return (
    <>
      <h2 tabIndex={-1} class="unseen">
        {kind === "approve" ? t.sign.approves(way) : t.sign.rejects}
      </h2>
      <Due hit={hit} title={kind === "approve" ? t.sign.approves(way) : t.sign.rejects} />
      <p class="secondary capital">{envy ? t.sign.envyToo(place, words.money(hit.envy_due)) : place}</p>
      {expired && (
        <p class="pin-wrong" role="alert">
          {t.sending.expired}
        </p>
      )}
      <Sign right="validate" not={hit.keyed_by ? [hit.keyed_by] : []} busy={busy} back={back} signed={children} />
    </>
  );
}

function RejectForm({ hit, next, back }: { hit: Hit; next(): void; back(): void }) {
  const { t } = useWords();
  const reason = draftOf(`reject ${hit.hit}`);
  return (
    <StepForm ready={isWritten(reason)} label={t.decision.rejectNow} kind="stop" next={next} back={back}>
      <Due hit={hit} title={t.sign.rejects} />
      <h2 tabIndex={-1}>{t.decision.rejectTitle}</h2>
      <Reason id="reject-reason" label={t.decision.ownWords} common={t.decision.rejectReasons} draft={reason} />
    </StepForm>
  );
}
