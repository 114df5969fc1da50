// The texts of notices, which the worker of the console shows.

import { type Names, named } from "./names.js";

interface NoticeTexts {
  hitWaits(table: string): string;
  level(name: string): string;
  somethingWaits: string;
}

const NONE: Names = {};

const en: NoticeTexts = {
  hitWaits: (table) => `A hit waits at ${table}`,
  level: (name) => named(NONE, name),
  somethingWaits: "Something waits on the floor",
};

const es: NoticeTexts = {
  hitWaits: (table) => `Un premio espera en ${table}`,
  level: (name) => named(NONE, name),
  somethingWaits: "Algo espera en la sala",
};

/** Returns the texts in the language of a locale. */
export function noticeTextsOf(locale: string): NoticeTexts {
  return locale.toLowerCase().startsWith("es") ? es : en;
}
