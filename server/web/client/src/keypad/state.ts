// The state of a table as the keypad knows it: the server's, brought forward by the outcomes of the table's own commands.

import type { Schema } from "../api/client.js";

export type Table = Schema<"Table">;
export type Round = Schema<"Round">;
export type Hit = Schema<"Hit">;
export type Command = Schema<"CommandRequest">;
export type Outcome = Schema<"CommandResponse">;
/** Paytable of a table, and the rules that it plays by. */
export type Play = Schema<"TablePlay">;
export type Line = Schema<"TableHand">;

/** States in which a hit of a round still counts. */
const STANDING: ReadonlySet<string> = new Set(["pending", "validated_by_rule", "validated", "paid"]);

export function stands(hit: Hit): boolean {
  return STANDING.has(hit.state);
}

/** Returns the hits that an outcome records. */
export function hitsOf(outcome: Outcome): readonly Hit[] {
  switch (outcome.command) {
    case "hit":
    case "envy":
    case "bonus":
      return [outcome.hit];
    case "settle":
      return outcome.hits;
    default:
      return [];
  }
}

function openRound(outcome: Schema<"CoinInResponse">, command: Command): Round {
  const [dealt, wagers] = command.command === "coin_in" ? [command.dealt, command.wagers] : [outcome.seats, []];
  const players = new Map(wagers.flatMap(({ seat, player }) => (player ? [[seat, player] as const] : [])));
  return {
    round: outcome.round,
    state: "locked",
    seats: outcome.seats,
    dealer_seats: outcome.dealer_seats,
    dealt: [...dealt].sort((one, other) => one - other),
    folded: [],
    magic_card: outcome.magic_card ?? null,
    lucky_position: outcome.lucky_position ?? null,
    players: [...players].map(([seat, player]) => ({ seat, player })),
    hits: [],
  };
}

function withHits(round: Round, hits: readonly Hit[]): Round {
  return { ...round, hits: [...hits], state: hits.some(stands) ? "settling" : "locked" };
}

function roundAfter(round: Round | null, command: Command, outcome: Outcome): Round | null {
  if (outcome.command === "coin_in") return openRound(outcome, command);
  if (outcome.command === "close" || outcome.command === "void") return null;
  if (round === null) return null;
  switch (outcome.command) {
    case "fold":
      return { ...round, folded: [...new Set([...round.folded, ...outcome.seats])].sort((a, b) => a - b) };
    case "cancel_hit":
      return withHits(
        round,
        round.hits.map((hit) => (hit.hit === outcome.hit ? { ...hit, state: "cancelled" as const } : hit)),
      );
    case "count":
      return round;
    default: {
      const known = new Set(round.hits.map((hit) => hit.hit));
      return withHits(round, [...round.hits, ...hitsOf(outcome).filter((hit) => !known.has(hit.hit))]);
    }
  }
}

/** Returns the table after the outcome of a command, unless the table is known beyond it. */
export function afterOutcome(table: Table, command: Command, outcome: Outcome): Table {
  if (outcome.sequence <= table.last_sequence) return table;
  return {
    ...table,
    last_sequence: outcome.sequence,
    next_sequence: outcome.sequence + 1,
    round: roundAfter(table.round ?? null, command, outcome),
    levels: outcome.levels.map(({ level, amount }) => ({ level, amount })),
    position: outcome.position,
  };
}

/** Returns the table after a refusal by the rules, which uses its number up and changes nothing else. */
export function afterRefusal(table: Table, sequence: number): Table {
  if (sequence <= table.last_sequence) return table;
  return { ...table, last_sequence: sequence, next_sequence: sequence + 1 };
}

/**
 * Returns a state that was read, with the paytable that is known: the response to a heartbeat leaves it out. It always
 * stands last, so that two equal states have equal texts.
 */
export function withPlay({ play, ...table }: Table, before: Table | null): Table {
  const isSame =
    before?.link === table.link && before.paytable === table.paytable && before.table_paytable === table.table_paytable;
  return { ...table, play: play ?? (isSame ? before.play : null) ?? null };
}

/** Returns a round's number: the number of its coin-in. */
export function roundNumber(round: string): string {
  return round.slice(round.lastIndexOf(".") + 1);
}
