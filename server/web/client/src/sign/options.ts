// What a sign's address says: /sign/{link}?theme=&locale=&name=&hands=, and what the link's presentation says. The address
// wins.

import type { Presentation } from "../api/feed.js";
import { readLocale } from "../text/index.js";

export interface AddressOptions {
  link: string;
  theme: string | null;
  locale: string | null;
  /** Name to show in place of the link's title. */
  name: string | null;
  /** Hands that win the levels, from the first level on: "royal-flush,straight-flush,four-of-a-kind". */
  hands: readonly string[];
}

export interface SignOptions extends AddressOptions {
  locale: string;
}

export function readOptions(address: URL): AddressOptions {
  const last = address.pathname.split("/").filter(Boolean).at(-1) ?? "";
  const given = (name: string) => address.searchParams.get(name)?.trim() || null;
  return {
    link: last === "sign" || last === "sign.html" ? (given("link") ?? "") : decode(last),
    theme: given("theme"),
    locale: given("locale"),
    name: given("name"),
    hands: (given("hands") ?? "").split(",").map((hand) => hand.trim()),
  };
}

/** Returns what a sign shows by: what its address leaves open, the link's presentation decides. */
export function presentedOptions(address: AddressOptions, presentation: Presentation | null): SignOptions {
  return {
    ...address,
    theme: address.theme ?? presentation?.theme ?? null,
    locale: readLocale(address.locale ?? presentation?.locale ?? null),
    name: address.name ?? presentation?.name ?? null,
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
