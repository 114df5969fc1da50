import { en, type OfficeTexts } from "./office.en.js";
export const es: OfficeTexts = en;
