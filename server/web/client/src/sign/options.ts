// The options in a sign's address: /sign/{link}?theme=&locale=&name=&hands=&night=&sound=,
// several links joined by "+".

import { readLocale } from "../text/index.js";
import { type Night, readNight } from "../wall/night.js";

/** Links on one sign at most: each has a connection of its own. */
export const LINKS_MAX = 12;

export interface SignOptions {
  links: readonly string[];
  theme: string | null;
  locale: string;
  /** Name to show in place of the link's title. */
  name: string | null;
  /** Hands that win the levels, from the first level on: "royal-flush,straight-flush,four-of-a-kind". */
  hands: readonly string[];
  /** The hours in which the sign is dimmed. */
  night: Night | null;
  /** Wins sound. */
  sound: boolean;
}

export function readOptions(address: URL): SignOptions {
  const last = address.pathname.split("/").filter(Boolean).at(-1) ?? "";
  const given = (name: string) => address.searchParams.get(name)?.trim() || null;
  return {
    links: readLinks(last === "sign" || last === "sign.html" ? (given("link") ?? "") : decode(last)),
    theme: given("theme"),
    locale: readLocale(given("locale")),
    name: given("name"),
    night: readNight(given("night")),
    sound: given("sound") === "on",
    hands: (given("hands") ?? "").split(",").map((hand) => hand.trim()),
  };
}

/** Reads "main+hand-bonus". In a query a plus is a blank. */
function readLinks(text: string): string[] {
  const names = text.split(/[+ ]/).filter((name) => name !== "");
  return [...new Set(names)].slice(0, LINKS_MAX);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
