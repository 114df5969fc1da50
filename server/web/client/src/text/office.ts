// The texts of the office, by locale. English comes with the page; another language is loaded when it is asked for.

import { en, type OfficeTexts } from "./office.en.js";

export type { OfficeTexts };

let texts: OfficeTexts = en;

/** Loads the texts of a locale's language. */
export async function loadOfficeTexts(locale: string): Promise<void> {
  texts = locale.startsWith("es") ? (await import("./office.es.js")).es : en;
}

/** Returns the texts that were loaded. */
export function officeTexts(): OfficeTexts {
  return texts;
}
