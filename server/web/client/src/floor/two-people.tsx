// Changes by two people: what waits, what was decided, and the way of each.

import { type Signal, useSignal } from "@preact/signals";
import { type Schema, api, dataOf } from "../api/client.js";
import { rightOf } from "../staff/changes.js";
import { Button, ErrorNotice, PlayingCard, Status } from "../staff/controls.js";
import { Icon } from "../staff/icons.js";
import { actionOf, draftOf, isWritten } from "./actions.js";
import { CorrectForm } from "./correct.js";
import { dryRunOf, effectRows } from "./dry-run.js";
import { DryRunTable, useDryRun } from "./dry-run-table.js";
import { LateForm } from "./late.js";
import { serverNow } from "./live.js";
import { may } from "./model.js";
import { StepForm } from "./parts.js";
import { Reason } from "./reason.js";
import { go, routeAddress } from "./route.js";
import { Unconfirmed } from "./sending.js";
import { Sign } from "./sign.js";
import { type Signature, headersOf } from "./signing.js";
import { type Proposal, loadProposals, loadRecent, openProposals, proposals } from "./store.js";
import { useWords, type Words } from "./words.js";

/** Decided proposals that the list shows. */
const DECIDED_MOST = 20;

function about(row: Proposal, words: Words): string {
  const { t, hand, level, money } = words;
  switch (row.change) {
    case "correct":
      return t.two.about.correct(row.hit);
    case "late_hit": {
      const place = `${row.table} ${words.seat({ seat: row.seat ?? null, dealer: !row.seat })}`;
      return t.two.about.late(hand(row.hand), `${place}, ${t.place.round(String(row.round))}`);
    }
    case "adjust":
      return t.two.about.adjust(level(row.level), row.account, money(row.amount));
    case "adopt_table":
      return t.two.about.adopt(row.table, row.reading ?? null);
    default:
      return t.two.about.other;
  }
}

/** Says more about an adoption than its row in the list has. */
function adoptionText(proposal: Proposal, { t }: Words): string {
  if (proposal.change !== "adopt_table") return "";
  const { letter, returns } = proposal;
  return [letter && t.two.about.letter(letter), returns && t.two.about.returns(returns)].filter(Boolean).join(" ");
}

