// The felt, seen from behind the dealer: seat 1 left, the highest right, and what the round has in the middle.

import { PlayingCard, RefusalText } from "../staff/controls.js";
import { Icon } from "../staff/icons.js";
import { money } from "../staff/staff.js";
import { handText, levelText } from "../text/keypad.js";
import { refusedBy } from "../text/problems.js";
import { type Keypad, useKeypad } from "./context.js";
import { useShownHit } from "./hits.js";
import { type ChipMode, type SeatFace, facesOf, tapped } from "./round.js";
import { stands } from "./state.js";
import { placeText } from "./words.js";
import { signal } from "@preact/signals";

const mode = signal<ChipMode>("own");

/** Returns the centre of a seat in percent of the felt: the first and the last at the sides, the others above. */
function placeOf(index: number, count: number): { left: string; top: string } {
  if (count >= 4 && (index === 0 || index === count - 1)) return { left: index === 0 ? "9%" : "91%", top: "52%" };
  const [first, last, at] = count >= 4 ? [1, count - 2, index] : [0, count - 1, index];
  const part = last === first ? 0.5 : (at - first) / (last - first);
  const bow = Math.abs(part - 0.5) * 2;
  return { left: `${20.9 + part * 58.2}%`, top: `${5 + bow * 3}%` };
}

/** Chooses a seat for a fold, or takes it out again: one that got cards and has not folded. */
function chooseFold(keypad: Keypad, seat: number): void {
  const round = keypad.session.kept.value.table?.round;
  const open = keypad.panel.value;
  if (open?.kind !== "fold" || !round || round.folded.includes(seat)) return;
  if (!round.dealt.includes(seat) && !round.seats.includes(seat)) return;
  const seats = open.seats.includes(seat) ? open.seats.filter((one) => one !== seat) : [...open.seats, seat];
  keypad.panel.value = { kind: "fold", seats: [...seats].sort((one, other) => one - other) };
}

/** Returns what a tap on a seat does: sets its chip before COIN IN, and chooses it where a fold is keyed. */
export function seatTap(keypad: Keypad): ((seat: number) => void) | null {
  const { session, panel } = keypad;
  const { table, entries } = session.kept.value;
  if (panel.value?.kind === "fold") return (seat) => chooseFold(keypad, seat);
  if (!table || table.round || entries.length > 0) return null;
  return (seat) => {
    if (seat <= table.seats) session.chips.value = tapped(session.chips.value, seat, mode.value);
  };
}

const ICONS = { chip: "chip", sent: "chip", accepted: "done", folded: "disabled", folding: "disabled" } as const;

function Seat({ face, index, count, tap }: { face: SeatFace; index: number; count: number; tap: (() => void) | null }) {
  const { texts, panel } = useKeypad();
  const open = panel.value;
  const chosen = open?.kind === "fold" && open.seats.includes(face.seat);
  const hand = face.hit?.hand ? handText(texts, face.hit.hand) : null;
  const word = chosen ? texts.chosen : (hand ?? texts.faces[face.face]);
  const icon = hand || chosen ? undefined : ICONS[face.face as keyof typeof ICONS];
  const shown = useShownHit();
  const framed = face.hit !== null && shown?.hit === face.hit.hit;
  const said = [texts.seat(face.seat), word];
  if (face.dealer) said.push(texts.faces.dealerChip);
  if (face.player) said.push(texts.player(face.player));
  return (
    <button
      type="button"
      class={`seat ${face.face} ${chosen || framed ? "chosen" : ""}`}
      style={placeOf(index, count)}
      aria-pressed={face.face === "chip" || chosen || face.face === "accepted"}
      aria-disabled={tap === null}
      onClick={() => tap?.()}
    >
      <span class="unseen">{said.join(", ")}</span>
      {face.face === "sent" && (
        <svg class="running" aria-hidden="true">
          <rect pathLength="120" />
        </svg>
      )}
      {face.player && (
        <span class="player" aria-hidden="true">
          <Icon name="people" />
          {face.player}
        </span>
      )}
      <span class="number figure" aria-hidden="true">
        {face.seat}
      </span>
      <span class="face" aria-hidden="true">
        {icon && <Icon name={icon} />}
        {word}
      </span>
      {face.dealer && (
        <span class={`on-dealer ${face.dealer}`} aria-hidden="true">
          <Icon name="chip" />
          {texts.dealer}
        </span>
      )}
    </button>
  );
}

