// What is shown when the server is silent, contradicts a command, or refused one.

import { useState } from "preact/hooks";
import { Button, RefusalText, Status } from "../staff/controls.js";
import { Icon } from "../staff/icons.js";
import { time, useStaff } from "../staff/staff.js";
import { handText } from "../text/keypad.js";
import { refusedBy } from "../text/problems.js";
import { useKeypad } from "./context.js";
import { type Refusal, type RefusedCommand, mayRenumber } from "./outbox.js";
import { correctedBy, draftOf, foundHand, keyedIn } from "./refusal.js";
import type { Session } from "./session.js";
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
    ? [texts.roundStays, texts.roundStaysHint(round.seats.length + round.dealer_seats.length)]
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
          {round ? texts.openRound : texts.showTable}
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

/** What the dealer may do about a refused hand at once: key the one that the cards make, or change seat and cards. */
function Corrections({ refused, done }: { refused: RefusedCommand; done(): void }) {
  const { session, texts, panel } = useKeypad();
  const command = keyedIn(session.kept.value.table?.round, refused);
  if (command === null || panel.value !== null) return null;
  const found = foundHand(refused);
  const corrected = found === null ? null : correctedBy(command, found, session.play.value);
  const change = () => {
    panel.value = draftOf(command);
    done();
  };
  return (
    <>
      {corrected && (
        <Button small kind="go" onClick={() => void session.tap(corrected).then((taken) => taken && done())}>
          {texts.key(handText(texts, corrected.hand))}
        </Button>
      )}
      <Button small onClick={change}>
        {texts.change}
      </Button>
    </>
  );
}

/** The words for a refused command: the hand that its cards make, else the server's. */
function Why({ refused }: { refused: RefusedCommand }) {
  const { session, texts } = useKeypad();
  const found = foundHand(refused);
  if (found === null) return <RefusalText refused={refused.refusal} say={sentence} />;
  const wins = session.play.value?.hands.some((line) => line.hand === found) ?? true;
  return <>{texts.cardsMake(handText(texts, found), wins)}</>;
}

/** Returns true if a message of `Refusals` is due. */
export function isRefused({ kept, tapLost }: Session): boolean {
  return tapLost.value || kept.value.refused.length > 0;
}

/** The commands that the rules refused, in a row of their own below the buttons until the dealer has read them. */
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
  const dismiss = () => void session.dismiss(first.sequence);
  return (
    <div class="refusal notice" role="alert">
      <Icon name="error" />
      <div>
        <p>
          <strong>{texts.notCounted(commandText(texts, first.command, table?.round ?? null))}</strong>{" "}
          <Why refused={first} />
        </p>
        <Details refusal={first.refusal} />
      </div>
      <Corrections refused={first} done={dismiss} />
      <Button small onClick={dismiss}>
        {texts.read}
        {refused.length > 1 ? ` (${refused.length})` : ""}
      </Button>
    </div>
  );
}
