// What is shown when the server is silent, contradicts a command, or refused one.

import { useState } from "preact/hooks";
import { Button, RefusalText, Status } from "../staff/controls.js";
import { Icon } from "../staff/icons.js";
import { time, useStaff } from "../staff/staff.js";
import { refusedBy } from "../text/problems.js";
import { useKeypad } from "./context.js";
import { type Refusal, mayRenumber } from "./outbox.js";
import { roundNumber } from "./state.js";
import { commandText } from "./words.js";

function Waiting() {
  const { session, texts } = useKeypad();
  const { entries, table } = session.kept.value;
  return (
    <section class="panel">
      <h2>{entries.length > 0 ? texts.waitHere(entries.length) : texts.allSent}</h2>
      {entries.length === 0 && <p class="secondary">{texts.nothingWaits}</p>}
      <ol class="waiting">
        {entries.map(({ sequence, command }) => (
          <li key={sequence}>
            <span class="figure">{sequence}</span>
            <span>{commandText(texts, command, table?.round ?? null)}</span>
            <Status icon="locked" tone="blue">
              {texts.kept}
            </Status>
          </li>
        ))}
      </ol>
    </section>
  );
}

function RoundStays() {
  const { session, texts } = useKeypad();
  const { table, entries } = session.kept.value;
  const round = table?.round;
  const coinIn = entries.some(({ command }) => command.command === "coin_in");
  const [title, hint] = round
    ? [texts.roundStays(roundNumber(round.round)), texts.roundStaysHint(round.seats.length + round.dealer_seats.length)]
    : coinIn
      ? [texts.coinInWaits, texts.coinInWaitsHint]
      : [texts.noRound, texts.noRoundHint];
  return (
    <section class="panel">
      <h2>{title}</h2>
      <p class="secondary">{hint}</p>
    </section>
  );
}

/** The page while the server does not answer: what is so, what to do, what happens by itself. */
export function Unplayable() {
  const { session, texts, locale, shownInSilence } = useKeypad();
  const { table } = session.kept.value;
  const since = session.silentSince.value ?? session.now.value;
  const retry = session.retryAt.value;
  const seconds = retry === null ? 0 : Math.max(0, Math.ceil((retry - session.now.value) / 1_000));
  const round = table?.round;
  return (
    <main class="whole unplayable">
      <section class="warning" role="alert">
        <Icon name="error" />
        <div>
          <h2>{texts.takeNoChips}</h2>
          <p>{texts.takeNoChipsSince(time(new Date(since).toISOString(), locale))}</p>
          {session.trouble.value && (
            <p>
              <RefusalText refused={refusedBy(session.trouble.value)} say={texts.serverSays} />
            </p>
          )}
        </div>
      </section>
      <div class="columns">
        <RoundStays />
        <Waiting />
      </div>
      <p class="note">
        {seconds > 0 ? texts.tryingAgain(seconds) : texts.tryingNow} {texts.countOnce}
      </p>
      <div class="actions is-open">
        <Button kind="quiet" disabled={!table} onClick={() => (shownInSilence.value = true)}>
          {round ? texts.openRound(roundNumber(round.round)) : texts.showTable}
        </Button>
        <Button class="coin-in" disabled>
          {texts.coinIn} <small>{texts.obstacles.unplayable}</small>
        </Button>
        <Button onClick={() => session.wake()}>{texts.tryNow}</Button>
      </div>
    </main>
  );
}

/** Writes the server's words as a sentence of their own. */
function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.!?]$/.test(words) ? "" : "."}`;
}

function Details({ refusal }: { refusal: Refusal }) {
  const staff = useStaff();
  return (
    <details>
      <summary>{staff.texts.details}</summary>
      {[refusal.code, ...Object.entries(refusal.fields).map(([name, value]) => `${name} ${value}`), refusal.requestId]
        .filter(Boolean)
        .join(" · ")}
    </details>
  );
}

/** Two devices at one table: the server's words, and the dealer's decision. Nothing is sent until then. */
export function Contradiction({ refusal }: { refusal: Refusal }) {
  const { session, texts } = useKeypad();
  const [busy, setBusy] = useState<"again" | "drop" | null>(null);
  const { entries, table } = session.kept.value;
  const first = entries[0];
  if (!first) return null;
  const title =
    refusal.code === "sequence_reused"
      ? texts.contradictionTitle
      : refusal.code === "sequence_gap"
        ? texts.contradictionGap
        : texts.contradictionOther;
  const decide = (choice: "again" | "drop") => {
    setBusy(choice);
    void session.decide(choice).then(() => setBusy(null));
  };
  return (
    <div class="lower">
      <section class="ask contradiction" role="alert">
        <Status icon="people" tone="vermilion">
          {title}
        </Status>
        <p>{texts.contradictionHint(commandText(texts, first.command, table?.round ?? null))}</p>
        {entries.length > 1 && <p>{texts.contradictionLater(entries.length - 1)}</p>}
        <p class="secondary">
          <RefusalText refused={refusal} say={texts.serverSays} />
        </p>
        <Details refusal={refusal} />
      </section>
      <div class="actions panel-actions">
        <Button kind="stop" busy={busy === "drop"} onClick={() => decide("drop")}>
          {texts.drop}
        </Button>
        <span />
        {mayRenumber(refusal) ? (
          <Button class="main-action" busy={busy === "again"} onClick={() => decide("again")}>
            {texts.sendNext}
          </Button>
        ) : (
          <span />
        )}
      </div>
    </div>
  );
}

/** The commands that the rules refused, above the buttons until the dealer has read them. */
export function Refusals() {
  const { session, texts } = useKeypad();
  const { refused, table } = session.kept.value;
  const first = refused[0];
  if (session.tapLost.value)
    return (
      <div class="refusal notice" role="alert">
        <Icon name="error" />
        <p>{texts.notKept}</p>
        <Button small onClick={() => (session.tapLost.value = false)}>
          {texts.read}
        </Button>
      </div>
    );
  if (!first) return null;
  return (
    <div class="refusal notice" role="alert">
      <Icon name="error" />
      <div>
        <p>
          <strong>{texts.notCounted(commandText(texts, first.command, table?.round ?? null))}</strong>{" "}
          <RefusalText refused={first.refusal} say={sentence} />
        </p>
        <Details refusal={first.refusal} />
      </div>
      <Button small onClick={() => void session.dismiss(first.sequence)}>
        {texts.read}
        {refused.length > 1 ? ` (${refused.length})` : ""}
      </Button>
    </div>
  );
}
