// What someone has to look at: miscounts, lost tables, short meters, faulted links, and late hits that wait.

import { useSignal } from "@preact/signals";
import { api, dataOf } from "../api/client.js";
import { Button, ErrorNotice, Status } from "../staff/controls.js";
import { Icon, type IconName } from "../staff/icons.js";
import { actionOf, draftOf, isWritten } from "./actions.js";
import { StepForm } from "./parts.js";
import { Reason } from "./reason.js";
import { go, routeAddress } from "./route.js";
import { Unconfirmed } from "./sending.js";
import { Sign } from "./sign.js";
import { type Signature, headersOf } from "./signing.js";
import { type Exception, type Proposal, exceptions, loadExceptions, openExceptions, openProposals } from "./store.js";
import { ProposalDetail } from "./two-people.js";
import { useWords, type Words } from "./words.js";

const ICONS: Readonly<Record<Exception["kind"], IconName>> = {
  count_differs: "chips",
  table_lost: "lost",
  meter_short: "short",
  link_faulted: "error",
};

export function exceptionKey(row: Pick<Exception, "link" | "position">): string {
  return `${row.link}/${row.position}`;
}

function where(row: Exception, { t }: Words): string {
  const parts = [row.table ?? t.list.link(row.link), row.hit].filter(Boolean);
  return parts.join(" · ");
}

function what(row: Exception, words: Words): string {
  const { t, level, money, time } = words;
  switch (row.kind) {
    case "count_differs":
      return t.exceptions.counted(row.counted ?? 0, row.accepted ?? 0);
    case "table_lost":
      return row.heard_at ? t.exceptions.lostSince(time(row.heard_at)) : t.exceptions.lostNever;
    case "meter_short": {
      const name = row.level ? level(row.level) : "";
      return (row.proposal ? t.exceptions.shortProposal : t.exceptions.shortHit)(name, money(row.short ?? "0"));
    }
    default:
      return t.exceptions.faulted(row.reason ?? "");
  }
}

function ExceptionRow({ row, open }: { row: Exception; open: boolean }) {
  const words = useWords();
  const { t, time } = words;
  const key = exceptionKey(row);
  return (
    <a
      class={`exception ${open ? "open" : ""}`}
      href={routeAddress("exceptions", key)}
      aria-current={open ? "true" : undefined}
      data-hit={key}
    >
      <span class={row.clearance ? "cleared" : "alarm"}>
        <Icon name={row.clearance ? "done" : ICONS[row.kind]} />
      </span>
      <span class="exception-text">
        <strong>{t.exceptions.kinds[row.kind]}</strong>
        <span class="secondary">{where(row, words)}</span>
        <span>{what(row, words)}</span>
      </span>
      <span class="figure">{time(row.at).slice(0, 5)}</span>
    </a>
  );
}

function LateRow({ row, open }: { row: Proposal; open: boolean }) {
  const words = useWords();
  const { t, time, hand } = words;
  if (row.change !== "late_hit") return null;
  return (
    <a
      class={`exception ${open ? "open" : ""}`}
      href={routeAddress("exceptions", row.proposal)}
      aria-current={open ? "true" : undefined}
    >
      <span class="two">
        <Icon name="people" />
      </span>
      <span class="exception-text">
        <strong>{t.exceptions.kinds.late_hit}</strong>
        <span class="secondary">
          {row.table} · {t.place.round(String(row.round))}, {words.seat({ seat: row.seat ?? null, dealer: !row.seat })}
        </span>
        <span>{t.exceptions.lateHit(hand(row.hand))}</span>
      </span>
      <span class="figure">{time(row.proposed_at).slice(0, 5)}</span>
    </a>
  );
}

