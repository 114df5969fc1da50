// A late hit step by step: the table, the round, the hand with its cards, the dry run and the first signature.

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Schema } from "../api/client.js";
import { Button, ErrorNotice, Status } from "../staff/controls.js";
import { actionOf, draftOf, isWritten } from "./actions.js";
import { type LateRun, dryRunLate } from "./dry-run.js";
import { DryRunTable } from "./dry-run-table.js";
import { Choice, Heading } from "./parts.js";
import { CardPicker } from "./picker.js";
import { propose } from "./propose.js";
import { Reason } from "./reason.js";
import { type PastRound, WINDOW_MINUTES, readEntries, roundsOf, windowBefore } from "./rounds.js";
import { go, routeAddress } from "./route.js";
import { Unconfirmed } from "./sending.js";
import { Sign } from "./sign.js";
import type { Signature } from "./signing.js";
import { links, loadPaytable, paytables, tables } from "./store.js";
import { useWords } from "./words.js";

type Hand = Schema<"Hand">;
type Step = "table" | "round" | "hand" | "dry-run" | "sign";

/** What was chosen so far. It outlives the page's parts, so that no step back and no lost session loses it. */
const table = signal<string | null>(null);
const round = signal<PastRound | null>(null);
const rounds = signal<PastRound[] | null>(null);
const windows = signal(1);
const seat = signal<number | "dealer" | null>(null);
const hand = signal<Hand | null>(null);
const cards = signal<readonly string[]>([]);
const step = signal<Step>("table");
const run = signal<LateRun | null>(null);
const error = signal<unknown>(null);
let id = crypto.randomUUID();

function choose(name: string): void {
  if (table.value !== name) {
    round.value = null;
    rounds.value = null;
    windows.value = 1;
  }
  table.value = name;
  step.value = "round";
}

function linkOfTable(): Schema<"Link"> | undefined {
  const link = tables.value.find((row) => row.table === table.value)?.link;
  return links.value.find((row) => row.link === link);
}

async function readRounds(): Promise<void> {
  const name = table.value;
  const link = linkOfTable();
  if (!name || !link) return;
  error.value = null;
  try {
    const end = Date.now() + 60_000;
    const parts = Array.from({ length: windows.value }, (_, index) =>
      readEntries(link.link, name, windowBefore(end, index)),
    );
    const entries = (await Promise.all(parts)).reverse().flat();
    if (table.value === name) rounds.value = roundsOf(entries, name);
  } catch (refusal) {
    error.value = refusal;
  }
}

async function computeRun(): Promise<void> {
  const link = linkOfTable();
  if (!link || !round.value || !hand.value) return;
  run.value = null;
  error.value = null;
  const late = {
    link,
    round: round.value,
    hand: hand.value,
    cards: cards.value,
    onDealer: seat.value === "dealer",
  };
  try {
    run.value = await dryRunLate(late);
  } catch (refusal) {
    error.value = refusal;
  }
}

function Tables() {
  const { t } = useWords();
  return (
    <section class="panel">
      <h2>{t.late.table}</h2>
      <div class="choices" data-arrows>
        {tables.value
          .filter((row) => row.state !== "left")
          .map((row) => (
            <Choice key={row.table} class="" chosen={row.table === table.value} choose={() => choose(row.table)}>
              {row.table}
            </Choice>
          ))}
      </div>
    </section>
  );
}

