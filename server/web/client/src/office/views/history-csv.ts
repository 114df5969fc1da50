// The hits of a level in view as a CSV file, with the amounts as the API has them.

import type { History } from "../plot/history-data.js";
import { save } from "../save.js";

/** Writes a cell as RFC 4180 wants it, and no cell as a formula. */
function cell(value: string | number | null): string {
  const text = value === null ? "" : String(value);
  const plain = /^[=+@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/** Returns the CSV of the hits in view. */
export function hitsCsv(link: string, level: string, { marks }: Pick<History, "marks">): string {
  const head = ["link", "level", "hit", "at", "table", "hand", "percent", "state", "before", "due", "after"];
  const rows = marks.map((mark) => [
    link,
    level,
    mark.hit,
    new Date(mark.at).toISOString(),
    mark.table,
    mark.hand,
    mark.percent,
    mark.state,
    mark.before,
    mark.due,
    mark.after,
  ]);
  return [head, ...rows].map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";
}

/** Saves the hits in view as a file. */
export function downloadHits(link: string, level: string, history: History): void {
  const content = new Blob([hitsCsv(link, level, history)], { type: "text/csv" });
  save(`${link}-${level}-hits.csv`, content);
}