/** Writes a time that is left ("23 h 41 min"). */
function leftText(milliseconds: number): string {
  const minutes = Math.max(0, Math.floor(milliseconds / 60_000));
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function People({ proposal }: { proposal: Proposal }) {
  const { t, time } = useWords();
  const left = leftText(Date.parse(proposal.expires_at) - serverNow());
  return (
    <div class="pair people">
      <div class="note-card">
        <p class="secondary">{t.two.proposed}</p>
        <h3>
          {proposal.proposed_by}, {proposal.proposed_department}
        </h3>
        <p class="secondary">
          {proposal.state === "open" ? t.two.proposedAt(time(proposal.proposed_at), left) : time(proposal.proposed_at)}
        </p>
      </div>
      <div class="note-card">
        {proposal.decided_by ? (
          <>
            <p class="secondary">{t.two.states[proposal.state]}</p>
            <h3>
              {proposal.decided_by}, {proposal.decided_department}
            </h3>
            <p class="secondary">{proposal.decided_at && time(proposal.decided_at)}</p>
          </>
        ) : (
          <>
            <p class="secondary">{t.two.mayApprove}</p>
            <h3>{t.two.anotherDepartment}</h3>
            <p class="secondary">{t.two.onlyWithdraw(proposal.proposed_by)}</p>
          </>
        )}
      </div>
    </div>
  );
}

export function ProposalDetail({ proposal }: { proposal: Proposal }) {
  const words = useWords();
  const { t, time } = words;
  const { run, error } = useDryRun(`${proposal.proposal} ${proposal.state}`, () =>
    proposal.state === "open" ? dryRunOf(proposal) : null,
  );
  const tone = proposal.state === "open" ? "blue" : proposal.state === "approved" ? "teal" : "vermilion";
  const icon = proposal.state === "open" ? "people" : proposal.state === "approved" ? "done" : "rejected";
  const cards = proposal.change === "late_hit" ? (proposal.cards ?? []) : [];
  return (
    <section class="panel detail">
      <div class="pit-head">
        <h2 class="detail-title">{t.two.changes[proposal.change] ?? proposal.change}</h2>
        <Status icon={icon} tone={tone}>
          {t.two.states[proposal.state]}
        </Status>
      </div>
      <p>
        {about(proposal, words)} {adoptionText(proposal, words)}{" "}
        <span class="secondary">{t.decision.note(proposal.reason)}</span>
      </p>
      {cards.length > 0 && (
        <div class="hit-cards">
          {cards.map((card) => (
            <PlayingCard key={card} card={card} width={58} />
          ))}
          {proposal.change === "late_hit" && (
            // The server takes no proposal whose cards make another hand.
            <Status icon="done" tone="teal">
              {words.hand(proposal.hand)}, {t.evidence.same}
            </Status>
          )}
        </div>
      )}
      {run && (
        <>
          <h3>
            {t.two.dryRun} <span class="secondary">{t.two.dryRunAt(time(run.at))}</span>
          </h3>
          {run.rows.length > 0 && <DryRunTable rows={run.rows} />}
          {proposal.change === "correct" && <p class="secondary">{t.correct.effectHint}</p>}
        </>
      )}
      <ErrorNotice error={error} />
      {proposal.effect && <Effect effect={proposal.effect} />}
      <People proposal={proposal} />
      {proposal.note && <p>{t.decision.note(proposal.note)}</p>}
      {proposal.state === "open" && <Deciding key={proposal.proposal} proposal={proposal} />}
    </section>
  );
}

function Effect({ effect }: { effect: Schema<"Effect"> }) {
  const { t } = useWords();
  const rows = effectRows(effect);
  return (
    <>
      <h3>{t.two.effect}</h3>
      {rows.length > 0 && <DryRunTable rows={rows} />}
      {effect.kind === "late_hit_recorded" && <p>{effect.from_meter ? t.two.fromMeter : t.two.fromHouse}</p>}
    </>
  );
}

type Step = "look" | "approve" | "note" | "decline";

function Deciding({ proposal }: { proposal: Proposal }) {
  const { t, holder } = useWords();
  const action = actionOf(`proposal ${proposal.proposal}`);
  const note = draftOf(`decline ${proposal.proposal}`);
  const step = useSignal<Step>("look");
  const right = rightOf(proposal.change);
  const own = holder.name.toLowerCase() === proposal.proposed_by.toLowerCase();

  async function decide(decision: "approve" | "decline", signature: Signature): Promise<void> {
    const body = decision === "approve" ? { decision } : { decision, note: note.value.trim() };
    const path = { link: proposal.link, proposal: proposal.proposal };
    const done = await action.run(signature, () =>
      dataOf(
        api.PUT("/v1/links/{link}/proposals/{proposal}/approval", {
          params: { path },
          body,
          headers: headersOf(signature),
        }),
      ),
    );
    await loadProposals().catch(() => {});
    void loadRecent().catch(() => {});
    if (done || !action.state.value.expired) step.value = "look";
    if (done) note.value = "";
  }

  if (action.unanswered)
    return <Unconfirmed action={action} kind="other" amount={null} back={() => go("two-people")} />;
  if (step.value === "approve" || step.value === "decline") {
    const approves = step.value === "approve";
    return (
      <Sign
        says={approves ? t.sign.seconds : t.sign.declines}
        right={right}
        not={approves ? [proposal.proposed_by] : []}
        busy={action.busy}
        back={() => (step.value = "look")}
        signed={(signature) => decide(approves ? "approve" : "decline", signature)}
      />
    );
  }
  if (step.value === "note") return <NoteForm note={note} own={own} step={step} />;
  return (
    <div class="stick">
      <ErrorNotice error={action.state.value.error} />
      <div class="pair wide-left">
        <Button kind={own ? "plain" : "go"} onClick={() => (step.value = "approve")}>
          {own ? t.two.handOver : t.two.approve}
        </Button>
        <Button kind="quiet" onClick={() => (step.value = "note")}>
          {own ? t.two.withdraw : t.two.decline}
        </Button>
      </div>
    </div>
  );
}

/** Asks why a change is declined, or withdrawn by the person who proposed it. */
function NoteForm({ note, own, step }: { note: Signal<string>; own: boolean; step: Signal<Step> }) {
  const { t } = useWords();
  return (
    <StepForm
      ready={isWritten(note)}
      label={own ? t.two.withdrawNow : t.two.declineNow}
      kind="stop"
      class=""
      next={() => (step.value = "decline")}
      back={() => (step.value = "look")}
    >
      <Reason id="decline-note" label={t.two.declineNote} common={[]} draft={note} />
    </StepForm>
  );
}

function ProposalRow({ row, open }: { row: Proposal; open: boolean }) {
  const words = useWords();
  const { t, time } = words;
  return (
    <a
      class={`exception ${open ? "open" : ""}`}
      href={routeAddress("two-people", row.proposal)}
      aria-current={open ? "true" : undefined}
    >
      <span class={row.state === "open" ? "two" : row.state === "approved" ? "cleared" : "alarm"}>
        <Icon name={row.state === "open" ? "people" : row.state === "approved" ? "done" : "rejected"} />
      </span>
      <span class="exception-text">
        <strong>{t.two.changes[row.change] ?? row.change}</strong>
        <span class="secondary">
          {row.proposed_by}, {row.proposed_department}
        </span>
        <span>{about(row, words)}</span>
      </span>
      <span class="figure">{time(row.proposed_at).slice(0, 5)}</span>
    </a>
  );
}

function ProposalRows({ rows, open }: { rows: readonly Proposal[]; open: string | null }) {
  return (
    <ul class="hits" data-arrows>
      {rows.map((row) => (
        <li key={row.proposal}>
          <ProposalRow row={row} open={row.proposal === open} />
        </li>
      ))}
    </ul>
  );
}

export function TwoPeople({ open }: { open: string | null }) {
  const { t, holder } = useWords();
  if (open === "late" || open?.startsWith("late/")) return <LateForm table={open.slice(5) || null} />;
  if (open === "correct" || open?.startsWith("correct/")) return <CorrectForm name={open.slice(8) || null} />;
  const found = proposals.value.find((row) => row.proposal === open);
  const waits = openProposals.value;
  const decided = proposals.value.filter((row) => row.state !== "open").slice(0, DECIDED_MOST);
  const mayOwn = may(holder, "adjust") && Boolean(holder.department);
  return (
    <main class="place split-place">
      <div class="list-column">
        <div class="heading">
          <h1>{waits.length === 0 ? t.two.none : t.two.title}</h1>
        </div>
        {waits.length === 0 && <p class="secondary">{t.two.noneHint}</p>}
        {!mayOwn && <p class="who">{holder.department ? t.decision.mayNot("adjust") : t.two.noDepartment}</p>}
        <div class="pair">
          <a class="button quiet" href={routeAddress("two-people", "late")}>
            {t.two.newLate}
          </a>
          <a class="button quiet" href={routeAddress("two-people", "correct")}>
            {t.two.newCorrect}
          </a>
        </div>
        <ProposalRows rows={waits} open={open} />
        {decided.length > 0 && <h2>{t.two.decided}</h2>}
        <ProposalRows rows={decided} open={open} />
      </div>
      {found ? <ProposalDetail proposal={found} /> : <p class="panel detail secondary">{t.two.choose}</p>}
    </main>
  );
}
