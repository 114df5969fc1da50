// The texts of a locale, and names that have no text of their own.

import { en, type Texts } from "./en.js";
import { es } from "./es.js";

export type { Texts };

const LANGUAGES: Readonly<Record<string, Texts>> = { en, es };

/** Returns a locale that Intl takes and that has texts, else the default one. */
export function readLocale(wanted: string | null): string {
  try {
    const [locale] = Intl.getCanonicalLocales(wanted ?? "en-US");
    if (locale && LANGUAGES[locale.slice(0, 2)]) return locale;
  } catch {
    // No locale at all.
  }
  return "en-US";
}

export function textsOf(locale: string): Texts {
  return LANGUAGES[locale.slice(0, 2)] ?? en;
}

/** Writes "four-of-a-kind" as "four of a kind". */
function words(id: string): string {
  return id.replaceAll("-", " ").replaceAll("_", " ");
}

export function levelName(texts: Texts, level: string): string {
  return texts.levels[level] ?? words(level);
}

export function handName(texts: Texts, hand: string): string {
  return texts.hands[hand] ?? words(hand);
}

/** Writes a time of the day in the sign's own time zone, with 24 hours. */
export function clock(at: number, locale: string): string {
  return new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(at);
}