function ModeKeys() {
  const { session, texts } = useKeypad();
  const play = session.play.value;
  const modes: ChipMode[] = play?.bet_on_dealer ? ["own", "dealer", "players", "same"] : ["own", "players", "same"];
  return (
    <div class="segments" role="group" aria-label={texts.modesLabel}>
      {modes.map((one) => (
        <button
          type="button"
          key={one}
          class="segment"
          aria-pressed={mode.value === one}
          title={texts.modeTitles[one]}
          onClick={() => (mode.value = one)}
        >
          {texts.modes[one]}
        </button>
      ))}
    </div>
  );
}

function ChipsMiddle() {
  const { session, texts, locale } = useKeypad();
  const { table, entries } = session.kept.value;
  const { own, dealer, dealt } = session.chips.value;
  if (entries.some(({ command }) => command.command === "coin_in"))
    return (
      <>
        <p class="headline" role="status">
          {texts.unanswered}
        </p>
        <p>
          {session.trouble.value ? (
            <RefusalText refused={refusedBy(session.trouble.value)} say={texts.serverSays} />
          ) : (
            texts.unansweredHint
          )}
        </p>
      </>
    );
  const hints = {
    own:
      own.length + dealer.length > 0
        ? texts.chipHint(money(table?.wager ?? "0", locale))
        : dealt.length > 0
          ? texts.dealtHint
          : texts.chipsHint,
    dealer: texts.dealerHint,
    players: texts.playersHint,
    same: texts.sameHint,
  };
  return (
    <>
      <p class="headline">{texts.chips(own.length + dealer.length)}</p>
      <p>{hints[mode.value]}</p>
      <ModeKeys />
    </>
  );
}

/** The cards of the hit that is shown, or what the round has. */
function RoundMiddle() {
  const { session, texts, locale, panel } = useKeypad();
  const { table, count, entries } = session.kept.value;
  const waiting = entries.length;
  const shown = useShownHit();
  const round = table?.round;
  if (!table || !round) return null;
  if (shown?.cards && shown.cards.length > 0)
    return (
      <div class="laid">
        {shown.cards.map((card) => (
          <PlayingCard key={card} card={card} width={58} />
        ))}
      </div>
    );
  const counted = count?.round === round.round ? count : null;
  const [level] = table.levels;
  const lucky = round.lucky_position;
  return (
    <>
      <p class="headline" role="status">
        {texts.accepted(round.seats.length + round.dealer_seats.length)}
      </p>
      {counted?.differ ? (
        <p class="differs">{texts.countDiffers(counted.chips, counted.accepted)}</p>
      ) : round.magic_card || lucky ? (
        <p class="drawn">
          {round.magic_card && <PlayingCard card={round.magic_card} width={27} />}
          {round.magic_card && handText(texts, "magic_card")}
          {lucky && <strong>{texts.luckyAt(placeText(texts, lucky.seat ?? null))}</strong>}
        </p>
      ) : (
        <p>
          {counted ? texts.countSame(counted.chips) : level && texts.levelIs(levelText(texts, level.level))}{" "}
          {!counted && level && <strong class="figure">{money(level.amount, locale)}</strong>}
        </p>
      )}
      <div class="segments">
        <button
          type="button"
          class="segment"
          disabled={round.folded.length > 0 || round.hits.some(stands) || waiting > 0}
          data-opens="count"
          title={texts.countTitle}
          onClick={() => (panel.value = { kind: "count" })}
        >
          {texts.count}
        </button>
        {session.play.value && (
          <button
            type="button"
            class="segment"
            disabled={round.hits.some(stands) || waiting > 0}
            data-opens="settle"
            title={texts.settleHint}
            onClick={() => (panel.value = { kind: "settle" })}
          >
            {texts.settle}
          </button>
        )}
      </div>
    </>
  );
}

/** Moves the focus between the keys of a group by arrows. */
export function moveFocus(event: KeyboardEvent): void {
  const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  const keys = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLButtonElement>("button:enabled")];
  const at = keys.indexOf(event.target as HTMLButtonElement);
  if (step === 0 || at < 0) return;
  event.preventDefault();
  keys[(at + step + keys.length) % keys.length]?.focus();
}

export function Felt() {
  const keypad = useKeypad();
  const { session, texts } = keypad;
  const faces = facesOf(session.kept.value, session.chips.value);
  const tap = seatTap(keypad);
  return (
    <section class="felt" aria-label={texts.seatLabel} onKeyDown={moveFocus}>
      {faces.map((face, index) => (
        <Seat key={face.seat} face={face} index={index} count={faces.length} tap={tap && (() => tap(face.seat))} />
      ))}
      <div class="middle">{session.kept.value.table?.round ? <RoundMiddle /> : <ChipsMiddle />}</div>
    </section>
  );
}
