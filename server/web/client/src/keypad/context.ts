// What each part of the keypad may ask for: its session, its texts, and the panel that is open.

import { type Signal, signal } from "@preact/signals";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { KeypadTexts } from "../text/keypad.js";
import type { Part } from "./round.js";
import type { Session } from "./session.js";

/** The bonuses that a round may draw. */
export const BONUSES = ["magic_card", "lucky_bonus"] as const;
export type Bonus = (typeof BONUSES)[number];

/** The cards of a round, by the parts that have them. */
export type Cards = ReadonlyMap<Part, readonly string[]>;

/** A hand that is being keyed: its seat (`null` is the dealer's hand), unless none is chosen, and its cards. */
export interface HandDraft {
  readonly kind: "hand";
  readonly hand: string;
  readonly seat?: number | null;
  readonly cards?: readonly string[];
}

/** The round that is being settled by its cards. */
export interface SettleDraft {
  readonly kind: "settle";
  readonly cards?: Cards;
  readonly part?: Part;
}

/** The panel over the keys. What is typed in it stays until it is sent or cancelled. */
export type Panel =
  | HandDraft
  | { kind: "bonus"; bonus: Bonus }
  | SettleDraft
  | { kind: "fold"; seats: readonly number[] }
  | { kind: "void" }
  | { kind: "count" }
  | { kind: "takeBack"; hit: string }
  | { kind: "device"; from: Panel | null };

/** Names the key that opens a panel: the focus goes back there when the panel closes. */
export function openerOf(panel: Panel): string {
  if (panel.kind === "hand") return `hand ${panel.hand}`;
  return panel.kind === "bonus" ? `bonus ${panel.bonus}` : panel.kind;
}

/** Returns the panel that the tablet's own one covers: it goes on where it was. */
export function behind(panel: Panel | null): Panel | null {
  return panel?.kind === "device" ? panel.from : null;
}

export interface Keypad {
  session: Session;
  texts: KeypadTexts;
  locale: string;
  panel: Signal<Panel | null>;
  /** The table is shown although the server is silent. */
  shownInSilence: Signal<boolean>;
  /** Hits in the states in which the dealer has put them aside. */
  asideHits: Signal<ReadonlySet<string>>;
}

export function newKeypad(session: Session, texts: KeypadTexts, locale: string): Keypad {
  return {
    session,
    texts,
    locale,
    panel: signal(null),
    shownInSilence: signal(false),
    asideHits: signal(new Set<string>()),
  };
}

const Context = createContext<Keypad | null>(null);

export const KeypadProvider = Context.Provider;

export function useKeypad(): Keypad {
  const keypad = useContext(Context);
  if (!keypad) throw new Error("a part of the keypad outside of its page");
  return keypad;
}
