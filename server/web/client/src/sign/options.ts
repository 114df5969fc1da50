// What a sign's address says: /sign/{link}?theme=&locale=&name=&hands=

import { readLocale } from "../text/index.js";

export interface SignOptions {
  link: string;
  theme: string | null;
  locale: string;
  /** Name to show in place of the link's title. */
  name: string | null;
  /** Hands that win the levels, from the first level on: "royal-flush,straight-flush,four-of-a-kind". */
  hands: readonly string[];
}

export function readOptions(address: URL): SignOptions {
  const last = address.pathname.split("/").filter(Boolean).at(-1) ?? "";
  const given = (name: string) => address.searchParams.get(name)?.trim() || null;
  return {
    link: last === "sign" || last === "sign.html" ? (given("link") ?? "") : decode(last),
    theme: given("theme"),
    locale: readLocale(given("locale")),
    name: given("name"),
    hands: (given("hands") ?? "").split(",").map((hand) => hand.trim()),
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
