// What the texts of several pages for staff have in common: names by id, titles of the games, and plurals.

export type Names = Readonly<Record<string, string>>;

/** Titles of the games, the same in each language. */
export const GAMES: Names = {
  "caribbean-stud": "Caribbean Stud Poker",
  "crazy-4-poker": "Crazy 4 Poker",
  "four-card-poker": "Four Card Poker",
  "let-it-ride": "Let It Ride Poker",
  "mississippi-stud": "Mississippi Stud",
  "texas-hold-em-bonus": "Texas Hold 'Em Bonus Poker",
  "ultimate-texas-hold-em": "Ultimate Texas Hold 'Em Poker",
};

/** Returns the name of an id: "royal-flush" is "Royal flush". An id of a later release is written as words. */
export function named(names: Names, id: string): string {
  const words = id.replaceAll(/[-_]/g, " ");
  return names[id] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

export function plural(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
