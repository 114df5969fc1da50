// The keypad's page: what is shown, and the keys of a keyboard.

import { useEffect, useRef } from "preact/hooks";
import { BonusPanel, CountPanel, FoldPanel, TakeBackPanel, VoidPanel } from "./ask.js";
import { behind, openerOf, useKeypad } from "./context.js";
import { Felt, seatTap } from "./felt.js";
import { HandPanel } from "./hand.js";
import { HitPanel, useOpenHits } from "./hits.js";
import { Keys, coinInObstacle, gameOverWaits } from "./keys.js";
import { Note } from "./note.js";
import { Contradiction, Refusals, Unplayable, isRefused } from "./outage.js";
import { SettlePanel } from "./settle.js";
import { stands } from "./state.js";
import { DevicePanel, Elsewhere, Message, TokenForm } from "./tablet.js";
import { TopBar } from "./top.js";

/** The keys below the felt, or the panel that covers them. */
function Lower() {
  const { session, panel } = useKeypad();
  const open = panel.value;
  const { contradiction, table } = session.kept.value;
  const covered = useOpenHits().length > 0;
  if (contradiction) return <Contradiction refusal={contradiction} />;
  if (table?.round) {
    if (open?.kind === "fold") return <FoldPanel seats={open.seats} />;
    if (open?.kind === "void") return <VoidPanel />;
    if (open?.kind === "count") return <CountPanel />;
    if (open?.kind === "bonus") return <BonusPanel bonus={open.bonus} />;
    if (open?.kind === "takeBack") {
      const hit = table.round.hits.find((one) => one.hit === open.hit && stands(one));
      if (hit) return <TakeBackPanel hit={hit} />;
    }
    if (covered) return <HitPanel />;
  }
  return <Keys />;
}

function TableView() {
  const { session, panel } = useKeypad();
  const open = panel.value;
  const play = session.play.value;
  if (session.kept.value.table?.round && play && session.kept.value.contradiction === null) {
    if (open?.kind === "hand")
      return (
        <>
          <HandPanel key={open.hand} hand={open.hand} />
          <Refusals />
        </>
      );
    if (open?.kind === "settle")
      return (
        <>
          <SettlePanel />
          <Refusals />
        </>
      );
  }
  return (
    <main class="board">
      <Felt />
      <Lower />
      {isRefused(session) ? <Refusals /> : <Note />}
    </main>
  );
}

/** Single letters and digits as keys, unless they are switched off or a field has the focus. */
function useLetters(): void {
  const keypad = useKeypad();
  const { session, panel } = keypad;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || (event.target as HTMLElement).matches("input")) return;
      if (event.key === "Escape") panel.value = behind(panel.value);
      const { letters } = session.device.value;
      const kind = panel.value?.kind;
      if (!letters || (kind !== undefined && kind !== "fold")) return;
      const { table } = session.kept.value;
      const key = event.key.toLowerCase();
      if (key === "?") panel.value = { kind: "device", from: panel.value };
      if (/^[1-9]$/.test(key)) seatTap(keypad)?.(Number(key));
      else if (key === "c" && coinInObstacle(session) === null) void session.coinIn(table?.wager ?? "");
      else if (key === "g" && gameOverWaits(session) === 0) void session.tap({ command: "close" });
      else if (key === "f" && gameOverWaits(session) !== null) panel.value = { kind: "fold", seats: [] };
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
}

/** Puts the focus back on the key that opened a panel, once the panel is closed. */
function useFocusBack(): void {
  const { panel } = useKeypad();
  const opener = useRef<string | null>(null);
  const open = panel.value;
  useEffect(() => {
    const back = document.querySelector<HTMLElement>(`[data-opens="${opener.current}"]`);
    if (open === null && document.activeElement === document.body) back?.focus({ preventScroll: true });
    opener.current = open && openerOf(open);
  }, [open]);
}

/** Keeps the tablet's screen on while the page is seen. */
function useAwake(): void {
  useEffect(() => {
    const wakeLock = navigator.wakeLock as WakeLock | undefined;
    const ask = () => {
      if (document.visibilityState === "visible") void wakeLock?.request("screen").catch(() => {});
    };
    ask();
    document.addEventListener("visibilitychange", ask);
    return () => document.removeEventListener("visibilitychange", ask);
  }, []);
}

function Body() {
  const { session, texts, panel, shownInSilence } = useKeypad();
  if (session.phase.value === "noDisk") return <Message title={texts.noDisk} hint={texts.noDiskHint} />;
  if (session.phase.value === "elsewhere") return <Elsewhere />;
  if (session.phase.value === "starting") return <Message title={texts.starting} hint={session.table} />;
  if (session.device.value.token === null || session.credential.value) return <TokenForm />;
  if (panel.value?.kind === "device") return <DevicePanel />;
  if (session.unplayable.value && !shownInSilence.value) return <Unplayable />;
  if (!session.kept.value.table) return <Message title={texts.starting} hint={session.table} />;
  return <TableView />;
}

export function App() {
  const { session, texts, shownInSilence } = useKeypad();
  useLetters();
  useAwake();
  useFocusBack();
  const silent = session.silentSince.value !== null;
  useEffect(() => {
    if (!silent) shownInSilence.value = false;
  }, [silent]);
  useEffect(() => {
    document.title = texts.title(session.table);
  }, []);
  return (
    <div class="keypad">
      <TopBar />
      <Body />
    </div>
  );
}
