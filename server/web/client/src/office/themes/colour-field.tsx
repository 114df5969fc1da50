// A colour: the browser's picker, its text, how it stands out, and the way back to the base.

import { useId } from "preact/hooks";
import { Button } from "../../staff/controls.js";
import { Icon } from "../../staff/icons.js";
import { CONTRAST_LEAST, readColour } from "../../themes/contrast.js";
import { useOffice } from "../office.js";

interface ColourFieldProps {
  field: string;
  label: string;
  value: string;
  /** The base's colour, which an empty text stands for. */
  fallback: string;
  /** Least contrast in hundredths; null for a colour that no text depends on. */
  contrast: number | null;
  wrong: string | null;
  set(value: string): void;
}

/** Writes hundredths as a ratio, cut off to one decimal. */
function ratio(contrast: number, locale: string): string {
  return new Intl.NumberFormat(locale, { minimumFractionDigits: 1 }).format(Math.floor(contrast / 10) / 10);
}

function Contrast({ contrast }: { contrast: number }) {
  const { t, locale } = useOffice();
  const x = t.themes;
  const enough = contrast >= CONTRAST_LEAST;
  return (
    <span class={`contrast ${enough ? "enough" : "low"}`}>
      <Icon name={enough ? "done" : "error"} />
      <span class="figure">{x.contrast(ratio(contrast, locale))}</span>
      <span class="unseen">{enough ? x.enough : x.low}</span>
    </span>
  );
}

export function ColourField({ field, label, value, fallback, contrast, wrong, set }: ColourFieldProps) {
  const { t } = useOffice();
  const x = t.themes;
  const id = useId();
  const isColour = readColour(value.trim()) !== null;
  const shown = isColour ? value.trim().toLowerCase() : fallback;
  const isMeasured = contrast !== null && (isColour || value.trim() === "");
  return (
    <div class={`colour-field ${wrong ? "wrong" : ""}`} data-field={field}>
      <label for={id}>{label}</label>
      <input
        type="color"
        aria-label={x.pick(label)}
        value={shown}
        onInput={(event) => set(event.currentTarget.value)}
      />
      <input
        id={id}
        name={field}
        value={value}
        placeholder={fallback}
        maxLength={32}
        autocomplete="off"
        spellcheck={false}
        aria-invalid={wrong !== null}
        aria-describedby={wrong ? `${id}-wrong` : undefined}
        onInput={(event) => set(event.currentTarget.value)}
      />
      {isMeasured ? <Contrast contrast={contrast} /> : <span />}
      {value === "" ? (
        <span />
      ) : (
        <Button kind="quiet" small aria-label={x.clearOf(label)} onClick={() => set("")}>
          {x.clear}
        </Button>
      )}
      {wrong && (
        <p class="wrong-text" id={`${id}-wrong`}>
          {wrong}
        </p>
      )}
    </div>
  );
}