function Clearing({ row }: { row: Exception }) {
  const { t } = useWords();
  const key = exceptionKey(row);
  const action = actionOf(`clear ${key}`);
  const reason = draftOf(`clear ${key}`);
  const signing = useSignal(false);

  async function clear(signature: Signature): Promise<void> {
    const [batch = "", position = ""] = row.position.split(".");
    const path = { link: row.link, batch: Number(batch), position: Number(position) };
    const done = await action.run(signature, () =>
      dataOf(
        api.POST("/v1/links/{link}/exceptions/{batch}/{position}/clearance", {
          params: { path },
          body: { reason: reason.value.trim() },
          headers: headersOf(signature),
        }),
      ),
    );
    await loadExceptions().catch(() => {});
    if (done || !action.state.value.expired) signing.value = false;
    if (done) reason.value = "";
  }

  if (action.unanswered)
    return <Unconfirmed action={action} kind="other" amount={null} back={() => go("exceptions")} />;
  if (signing.value)
    return (
      <Sign
        says={t.sign.clears}
        right="close"
        not={row.by ? [row.by] : []}
        busy={action.busy}
        back={() => (signing.value = false)}
        signed={clear}
      />
    );
  return (
    <StepForm ready={isWritten(reason)} label={t.exceptions.clear} next={() => (signing.value = true)}>
      <Reason id="clear-reason" label={t.exceptions.why} common={t.exceptions.reasons[row.kind]} draft={reason} />
      <ErrorNotice error={action.state.value.error} />
    </StepForm>
  );
}

function ExceptionDetail({ row }: { row: Exception }) {
  const words = useWords();
  const { t, time } = words;
  return (
    <section class="panel detail" aria-live="polite">
      <div class="pit-head">
        <h2 class="detail-title">
          {t.exceptions.kinds[row.kind]}, {row.table ?? row.link}
        </h2>
        {row.clearance ? (
          <Status icon="done" tone="teal">
            {t.exceptions.cleared(row.clearance.by, time(row.clearance.at))}
          </Status>
        ) : (
          <span class="secondary">{time(row.at)}</span>
        )}
      </div>
      <p>{what(row, words)}</p>
      {row.by && <p class="secondary">{t.exceptions.by(row.by)}</p>}
      {row.hit && (
        <a class="button small quiet" href={routeAddress("today", row.hit)}>
          {t.exceptions.openHit}
        </a>
      )}
      {row.clearance ? (
        <p>{t.decision.note(row.clearance.reason)}</p>
      ) : (
        <>
          <p class="note-card">{t.exceptions.whatToDo[row.kind]}</p>
          <Clearing key={exceptionKey(row)} row={row} />
        </>
      )}
    </section>
  );
}

export function Exceptions({ open }: { open: string | null }) {
  const { t } = useWords();
  const showCleared = useSignal(false);
  const cleared = exceptions.value.filter((row) => row.clearance);
  const rows = showCleared.value ? cleared : openExceptions.value;
  const late = openProposals.value.filter((row) => row.change === "late_hit");
  const found = exceptions.value.find((row) => exceptionKey(row) === open);
  const proposal = late.find((row) => row.proposal === open);
  const count = openExceptions.value.length;
  return (
    <main class="place split-place">
      <div class="list-column">
        <div class="heading">
          <h1>{count === 0 ? t.exceptions.none : t.exceptions.title(count)}</h1>
          {showCleared.value && (
            <Button kind="quiet" small class="heading-end" onClick={() => (showCleared.value = false)}>
              {t.exceptions.showOpen}
            </Button>
          )}
        </div>
        <ul class="hits" data-arrows>
          {rows.map((row) => (
            <li key={exceptionKey(row)}>
              <ExceptionRow row={row} open={exceptionKey(row) === open} />
            </li>
          ))}
          {!showCleared.value &&
            late.map((row) => (
              <li key={row.proposal}>
                <LateRow row={row} open={row.proposal === open} />
              </li>
            ))}
        </ul>
        {count + late.length === 0 && !showCleared.value && <p class="secondary">{t.exceptions.noneHint}</p>}
        {cleared.length > 0 && !showCleared.value && (
          <footer class="last-paid">
            <Status icon="done" tone="teal">
              {t.exceptions.clearedToday(cleared.length)}
            </Status>
            <Button kind="quiet" small onClick={() => (showCleared.value = true)}>
              {t.exceptions.showCleared}
            </Button>
          </footer>
        )}
      </div>
      {found ? (
        <ExceptionDetail row={found} />
      ) : proposal ? (
        <ProposalDetail proposal={proposal} />
      ) : (
        <p class="panel detail secondary">{t.exceptions.choose}</p>
      )}
    </main>
  );
}
