// The texts that the pages for staff share, in English. Every language has one file of this shape.

export interface StaffTexts {
  logIn: string;
  logInAgain: string;
  logInAgainHint: string;
  logOut: string;
  name: string;
  password: string;
  code: string;
  setPassword: string;
  firstCode: string;
  newPassword: string;
  newPasswordHint: string;
  haveCode: string;
  havePassword: string;
  noAnswer: string;
  unexpected: string;
  /** Said of a refusal that has no text in the page's language; the server's words follow. */
  refused: string;
  details: string;
  toDemo: string;
  /** Said in place of `toDemo` where a password is asked for that nobody was given. */
  demoLogsIn: string;
  closedCard: string;
  /** A card for a screen reader: "ace of spades". */
  card(rank: string, suit: string): string;
}

const RANKS: Readonly<Record<string, string>> = { A: "ace", K: "king", Q: "queen", J: "jack" };
const SUITS: Readonly<Record<string, string>> = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };

export const en: StaffTexts = {
  logIn: "Log in",
  logInAgain: "Log in again",
  logInAgainHint: "Your session has ended. What you typed is still there.",
  logOut: "Log out",
  name: "Name",
  password: "Password",
  code: "Code of the authenticator app",
  setPassword: "Set the password",
  firstCode: "Code from the administrator",
  newPassword: "New password",
  newPasswordHint: "12 to 128 characters, five different ones at least, without your name",
  haveCode: "First login, or password forgotten: I have a code",
  havePassword: "I have a password",
  noAnswer: "No answer from the server. This page asks again by itself.",
  refused: "The server refused it.",
  unexpected: "This page made a mistake. Load it again.",
  details: "Details",
  toDemo: "To the demo’s front page",
  demoLogsIn: "No password? The demo’s front page logs you in.",
  closedCard: "closed card",
  card: (rank, suit) => `${RANKS[rank] ?? rank} of ${SUITS[suit] ?? suit}`,
};
