// The options in a sign's address: /sign/{link}?theme=&locale=&name=&hands=&night=&sound=,
// several links joined by "+"; and what the presentations of the links say. The address wins.

import type { Presentation } from "../api/feed.js";
import { readLocale } from "../text/index.js";
import type { HouseParts } from "../themes/index.js";
import { type Night, readNight } from "../wall/night.js";

/** Links on one sign at most: each has a connection of its own. */
export const LINKS_MAX = 12;

export interface AddressOptions {
  links: readonly string[];
  theme: string | null;
  locale: string | null;
  /** Name to show in place of the link's own. Null on a sign of several links: one name can't be that of all. */
  name: string | null;
  /** Hands that win the levels, from the first level on: "royal-flush,straight-flush,four-of-a-kind". None with several links. */
  hands: readonly string[];
  /** The hours in which the sign is dimmed. */
  night: Night | null;
  /** Wins sound. */
  sound: boolean;
}

export interface SignOptions extends AddressOptions {
  locale: string;
  /** Name that the theme has for links without one of their own. */
  house: string | null;
  /** The currency's sign is written. */
  currency: boolean;
}

export function readOptions(address: URL): AddressOptions {
  const last = address.pathname.split("/").filter(Boolean).at(-1) ?? "";
  const given = (name: string) => address.searchParams.get(name)?.trim() || null;
  const links = readLinks(last === "sign" || last === "sign.html" ? (given("link") ?? "") : decode(last));
  const ofOne = (name: string) => (links.length > 1 ? null : given(name));
  return {
    links,
    theme: given("theme"),
    locale: given("locale"),
    name: ofOne("name"),
    night: readNight(given("night")),
    sound: given("sound") === "on",
    hands: (ofOne("hands") ?? "").split(",").map((hand) => hand.trim()),
  };
}

/** Returns what a sign shows by: what its address leaves open, the presentation of its first link decides. */
export function presentedOptions(
  address: AddressOptions,
  first: Presentation | null,
  house: HouseParts | null = null,
): SignOptions {
  return {
    ...address,
    theme: address.theme ?? first?.theme ?? null,
    locale: readLocale(address.locale ?? first?.locale ?? house?.locale ?? null),
    house: house?.name ?? null,
    currency: house?.currency !== "none",
  };
}

/** What a feed says about the name of its link. */
export interface LinkNames {
  title: string | null;
  presentation: Presentation | null;
}

/** Returns a paytable's title without its end that tells one paytable of a game from another: it says nothing to players. */
function titleForPlayers(title: string | null): string | null {
  return title?.replace(/,\s*(paytable\s+[\w.-]+|PTMGL\w*)$/i, "") ?? null;
}

/** Returns the name of a link: the one in the address, else that of its presentation, of the theme, else its title. */
export function linkName(
  options: Pick<SignOptions, "name" | "house">,
  { title, presentation }: LinkNames,
): string | null {
  return options.name ?? presentation?.name ?? options.house ?? titleForPlayers(title);
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
