// The keys of the table: the hands of its paytable, COIN IN, GAME OVER and Void. None moves between open and locked.

import { cardText } from "../staff/cards.js";
import { Button } from "../staff/controls.js";
import { type Obstacle, handText, levelText } from "../text/keypad.js";
import { BONUSES, type Bonus, useKeypad } from "./context.js";
import { unsettled } from "./round.js";
import type { Line } from "./state.js";
import { oddsText, paysText } from "./words.js";
import { money, useStaff } from "../staff/staff.js";
import type { Session } from "./session.js";

/** Returns what keeps COIN IN from being pressed; null if nothing does. */
export function coinInObstacle(session: Session): Obstacle | null {
  const { table, entries, contradiction } = session.kept.value;
  if (session.unplayable.value || !table) return "unplayable";
  if (entries.length > 0 || contradiction) return "waiting";
  if (table.round) return "round";
  if (table.state === "disabled" || table.state === "left" || table.state === "lost") return table.state;
  if (table.link_state !== "open") return table.link_state;
  if (table.disabled.length > 0) return "level";
  if (session.chips.value.own.length + session.chips.value.dealer.length === 0) return "chips";
  return null;
}

function CoinIn() {
  const { session, texts, locale } = useKeypad();
  const { table } = session.kept.value;
  const chips = session.chips.value.own.length + session.chips.value.dealer.length;
  const obstacle = coinInObstacle(session);
  const shown = obstacle !== null && obstacle !== "round" && obstacle !== "chips";
  return (
    <Button
      kind={obstacle === null ? "go" : "plain"}
      class="coin-in"
      disabled={obstacle !== null}
      onClick={() => void session.coinIn(table?.wager ?? "")}
    >
      {texts.coinIn}
      {shown && <small>{texts.obstacles[obstacle]}</small>}
      {obstacle === null && <span class="figure">{texts.coinInChips(chips, money(table?.wager ?? "0", locale))}</span>}
    </Button>
  );
}

/** Returns the number of hits that keep the round open, or null if GAME OVER does not apply. */
export function gameOverWaits(session: Session): number | null {
  const { table, entries, contradiction } = session.kept.value;
  if (
    !table?.round ||
    contradiction ||
    entries.some(({ command }) => command.command === "close" || command.command === "void")
  )
    return null;
  return unsettled(table.round).length;
}

export function GameOver() {
  const { session, texts, panel } = useKeypad();
  const waits = gameOverWaits(session);
  const { table, entries } = session.kept.value;
  const sent = entries.some(({ command }) => command.command === "close");
  return (
    <Button
      kind={waits === 0 ? "go" : "plain"}
      class="game-over"
      disabled={waits !== 0}
      onClick={() => {
        panel.value = null;
        void session.tap({ command: "close" });
      }}
    >
      {texts.gameOver}
      {table?.round && waits !== null && waits > 0 && <small>{texts.gameOverWaits(waits)}</small>}
      {sent && <small>{texts.gameOverSent}</small>}
    </Button>
  );
}

function HandKey({ line }: { line: Line }) {
  const { session, texts, locale, panel } = useKeypad();
  const { table, entries } = session.kept.value;
  const locked = Boolean(table?.round) && !entries.some(({ command }) => command.command === "close");
  const level = table?.levels.find(({ level }) => level === line.level);
  const amount =
    locked && line.percent === 100 && level
      ? `${levelText(texts, level.level)} ${money(level.amount, locale)}`
      : paysText(texts, line, locale);
  return (
    <button
      type="button"
      class={`hand-key ${line.level ? "of-level" : ""}`}
      disabled={!locked}
      data-opens={`hand ${line.hand}`}
      onClick={() => (panel.value = { kind: "hand", hand: line.hand })}
    >
      <span>{handText(texts, line.hand)}</span>
      <span class="pays">{amount}</span>
    </button>
  );
}

function BonusKey({ bonus, odds }: { bonus: Bonus; odds: number | null | undefined }) {
  const { session, texts, locale, panel } = useKeypad();
  const staff = useStaff();
  const round = session.kept.value.table?.round;
  const drawn = bonus === "magic_card" ? round?.magic_card : round?.lucky_position;
  const card = bonus === "magic_card" ? round?.magic_card : null;
  return (
    <button
      type="button"
      class="hand-key"
      disabled={!drawn}
      data-opens={`bonus ${bonus}`}
      onClick={() => (panel.value = { kind: "bonus", bonus })}
    >
      <span>{handText(texts, bonus)}</span>
      <span class="pays">{card ? cardText(staff.texts, card) : oddsText(texts, odds, locale)}</span>
    </button>
  );
}

export function VoidKey({ locked }: { locked: boolean }) {
  const { texts, panel } = useKeypad();
  return (
    <Button
      kind="stop"
      class="void"
      disabled={!locked}
      data-opens="void"
      onClick={() => (panel.value = { kind: "void" })}
    >
      {texts.void}
    </Button>
  );
}

export function Keys() {
  const { session, texts, panel } = useKeypad();
  const play = session.play.value;
  const locked = Boolean(session.kept.value.table?.round) && gameOverWaits(session) !== null;
  return (
    <div class="lower">
      <section class="hand-keys" aria-label={play?.title ?? texts.noPaytable}>
        {play ? (
          <>
            {play.hands.map((line) => (
              <HandKey key={line.hand} line={line} />
            ))}
            {BONUSES.filter((bonus) => play[bonus]).map((bonus) => (
              <BonusKey key={bonus} bonus={bonus} odds={play[bonus]} />
            ))}
          </>
        ) : (
          <p class="no-paytable">
            <strong>{texts.noPaytable}</strong> {texts.noPaytableHint}
          </p>
        )}
        <button
          type="button"
          class="hand-key fold-key"
          disabled={!locked}
          data-opens="fold"
          onClick={() => (panel.value = { kind: "fold", seats: [] })}
        >
          {texts.fold}
        </button>
      </section>
      <div class={`actions ${locked ? "is-locked" : "is-open"}`}>
        <VoidKey locked={locked} />
        <CoinIn />
        <GameOver />
      </div>
    </div>
  );
}
