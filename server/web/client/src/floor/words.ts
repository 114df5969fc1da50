// The words of the console: texts and formats of the person's language, and what a hit is called.

import { en } from "../text/floor.en.js";
import { es } from "../text/floor.es.js";
import { GAMES, named } from "../text/names.js";
import { textsIn } from "../text/staff.js";
import { count, money, time, useStaff } from "../staff/staff.js";
import type { Hit } from "./model.js";
import { oddsOf } from "./store.js";

type Named = Pick<Hit, "link" | "kind" | "hand" | "seat" | "dealer" | "table" | "level" | "percent" | "due">;

/** Returns texts, formats and names in the language of the page. */
export function useWords() {
  const { locale, holder } = useStaff();
  const t = textsIn(locale, { en, es });
  const hand = (name: string | null | undefined) => (name ? named(t.hands, name) : "");
  const level = (name: string) => named(t.levels, name);
  const seat = (hit: Pick<Hit, "seat" | "dealer">) =>
    hit.dealer || !hit.seat ? t.place.dealer : t.place.seat(hit.seat);
  return {
    t,
    locale,
    holder,
    hand,
    level,
    seat,
    game: (name: string) => named(GAMES, name),
    count: (value: number) => count(value, locale),
    money: (amount: string, currency = true) => money(amount, locale, currency),
    /** An amount without its cents if it has none: where there is little room. */
    whole: (amount: string) => money(amount, locale).replace(/[.,]00(?!\d)/, ""),
    time: (at: string | number) => time(new Date(at).toISOString(), locale),
    date: (at: string) => new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" }).format(new Date(at)),
    /** What won: the hand, or the bonus. */
    what(hit: Named): string {
      if (hit.kind === "envy") return t.place.envyOf(hand(hit.hand));
      return hand(hit.kind === "line" ? hit.hand : hit.kind);
    },
    place: (hit: Named) => `${hit.table}, ${seat(hit)}`,
    /** What it takes, in a list: all of a level is its name alone. */
    takesShort(hit: Named): string {
      return hit.level && hit.percent === 100 ? level(hit.level) : this.takes(hit);
    },
    /** What it takes: a part of a level, or fixed odds. */
    takes(hit: Named): string {
      if (hit.level && hit.percent) return t.place.percentOf(hit.percent, level(hit.level));
      const odds = oddsOf(hit);
      return odds === null ? t.place.fixed : t.place.oddsOf(count(odds, locale));
    },
  };
}

export type Words = ReturnType<typeof useWords>;
