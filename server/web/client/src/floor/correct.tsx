// The correction of a hit step by step: the hit, the reason, the dry run, the first signature.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ErrorNotice } from "../staff/controls.js";
import { actionOf, draftOf, isWritten } from "./actions.js";
import { dryRunCorrect } from "./dry-run.js";
import { DryRunTable, useDryRun } from "./dry-run-table.js";
import type { Hit } from "./model.js";
import { Heading, HitStatus, ShortHits, StepForm } from "./parts.js";
import { propose } from "./propose.js";
import { Reason } from "./reason.js";
import { go, routeAddress } from "./route.js";
import { Unconfirmed } from "./sending.js";
import { Sign } from "./sign.js";
import type { Signature } from "./signing.js";
import { details, loadHit, recent } from "./store.js";
import { useWords } from "./words.js";

/** Ids of proposals by hit: the same correction that is sent again is the same proposal. */
const ids = new Map<string, string>();

function idOf(hit: string): string {
  const known = ids.get(hit) ?? crypto.randomUUID();
  ids.set(hit, known);
  return known;
}

function Choice() {
  const words = useWords();
  const { t } = words;
  const rows = recent.value.filter((hit) => hit.state === "validated" || hit.state === "paid");
  return (
    <section class="panel">
      <h2>{t.correct.hit}</h2>
      <p class="secondary">{t.correct.pick}</p>
      <ShortHits hits={rows} place={words.place} address={(hit) => routeAddress("two-people", `correct/${hit.hit}`)} />
    </section>
  );
}

/** What the correction of a hit would touch. */
function Touched({ hit }: { hit: Hit }) {
  const words = useWords();
  const { t } = words;
  const { run, error } = useDryRun(`${hit.hit} ${hit.state}`, () => dryRunCorrect(hit));
  const later = run?.rows.filter((row) => row.kind === "later").length ?? 0;
  return (
    <section class="panel">
      <p class="panel-head">
        <span>
          {words.what(hit)}, {words.place(hit)}
        </span>
        <HitStatus hit={hit} />
      </p>
      <p class="amount figure">{words.money(hit.due)}</p>
      {run && (
        <>
          <h2>
            {t.two.dryRun} <span class="secondary">{t.two.dryRunAt(words.time(run.at))}</span>
          </h2>
          <DryRunTable rows={run.rows} />
          <p class="secondary">{later === 0 ? t.correct.laterNone : t.correct.laterHits(later)}</p>
          <p class="secondary">{t.correct.effectHint}</p>
        </>
      )}
      <ErrorNotice error={error} />
    </section>
  );
}

function OneHit({ hit }: { hit: Hit }) {
  const { t } = useWords();
  const reason = draftOf(`correct ${hit.hit}`);
  const action = actionOf(`correct ${hit.hit}`);
  const signing = useSignal(false);
  async function send(signature: Signature): Promise<void> {
    const body = { change: "correct" as const, hit: hit.hit, reason: reason.value.trim() };
    const id = idOf(hit.hit);
    if (await propose(action, hit.link, id, body, signature)) {
      ids.delete(hit.hit);
      reason.value = "";
      go("two-people", id);
    } else if (!action.state.value.expired) {
      ids.delete(hit.hit);
      signing.value = false;
    }
  }

  return (
    <div class="form-columns">
      <Touched hit={hit} />
      <section class="panel decision">
        {action.unanswered ? (
          <Unconfirmed action={action} kind="other" amount={null} back={() => go("two-people")} />
        ) : signing.value ? (
          <Sign
            says={t.sign.proposes}
            right="adjust"
            busy={action.busy}
            back={() => (signing.value = false)}
            signed={send}
          />
        ) : (
          <StepForm ready={isWritten(reason)} label={t.correct.propose} next={() => (signing.value = true)}>
            <Reason id="correct-reason" label={t.correct.reason} common={t.correct.reasons} draft={reason} />
            <ErrorNotice error={action.state.value.error} />
          </StepForm>
        )}
      </section>
    </div>
  );
}

export function CorrectForm({ name }: { name: string | null }) {
  const { t } = useWords();
  useEffect(() => {
    if (name) void loadHit(name).catch(() => {});
  }, [name]);
  const hit = name ? details.value[name] : null;
  return (
    <main class="place">
      <Heading back={routeAddress("two-people")} label={t.decision.back}>
        <h1>{t.correct.title}</h1>
      </Heading>
      {hit ? <OneHit key={hit.hit} hit={hit} /> : <Choice />}
    </main>
  );
}
