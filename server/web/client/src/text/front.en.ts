// The texts of the front page, in English. Every language has one file of this shape.

export const en = {
  brand: "Meterhouse",
  demoRuns: "Demo is running",
  demoSilent: "Demo does not answer",
  size: (links: number, tables: number) => `${links} links, ${tables} tables, play money`,
  title: ["Play a royal flush, see it paid,", "find it in the books."],
  lead: "Tables share a jackpot. Each wager adds a few cents, a royal flush takes it all. Open the four places in order, each in a tab of its own.",
  keypad: {
    title: "The dealer’s keypad",
    text: (badge: string) =>
      `Tap seats, press COIN IN, then key a royal flush at seat 3. Your badge as the dealer is ${badge}.`,
    open: "Open the keypad",
    coinIn: "COIN IN",
  },
  sign: {
    title: "The overhead sign",
    text: "Watch the meters climb with each wager, and the win appear as Pending.",
    open: "Open the sign",
    wins: "Royal flush wins it",
  },
  floor: {
    title: "The floor",
    text: "See the hit as it lies on the felt, compare the cards, and approve it.",
    withPin: (pin: string) => `See the hit as it lies on the felt. Approve it with PIN ${pin}.`,
    pending: "Pending",
  },
  office: {
    title: "The office",
    text: "Find the payment in the books, to the cent, difference 0.00.",
  },
  openAs: (role: string, name: string) => `Open as ${role} ${name}`,
  orAs: "or as",
  pin: (pin: string) => `PIN ${pin}`,
  roles: {
    supervisor: "supervisor",
    manager: "manager",
    auditor: "auditor",
    administrator: "administrator",
  } as Readonly<Record<string, string>>,
  oneSession:
    "One person at a time is logged in in this browser, and open tabs go over to that one. For a second person, such as for a change by two people, take a private window.",
  glossaryTitle: "Words of the trade",
  glossary: [
    ["Envy", "A fixed award to the other players with a wager when somebody has a high hand."],
    ["Rack", "The dealer’s tray of chips: small awards are paid from it."],
    ["Slip", "The paper by which the cage, the cashiers’ desk, pays a large award."],
    ["GAME OVER", "The dealer’s key that ends a round, with all that was paid in it."],
  ] as readonly (readonly [string, string])[],
  manual: "Manual of the games",
  allSigns: "Signs of all links",
  rules: (title: string) => `Real server, real rules: ${title}`,
  plainTitle: "Where to?",
  plainLead: "Each place asks for its own login. Signs and the manual need none.",
  signs: "Overhead signs",
  signsText: "What players see: the meters of a link and its wins.",
  noLinks: "There is no link yet. A manager opens the first one in the office.",
  floorText: "For supervisors and the cage: waiting hits, cards, approvals, payments and slips.",
  officeText: "For managers, auditors and administrators: links, books, proposals, reports, people.",
  openFloor: "Open the floor",
  openOffice: "Open the office",
  keypadText: "For the dealer’s tablet at a table. It asks for the token of the table once.",
  table: "Name of the table",
  tableHint: "As in C4P-07",
  openTable: "Open the keypad",
  manualText: "What each hand pays, and how each game is dealt. Open to everybody.",
  openManual: "Open the manual",
  states: {
    open: "Open",
    suspended: "Suspended",
    closed: "Closed",
    faulted: "Faulted",
    unavailable: "No answer",
  } as Readonly<Record<string, string>>,
  noAnswer: "No answer from the server. This page asks again by itself.",
};

/** Shape of the texts of the front page: every language has one of it. */
export type FrontTexts = typeof en;
