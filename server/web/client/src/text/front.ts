// The texts of the front page, by locale.

import { en, type FrontTexts } from "./front.en.js";
import { es } from "./front.es.js";
import { textsIn } from "./staff.js";

export type { FrontTexts };

export function frontTextsOf(locale: string): FrontTexts {
  return textsIn(locale, { en, es });
}
