// A reason: common ones as keys, or own words. What was typed stays until it was used.

import type { Signal } from "@preact/signals";
import { Choice } from "./parts.js";

interface ReasonProps {
  id: string;
  label: string;
  common: readonly string[];
  draft: Signal<string>;
}

/** Most characters of a reason, as the API takes it. */
const REASON_MOST = 200;

export function Reason({ id, label, common, draft }: ReasonProps) {
  return (
    <div class="reason">
      <div class="reasons" data-arrows>
        {common.map((text) => (
          <Choice key={text} chosen={draft.value === text} choose={() => (draft.value = text)}>
            {text}
          </Choice>
        ))}
      </div>
      <div class="field">
        <label for={id}>{label}</label>
        <input
          id={id}
          maxLength={REASON_MOST}
          autocomplete="off"
          value={draft.value}
          onInput={(event) => (draft.value = event.currentTarget.value)}
        />
      </div>
    </div>
  );
}
