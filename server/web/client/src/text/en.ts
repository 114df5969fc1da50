// The sign's texts in English. Every language has one file of this shape.

export interface Texts {
  pending: string;
  paid: string;
  notLive: string;
  since(time: string): string;
  table(table: string): string;
  newLevel(level: string): string;
  mustHitBy(amount: string): string;
  notInPlay: string;
  unknownLink(link: string): string;
  unknownLinkHint: string;
  noLink: string;
  noLinkHint: string;
  noConnection: string;
  noConnectionHint: string;
  demonstration: string;
  levels: Readonly<Record<string, string>>;
  hands: Readonly<Record<string, string>>;
}

export const en: Texts = {
  pending: "Pending",
  paid: "Paid",
  notLive: "Not live",
  since: (time) => `since ${time}`,
  table: (table) => `Table ${table}`,
  newLevel: (level) => `New ${level}`,
  mustHitBy: (amount) => `Must hit by ${amount}`,
  notInPlay: "Not in play",
  unknownLink: (link) => `No jackpot named ${link}`,
  unknownLinkHint: "Check the name at the end of this page's address.",
  noLink: "Which jackpot?",
  noLinkHint: "The address of a sign ends with the name of its link, as in /sign/main.",
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
