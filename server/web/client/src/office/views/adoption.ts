// Adopting a table of fixed wagers: what its form sends, and how an adopted table is written in one line.

import type { Schema } from "../../api/client.js";
import type { OfficeTexts } from "../../text/office.js";

export type AdoptedTable = Schema<"AdoptedTable">;

type Pair = Readonly<Partial<Record<"reading" | "letter", string>>>;

/** Builds the change from the fields of a form. What was left empty is left out: the table pays its print. */
export function adoptionOf(fields: Pair & { paytable?: string; reason: string }): Schema<"AdoptTableProposal"> {
  const [reading, letter] = [fields.reading?.trim(), fields.letter?.trim()];
  return {
    change: "adopt_table",
    table: (fields.paytable ?? "").trim(),
    ...(reading ? { reading } : {}),
    ...(letter ? { letter } : {}),
    reason: fields.reason,
  };
}

/** Returns the field that the other one needs; null if both are there, or none. */
export function missingOf({ reading = "", letter = "" }: Pair): keyof Pair | null {
  if ((reading.trim() === "") === (letter.trim() === "")) return null;
  return letter.trim() === "" ? "letter" : "reading";
}

type Words = Pick<OfficeTexts["proposals"]["adoption"], "notAdopted" | "print">;

/** Writes by what a table pays: its reading, its print, or that it is not adopted. */
export function readingText(table: AdoptedTable | null | undefined, words: Words): string {
  return table ? (table.reading ?? words.print) : words.notAdopted;
}

/** Writes an adopted table in one line, without its id. */
export function adoptedText(table: AdoptedTable | null | undefined, words: Words): string {
  return [readingText(table, words), table?.letter, table?.returns].filter(Boolean).join(", ");
}
