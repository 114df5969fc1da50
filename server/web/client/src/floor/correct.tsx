// The correction of a hit step by step: the hit, the reason, the dry run, the first signature.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Button, ErrorNotice } from "../staff/controls.js";
import { Icon } from "../staff/icons.js";
import { actionOf, draftOf } from "./actions.js";
import { type DryRun, dryRunCorrect } from "./dry-run.js";
import { DryRunTable } from "./dry-run-table.js";
import { HitStatus } from "./list.js";
import type { Hit } from "./model.js";
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
      <ul class="short-hits" data-arrows>
        {rows.map((hit) => (
          <li key={hit.hit}>
            <a href={routeAddress("two-people", `correct/${hit.hit}`)}>
              <span>
                {words.what(hit)}, {words.place(hit)}
              </span>
              <span class="figure">{words.money(hit.due)}</span>
              <HitStatus hit={hit} />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What the correction of a hit would touch. */
function Touched({ hit }: { hit: Hit }) {
  const words = useWords();
  const { t } = words;
  const run = useSignal<DryRun | null>(null);
  const error = useSignal<unknown>(null);
  useEffect(() => {
    dryRunCorrect(hit).then(
      (found) => (run.value = found),
      (refusal: unknown) => (error.value = refusal),
    );
  }, [hit.hit, hit.state]);
  const later = run.value?.rows.filter((row) => row.kind === "later").length ?? 0;
  return (
    <section class="panel">
      <p class="panel-head">
        <span>
          {words.what(hit)}, {words.place(hit)}
        </span>
        <HitStatus hit={hit} />
      </p>
      <p class="amount figure">{words.money(hit.due)}</p>
      {run.value && (
        <>
          <h2>
            {t.two.dryRun} <span class="secondary">{t.two.dryRunAt(words.time(run.value.at))}</span>
          </h2>
          <DryRunTable rows={run.value.rows} />
          <p class="secondary">{later === 0 ? t.correct.laterNone : t.correct.laterHits(later)}</p>
          <p class="secondary">{t.correct.effectHint}</p>
        </>
      )}
      <ErrorNotice error={error.value} />
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
          <>
            <p class="secondary">{t.sign.proposes}</p>
            <Sign
              right="adjust"
              busy={action.busy}
              back={() => (signing.value = false)}
              signed={(signature) => void send(signature)}
            />
          </>
        ) : (
          <form
            class="step"
            onSubmit={(event) => {
              event.preventDefault();
              if (reason.value.trim() !== "") signing.value = true;
            }}
          >
            <Reason id="correct-reason" label={t.correct.reason} common={t.correct.reasons} draft={reason} />
            <ErrorNotice error={action.state.value.error} />
            <Button kind="go" class="push" type="submit" disabled={reason.value.trim() === ""}>
              {t.correct.propose}
            </Button>
          </form>
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
      <div class="heading">
        <a class="button back" href={routeAddress("two-people")} aria-label={t.decision.back}>
          <Icon name="back" />
        </a>
        <h1>{t.correct.title}</h1>
      </div>
      {hit ? <OneHit key={hit.hit} hit={hit} /> : <Choice />}
    </main>
  );
}
