// The sign's texts in English. Every language has one file of this shape.

export interface Texts {
  pending: string;
  won: string;
  paid: string;
  notLive: string;
  since(time: string): string;
  table(table: string): string;
  newLevel(level: string): string;
  mustHitBy(amount: string): string;
  notInPlay: string;
  unknownLink(link: string): string;
  unknownLinkHint: string;
  pairTitle: string;
  pairHow: string;
  pairCode(code: string): string;
  pairUntil(time: string): string;
  pairFull: string;
  pairFullHint: string;
  noConnection: string;
  noConnectionHint: string;
  demonstration: string;
  levels: Readonly<Record<string, string>>;
  hands: Readonly<Record<string, string>>;
}

export const en: Texts = {
  pending: "Pending",
  won: "Won",
  paid: "Paid",
  notLive: "Not live",
  since: (time) => `since ${time}`,
  table: (table) => `Table ${table}`,
  newLevel: (level) => `New ${level}`,
  mustHitBy: (amount) => `Must hit by ${amount}`,
  notInPlay: "Not in play",
  unknownLink: (link) => `No jackpot named ${link}`,
  unknownLinkHint: "Check the name at the end of this page's address.",
  pairTitle: "This screen has no name yet",
  pairHow: "A manager opens Screens in the office, chooses Pair a screen, and enters this code.",
  pairCode: (code) => `Code of this screen: ${code}`,
  pairUntil: (time) => `Good until ${time}. Another code follows by itself.`,
  pairFull: "Too many screens wait",
  pairFullHint: "This screen asks again by itself. Pair the others first, or wait ten minutes.",
  noConnection: "No connection",
  noConnectionHint: "The sign shows its jackpots as soon as the server answers.",
  demonstration: "Name of the link",
  levels: {
    mega: "Mega",
    grand: "Grand",
    major: "Major",
    minor: "Minor",
    mini: "Mini",
    meter: "Jackpot",
    jackpot: "Jackpot",
  },
  hands: { magic_card: "Magic card", lucky_bonus: "Lucky bonus" },
};
