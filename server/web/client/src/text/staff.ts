// The shared texts of the pages for staff, by locale.

import { en, type StaffTexts } from "./staff.en.js";
import { es } from "./staff.es.js";

/** Chooses the texts of a locale's language among those that there are; English otherwise. */
export function textsIn<Texts>(locale: string, languages: { en: Texts; es: Texts }): Texts {
  return locale.startsWith("es") ? languages.es : languages.en;
}

export function staffTextsOf(locale: string): StaffTexts {
  return textsIn(locale, { en, es });
}
