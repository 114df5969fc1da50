// The texts of the office, by locale.

import { en, type OfficeTexts } from "./office.en.js";
import { es } from "./office.es.js";
import { textsIn } from "./staff.js";

export type { OfficeTexts };

export function officeTextsOf(locale: string): OfficeTexts {
  return textsIn(locale, { en, es });
}
