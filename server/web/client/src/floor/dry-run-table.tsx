// The table of a dry run or an effect: a row each, with before and after.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { DryRow, DryRun } from "./dry-run.js";
import { useWords, type Words } from "./words.js";

/** Computes a dry run once for a key; `compute` returns null where there is none. */
export function useDryRun(key: string, compute: () => Promise<DryRun> | null): { run: DryRun | null; error: unknown } {
  const run = useSignal<DryRun | null>(null);
  const error = useSignal<unknown>(null);
  useEffect(() => {
    let current = true;
    run.value = null;
    error.value = null;
    compute()?.then(
      (found) => current && (run.value = found),
      (refusal: unknown) => current && (error.value = refusal),
    );
    return () => {
      current = false;
    };
  }, [key]);
  return { run: run.value, error: error.value };
}

function effectText(row: DryRow, { t, level }: Words): string {
  switch (row.kind) {
    case "displayed":
      return t.late.displayed(level(row.about));
    case "now":
      return t.late.now(level(row.about));
    case "level":
      return t.correct.levelNow(level(row.about));
    case "pays":
      return t.late.pays;
    case "envy":
      return t.late.envy;
    case "thisHit":
      return `${t.correct.thisHit}, ${row.about}`;
    case "payout":
      return `${t.correct.paidStays}, ${t.place.seat(Number(row.about))}`;
    case "table":
    case "reading":
    case "letter":
    case "returns":
      return t.two.adoption[row.kind];
    default:
      return row.about;
  }
}

/** Writes what stands before or after: an amount, or a text of an adopted table. */
function valueText(kind: DryRow["kind"], value: string | null, { t, money }: Words): string {
  if (value === null) return "";
  if (kind === "reading") return value || t.two.adoption.print;
  return kind === "table" || kind === "letter" || kind === "returns" ? value : money(value, false);
}

export function DryRunTable({ rows }: { rows: readonly DryRow[] }) {
  const words = useWords();
  const [effect, before, after] = words.t.two.columns;
  return (
    <table class="dry-run">
      <thead>
        <tr>
          <th scope="col">{effect}</th>
          <th scope="col">{before}</th>
          <th scope="col">{after}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index}>
            <th scope="row">{effectText(row, words)}</th>
            <td class="figure">{valueText(row.kind, row.before, words)}</td>
            <td class="figure">{valueText(row.kind, row.after, words)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
