// The texts that all views of the office share, in English. Each group of views has a file of its own beside this one.

import { access } from "./office-access.en.js";
import { books } from "./office-books.en.js";
import { hands } from "./names.en.js";
import { GAMES } from "./names.js";
import { house } from "./office-house.en.js";
import { links } from "./office-links.en.js";
import { proof } from "./office-proof.en.js";
import { proposals } from "./office-proposals.en.js";
import { reports } from "./office-reports.en.js";
import { themes } from "./office-themes.en.js";

/** Joins words as a list of alternatives: "a, b or c". */
function either(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

const roles: Readonly<Record<string, string>> = {
  supervisor: "Supervisor",
  manager: "Manager",
  auditor: "Auditor",
  administrator: "Administrator",
  controller: "Table controller",
  display: "Sign",
  witnessed: "Other house",
};

const states: Readonly<Record<string, string>> = {
  open: "Open",
  suspended: "Suspended",
  closed: "Closed",
  faulted: "Faulted",
  unavailable: "No answer",
  in_service: "In service",
  enabled: "Enabled",
  lost: "Lost",
  disabled: "Disabled",
  left: "Left",
  pending: "Pending",
  validated: "Validated",
  validated_by_rule: "Validated by rule",
  paid: "Paid",
  rejected: "Rejected",
  cancelled: "Cancelled",
  void: "Void",
  withdrawn: "Withdrawn",
  approved: "Approved",
  declined: "Declined",
  expired: "Expired",
  proposed: "Waits for a second person",
  ok: "OK",
  degraded: "Needs attention",
  failed: "Failed",
};

const common = {
  brand: "Meterhouse",
  skip: "Go to the content",
  menu: "Menu",
  views: "Views of the office",
  more: "Show more",
  loading: "Loading…",
  back: "Back",
  details: "Details",
  reason: "Reason",
  note: "Note",
  name: "Name",
  department: "Department",
  role: "Role",
  rights: "Rights",
  link: "Link",
  level: "Level",
  table: "Table",
  tables: "Tables",
  game: "Game",
  seats: "Seats",
  state: "State",
  hand: "Hand",
  hit: "Hit",
  amount: "Amount",
  when: "When",
  by: "By",
  from: "From",
  until: "Until",
  total: "Total",
  all: "All",
  any: "Any",
  none: "none",
  never: "never",
  yes: "Yes",
  no: "No",
  copy: "Copy",
  copied: "Copied",
  putAway: "Put away",
  csv: "CSV",
  pdf: "PDF",
  accountDepartment: (role: string, department: string | null) => (department ? `${role}, ${department}` : role),
  linkNamed: (link: string) => `Link ${link}`,
  seatNamed: (seat: number | null, dealer: boolean) => (dealer ? "dealer" : seat === null ? "" : `seat ${seat}`),
  whoMay: (named: readonly string[]) => `${either(named)} may do this.`,
  forOthers: "Not for your role",
  notFound: "There is no such view",
  notFoundHint: "Choose one at the left.",
  noLink: (name: string) => `There is no link ${name}`,
  missingHint: "Look at the spelling in the address, or choose a view at the left.",
  wrongAmount: (example: string) => `Write an amount in dollars, as in ${example}`,
  levelNamed: (level: string) => level.charAt(0).toUpperCase() + level.slice(1).replaceAll(/[-_]/g, " "),
  noLinks: "There is no link yet",
  noLinksHint: "Open the first one: the tables, meters and books of a house begin with a link.",
  roles,
  states,
  hands,
  games: GAMES,
  kinds: {
    line: "Line",
    envy: "Envy",
    magic_card: "Magic Card",
    lucky_bonus: "Lucky Bonus",
    bonus: "Bonus",
    supplement: "Supplement",
  } as Readonly<Record<string, string>>,
  eventKinds: {
    coin_in_accepted: "Coin-in accepted",
    chips_counted: "Chips counted",
    seats_folded: "Seats folded",
    round_settled: "Round settled",
    round_closed: "Round closed",
    round_voided: "Round void",
    hit_recorded: "Hit recorded",
    hit_cancelled: "Hit taken back",
    hit_validated: "Hit validated",
    hit_rejected: "Hit rejected",
    payout_paid: "Payout paid",
    change_proposed: "Change proposed",
    change_approved: "Change approved",
    change_declined: "Change declined",
  } as Readonly<Record<string, string>>,
  accounts: {
    fixed: "Fixed odds and envy",
    meter: "Meter",
    reserve: "Reserve",
    overflow: "Overflow",
    pending: "Pending",
    paid: "Paid",
    house: "House",
    players: "Players",
  } as Readonly<Record<string, string>>,
  nav: {
    links: "Links",
    history: "Level history",
    proposals: "Proposals",
    reconciliation: "Reconciliation",
    reports: "Reports",
    exceptions: "Exceptions",
    slips: "Slips",
    house: "House",
    tables: "Tables",
    devices: "Devices and tokens",
    screens: "Screens",
    themes: "Themes",
    people: "People",
    proof: "Proof",
    audit: "Audit log",
    evidence: "Evidence",
    verification: "Verification",
    health: "Health",
    me: "Your access",
    waiting: (count: number) => `${count} waiting`,
  },
};

export const en = { ...common, links, books, proposals, reports, house, access, proof, themes };

/** Shape of the texts of the office: every language has one of it. */
export type OfficeTexts = typeof en;
