// The hand that is being keyed: the seats that may have it, the cards, and what the key says.

import { type KeypadTexts, handText } from "../text/keypad.js";
import { communityOf, usedIn } from "./cards.js";
import { type HandDraft, useKeypad } from "./context.js";
import { type Choice, choiceOf } from "./round.js";
import type { Session } from "./session.js";
import type { Command, Line, Play, Round, Table } from "./state.js";

export interface HandProps {
  table: Table;
  round: Round;
  play: Play;
  line: Line;
}

/** Returns true if a hit needs a badge, and the tablet has none. */
export function isBadgeMissing(session: Session): boolean {
  return session.play.value?.badge_required === true && session.device.value.badge === null;
}

function commandOf(line: Line, seat: number | null, envy: boolean, cards: readonly string[] | null): Command {
  const { hand } = line;
  const shown = cards ? { cards: [...cards] } : {};
  if (envy && seat !== null) return { command: "envy", seat, hand, ...shown };
  return seat === null ? { command: "hit", dealer: true, hand, ...shown } : { command: "hit", seat, hand, ...shown };
}

/** Writes the key's label: the hand, or what is missing to key it. */
function labelOf(
  texts: KeypadTexts,
  line: Line,
  of: { badge: boolean; seat: boolean; missing: number; envy: boolean },
) {
  const hand = handText(texts, line.hand);
  if (of.badge) return texts.keyBadgeMissing(hand);
  if (of.seat) return texts.keySeatMissing(hand);
  if (of.missing > 0) return texts.keyMissing(hand, of.missing);
  return of.envy ? texts.keyEnvy(hand) : texts.key(hand);
}

/** Returns the choice of each seat, and of the dealer's hand (`null`) if a wager is on it. */
function choicesOf({ table, round, play, line }: HandProps): ReadonlyMap<number | null, Choice> {
  const places: readonly (number | null)[] = [
    ...Array.from({ length: table.seats }, (_, index) => index + 1),
    ...(round.dealer_seats.length > 0 ? [null] : []),
  ];
  return new Map(places.map((seat) => [seat, choiceOf(round, play, line, seat)] as const));
}

/** Returns the draft of a hand in the panel that is open, and what changes it. */
function useDraft(hand: string, seat: number | null | undefined) {
  const { panel } = useKeypad();
  const draft = (): HandDraft => {
    const open = panel.value;
    const own = open?.kind === "hand" && open.hand === hand ? open : ({ kind: "hand", hand } as const);
    return seat === undefined || own.seat !== undefined ? own : { ...own, seat };
  };
  return { draft, change: (more: Partial<HandDraft>) => (panel.value = { ...draft(), ...more }) };
}

export function useHand(props: HandProps) {
  const { session, texts } = useKeypad();
  const { round, play, line } = props;
  const choices = choicesOf(props);
  const wagers = [...choices].filter(([, choice]) => choice === "hit").map(([seat]) => seat);
  // A single wager needs no choice.
  const { draft, change } = useDraft(line.hand, wagers.length === 1 ? wagers[0] : undefined);
  const chosen = draft().seat;
  const choice = chosen === undefined ? undefined : choices.get(chosen);
  const seat = choice === "hit" || choice === "envy" ? chosen : undefined;
  const community = communityOf(round, play);
  const need = play.cards.own + play.cards.community;
  // The board is the same for every hand: it is filled in once the own cards are there.
  const cards = () => {
    const own = draft().cards ?? [];
    return own.length === play.cards.own ? [...own, ...community.filter((card) => !own.includes(card))] : own;
  };
  const envy = choice === "envy";
  const badge = isBadgeMissing(session);
  return {
    choices,
    seat,
    choose: (one: number | null) => change({ seat: one }),
    envy,
    cards,
    need: () => need,
    used: () => usedIn(round, play, chosen === undefined ? -1 : chosen),
    change: (next: readonly string[]) => change({ cards: community.length > 0 ? next.slice(0, play.cards.own) : next }),
    ready: seat !== undefined && !badge,
    badgeMissing: badge,
    label: labelOf(texts, line, { badge, seat: seat === undefined, missing: need - cards().length, envy }),
    /** Keys the hand; resolves with true once the command is kept. */
    key: (withCards: boolean) =>
      seat === undefined
        ? Promise.resolve(false)
        : session.tap(commandOf(line, seat, envy, withCards ? cards() : null)),
  };
}