function Rounds() {
  const { t, time, locale } = useWords();
  useEffect(() => void readRounds(), [table.value, windows.value]);
  const seats = (row: PastRound) => new Intl.ListFormat(locale).format(row.seats.map(String));
  return (
    <section class="panel">
      <h2>
        {t.late.round} <span class="secondary">{t.late.rounds(windows.value * WINDOW_MINUTES)}</span>
      </h2>
      <ErrorNotice error={error.value} />
      {rounds.value === null && error.value === null && <p class="secondary">{t.shell.loading}</p>}
      {rounds.value?.length === 0 && <p class="secondary">{t.late.noRounds}</p>}
      <ul class="short-hits" data-arrows>
        {rounds.value?.map((row) => (
          <li key={row.number}>
            <button
              type="button"
              disabled={row.closedAt === null}
              aria-pressed={row.number === round.value?.number}
              onClick={() => {
                round.value = row;
                seat.value = null;
                step.value = "hand";
              }}
            >
              <strong>{t.place.round(String(row.number))}</strong>
              <span class="secondary">
                {row.closedAt ? t.late.locked(time(row.lockedAt), time(row.closedAt)) : t.late.notOver}
              </span>
              <span>
                {t.seatWords.wager}: {seats(row)}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <Button kind="quiet" onClick={() => (windows.value += 1)}>
        {t.late.older}
      </Button>
    </section>
  );
}

/** The hands that the paytable of the table's link pays. */
function Hands() {
  const words = useWords();
  const { t } = words;
  const link = linkOfTable();
  const lines = link ? (paytables.value[link.paytable]?.lines ?? []) : [];
  return (
    <>
      <h2>{t.late.hand}</h2>
      <div class="choices" data-arrows>
        {lines.map((line) => (
          <Choice key={line.hand} chosen={hand.value === line.hand} choose={() => (hand.value = line.hand)}>
            {words.hand(line.hand)}
          </Choice>
        ))}
      </div>
    </>
  );
}

function HandForm() {
  const { t } = useWords();
  const link = linkOfTable();
  useEffect(() => {
    if (link) void loadPaytable(link.paytable).catch(() => {});
  }, [link?.paytable]);
  const reason = draftOf("late");
  const complete = seat.value !== null && hand.value !== null && isWritten(reason);
  return (
    <form
      class="panel step"
      onSubmit={(event) => {
        event.preventDefault();
        if (!complete) return;
        step.value = "dry-run";
        void computeRun();
      }}
    >
      <h2>{t.late.seat}</h2>
      <div class="choices seats" data-arrows>
        {round.value?.seats.map((number) => (
          <Choice key={number} chosen={seat.value === number} choose={() => (seat.value = number)}>
            {t.place.seat(number)}
          </Choice>
        ))}
        {(round.value?.dealer_seats.length ?? 0) > 0 && (
          <Choice chosen={seat.value === "dealer"} choose={() => (seat.value = "dealer")}>
            {t.place.dealer}
          </Choice>
        )}
      </div>
      <Hands />
      <h2>
        {t.late.cards} <span class="secondary">{t.picker.chosen(cards.value.length)}</span>
      </h2>
      <CardPicker cards={cards} />
      <Reason id="late-reason" label={t.late.reason} common={t.late.reasons} draft={reason} />
      <Button kind="go" type="submit" disabled={!complete}>
        {t.late.dryRun}
      </Button>
    </form>
  );
}

function proposalBody(reason: string): Schema<"ProposalRequest"> | null {
  if (!table.value || !round.value || !hand.value || seat.value === null) return null;
  return {
    change: "late_hit",
    table: table.value,
    round: round.value.number,
    ...(seat.value === "dealer" ? { dealer: true } : { seat: seat.value }),
    hand: hand.value,
    ...(cards.value.length > 0 ? { cards: [...cards.value] } : {}),
    reason,
  };
}

async function send(signature: Signature): Promise<void> {
  const reason = draftOf("late");
  const body = proposalBody(reason.value.trim());
  const link = linkOfTable();
  const action = actionOf("late");
  if (!body || !link) return;
  const sent = id;
  if (await propose(action, link.link, sent, body, signature)) {
    id = crypto.randomUUID();
    for (const part of [round, seat, hand, run]) part.value = null;
    cards.value = [];
    reason.value = "";
    table.value = null;
    step.value = "table";
    go("two-people", sent);
  } else if (!action.state.value.expired) {
    // The id stays with what was sent under it; a changed proposal is another one.
    id = crypto.randomUUID();
    step.value = "dry-run";
  }
}

function Run() {
  const words = useWords();
  const { t, time } = words;
  const action = actionOf("late");
  const differs = run.value?.reads && run.value.reads !== hand.value;
  const wrong = differs || run.value?.winsNothing;
  if (action.unanswered)
    return (
      <section class="panel decision">
        <Unconfirmed action={action} kind="other" amount={null} back={() => go("two-people")} />
      </section>
    );
  return (
    <div class="form-columns">
      <section class="panel">
        <h2>
          {t.two.dryRun} {run.value && <span class="secondary">{t.two.dryRunAt(time(run.value.at))}</span>}
        </h2>
        <p>
          {words.hand(hand.value)}, {table.value}{" "}
          {seat.value === "dealer" ? t.place.dealer : t.place.seat(seat.value ?? 0)},{" "}
          {t.place.round(String(round.value?.number ?? ""))}
        </p>
        {run.value ? <DryRunTable rows={run.value.rows} /> : <p class="secondary">{t.shell.loading}</p>}
        {run.value?.reads && (
          <Status icon={wrong ? "error" : "done"} tone={wrong ? "vermilion" : "teal"}>
            {run.value.winsNothing
              ? t.late.winsNothing
              : differs
                ? t.late.differs(words.hand(run.value.reads))
                : `${words.hand(run.value.reads)}: ${t.late.wins}`}
          </Status>
        )}
        <p class="secondary">{t.late.meterPays}</p>
        <ErrorNotice error={error.value} />
      </section>
      <Proposing wrong={Boolean(wrong)} />
    </div>
  );
}

/** The first signature of a late hit. */
function Proposing({ wrong }: { wrong: boolean }) {
  const { t } = useWords();
  const action = actionOf("late");
  return (
    <section class="panel decision">
      {step.value === "sign" ? (
        <Sign
          says={t.sign.proposes}
          right="adjust"
          busy={action.busy}
          back={() => (step.value = "dry-run")}
          signed={send}
        />
      ) : (
        <>
          <p>{t.decision.note(draftOf("late").value)}</p>
          <ErrorNotice error={action.state.value.error} />
          <Button kind="go" class="push" disabled={!run.value || wrong} onClick={() => (step.value = "sign")}>
            {t.late.propose}
          </Button>
          <Button kind="quiet" onClick={() => (step.value = "hand")}>
            {t.decision.back}
          </Button>
        </>
      )}
    </section>
  );
}

export function LateForm({ table: given }: { table: string | null }) {
  const { t } = useWords();
  useEffect(() => {
    if (given) choose(given);
  }, [given]);
  const order: Step[] = ["table", "round", "hand", "dry-run"];
  const here = step.value === "sign" ? 3 : order.indexOf(step.value);
  return (
    <main class="place">
      <Heading back={routeAddress("two-people")} label={t.decision.back}>
        <h1>{t.late.title}</h1>
        <ol class="steps">
          {t.late.steps.map((name, index) => (
            <li key={name}>
              <button
                type="button"
                aria-current={index === here ? "step" : undefined}
                disabled={index >= here}
                onClick={() => (step.value = order[index] ?? "table")}
              >
                {name}
              </button>
            </li>
          ))}
        </ol>
      </Heading>
      {step.value === "table" && <Tables />}
      {step.value === "round" && <Rounds />}
      {step.value === "hand" && <HandForm />}
      {(step.value === "dry-run" || step.value === "sign") && <Run />}
    </main>
  );
}
