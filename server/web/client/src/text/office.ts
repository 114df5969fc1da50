// The texts of the office, by locale. They are many: a page loads those of its own language alone.

import type { OfficeTexts } from "./office.en.js";

export type { OfficeTexts };

let texts: OfficeTexts;

/** Loads the texts of a locale's language. */
export async function loadOfficeTexts(locale: string): Promise<void> {
  texts = locale.startsWith("es") ? (await import("./office.es.js")).es : (await import("./office.en.js")).en;
}

/** Returns the texts that were loaded. */
export function officeTexts(): OfficeTexts {
  return texts;
}
