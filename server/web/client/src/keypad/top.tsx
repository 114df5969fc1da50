// The bar on top: the table, its state, what waits, and the dealer's badge.

import { type IconName } from "../staff/icons.js";
import { Status, type Tone } from "../staff/controls.js";
import { GAMES, named } from "../text/names.js";
import { behind, useKeypad } from "./context.js";

/** Returns the state of the table: what keeps it from playing first, then its round. */
function useTableState(): [IconName, Tone, string, string?] {
  const { session, texts } = useKeypad();
  const { table } = session.kept.value;
  if (session.unplayable.value) return ["error", "vermilion", texts.unplayable];
  if (!table) return ["open", "text-2", texts.starting];
  if (table.state === "disabled") return ["disabled", "text-2", texts.disabled];
  if (table.state === "left") return ["disabled", "text-2", texts.left];
  if (table.state === "lost") return ["lost", "vermilion", texts.lost];
  if (table.link_state === "faulted") return ["error", "vermilion", texts.linkStates["faulted"] ?? ""];
  if (table.round?.state === "settling") return ["settling", "amber", texts.settling, texts.stateHints.settling];
  if (table.round) return ["locked", "blue", texts.locked, texts.stateHints.locked];
  if (table.link_state !== "open") return ["disabled", "text-2", texts.linkStates[table.link_state] ?? ""];
  return ["open", "text-2", texts.open, texts.stateHints.open];
}

export function TopBar() {
  const { session, texts, panel } = useKeypad();
  const { table, entries } = session.kept.value;
  const [icon, tone, state, hint = ""] = useTableState();
  const sent = entries.length > 0 ? texts.waiting(entries.length) : texts.allSent;
  const badge = session.device.value.badge;
  return (
    <header class="top">
      <h1 class="figure">
        <span class="unseen">{texts.title(session.table)}</span>
        <span aria-hidden="true">{session.table}</span>
      </h1>
      <p class="game">{table ? named(GAMES, table.game) : ""}</p>
      <p class="state" role="status" title={hint}>
        <Status icon={icon} tone={tone}>
          {state}
        </Status>
      </p>
      <p class="sent">{sent}</p>
      <button
        type="button"
        class={`button badge ${badge === null ? "missing" : ""}`}
        aria-label={`${texts.device}: ${badge ?? texts.badgeMissing}`}
        data-opens="device"
        onClick={() =>
          (panel.value = panel.value?.kind === "device" ? behind(panel.value) : { kind: "device", from: panel.value })
        }
      >
        {badge ?? texts.badgeMissing}
      </button>
    </header>
  );
}
