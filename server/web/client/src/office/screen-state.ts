// The state of a screen in a word, and what the form of a pairing sends.

import type { Schema } from "../api/client.js";

type Screen = Schema<"Screen">;
type Shown = Schema<"Shown">;

export type ScreenWord = "difference" | "stale" | "silent" | "waiting" | "showing";

/** Returns the word for what a screen showed of a link: a finding before what is only late. */
export function shownWord(shown: Pick<Shown, "difference" | "stale">): ScreenWord {
  if (shown.difference) return "difference";
  return shown.stale ? "stale" : "showing";
}

/** Returns the word for a screen. */
export function screenWord(screen: Screen): ScreenWord {
  if (screen.shown.length === 0) return "waiting";
  if (screen.shown.some((shown) => shown.difference)) return "difference";
  if (screen.silent) return "silent";
  return screen.shown.some((shown) => shown.stale) ? "stale" : "showing";
}

/** Returns the last time of which a screen was heard; null before the first. */
export function heardAt(screen: Screen): string | null {
  return screen.shown.reduce<string | null>((last, { until }) => (last === null || until > last ? until : last), null);
}

const LINK = "link:";

/** Returns the name of a link's box in the form. */
export const boxOf = (link: string) => LINK + link;

/** Returns the request of a pairing: the code without the gaps that a person types. */
export function pairingOf(values: Readonly<Record<string, string>>): Schema<"ScreenRequest"> {
  const links = Object.entries(values).flatMap(([name, value]) =>
    name.startsWith(LINK) && value === "yes" ? [name.slice(LINK.length)] : [],
  );
  const code = (values["code"] ?? "").replace(/[\s-]/g, "").toUpperCase();
  return { code, links, ...(values["replaces"] === "yes" ? { replaces: true } : {}) };
}
