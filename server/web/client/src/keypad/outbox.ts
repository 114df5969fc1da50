// The outbox of a table's commands: a pure state machine over what is on the disk.
//
// Each step takes the kept state and returns the next one. The caller writes that to the disk before it does anything
// else: before it shows a tap as taken, before it sends, before it shows an outcome. A crash between two steps therefore
// leaves a state from which the same commands go out under the same numbers.

import {
  type Command,
  type Hit,
  type Outcome,
  type Round,
  type Table,
  afterOutcome,
  afterRefusal,
  withPlay,
} from "./state.js";

/** Most commands that wait without an outcome; a round has fewer. */
export const WAITING_MAX = 64;
/** Most refusals that are kept for the dealer to read; the oldest is dropped. */
const REFUSALS_MAX = 8;

/** A command with its number, without an outcome so far. */
export interface Entry {
  readonly sequence: number;
  readonly command: Command;
}

/** The server's words about a command. */
export interface Refusal {
  readonly code: string;
  readonly detail: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly requestId: string | null;
}

/** A command that the rules refused, until the dealer has read it. */
export interface RefusedCommand extends Entry {
  readonly refusal: Refusal;
}

/** The last closed round, for the line below the keys. */
export interface LastRound {
  readonly round: string;
  readonly end: "close" | "void";
  readonly hits: readonly Hit[];
  readonly dealt: readonly number[];
}

/** The last count of chips. */
export interface Count {
  readonly round: string;
  readonly chips: number;
  readonly accepted: number;
  readonly differ: boolean;
}

/** What the tablet keeps of a table. */
export interface Kept {
  /** Newest known state of the table; null before the first. */
  readonly table: Table | null;
  /** Commands without an outcome, by number, without a gap. */
  readonly entries: readonly Entry[];
  /** The server's contradiction of the first entry: it was not counted, and a person decides. */
  readonly contradiction: Refusal | null;
  readonly refused: readonly RefusedCommand[];
  readonly last: LastRound | null;
  readonly count: Count | null;
  /** Newest seal of the server, sent with a heartbeat. */
  readonly seal: string | null;
}

export const EMPTY: Kept = {
  table: null,
  entries: [],
  contradiction: null,
  refused: [],
  last: null,
  count: null,
  seal: null,
};

/** Returns the number of the next command. */
export function nextNumber(kept: Kept): number {
  const last = kept.entries.at(-1);
  if (last) return last.sequence + 1;
  return kept.table?.next_sequence ?? 1;
}

/** Numbers a command and appends it; returns null if the table is unknown or too many commands wait. */
export function append(kept: Kept, command: Command): Kept | null {
  if (kept.table === null || kept.entries.length >= WAITING_MAX || kept.contradiction !== null) return null;
  return { ...kept, entries: [...kept.entries, { sequence: nextNumber(kept), command }] };
}

/** Returns the command to send: the first without an outcome. */
export function toSend(kept: Kept): Entry | null {
  return kept.contradiction === null ? (kept.entries[0] ?? null) : null;
}

/** Returns a round that GAME OVER or a void ended. GAME OVER pays what was validated. */
function ended(round: Round | null | undefined, end: Command["command"] | undefined): LastRound | null {
  if (!round || (end !== "close" && end !== "void")) return null;
  const paid = (hit: Hit): Hit => (hit.state.startsWith("validated") ? { ...hit, state: "paid" } : hit);
  return {
    round: round.round,
    end,
    hits: end === "void" ? [] : round.hits.map(paid),
    dealt: round.dealt,
  };
}

function counted(round: Round | null | undefined, outcome: Outcome): Count | null {
  if (!round || outcome.command !== "count") return null;
  return { round: round.round, chips: outcome.chips, accepted: outcome.accepted, differ: outcome.differ };
}

/** Takes the outcome of the first entry. An outcome of any other number is old, and changes nothing. */
export function answered(kept: Kept, sequence: number, outcome: Outcome): Kept {
  const [first, ...rest] = kept.entries;
  if (first?.sequence !== sequence || kept.table === null) return kept;
  return {
    ...kept,
    table: afterOutcome(kept.table, first.command, outcome),
    entries: rest,
    contradiction: null,
    last: ended(kept.table.round, outcome.command) ?? kept.last,
    count: counted(kept.table.round, outcome) ?? kept.count,
  };
}

/** Takes a refusal by the rules of the first entry: it used the number up. */
export function refused(kept: Kept, sequence: number, refusal: Refusal): Kept {
  const [first, ...rest] = kept.entries;
  if (first?.sequence !== sequence || kept.table === null) return kept;
  return {
    ...kept,
    table: afterRefusal(kept.table, sequence),
    entries: rest,
    contradiction: null,
    refused: [...kept.refused, { ...first, refusal }].slice(-REFUSALS_MAX),
  };
}

/** Takes a contradiction: the server has another command under this number, or misses earlier ones. Nothing is sent on. */
export function contradicted(kept: Kept, sequence: number, refusal: Refusal): Kept {
  if (kept.entries[0]?.sequence !== sequence) return kept;
  return { ...kept, contradiction: refusal };
}

/**
 * Returns true if a contradicted command may be sent under another number: the server has said that the number is another
 * command's, or not its turn. After any other answer it would be refused again, or might have been counted long ago.
 */
export function mayRenumber(refusal: Refusal): boolean {
  return refusal.code === "sequence_reused" || refusal.code === "sequence_gap";
}

function renumbered(entries: readonly Entry[], from: number): readonly Entry[] {
  return entries.map((entry, index) => ({ ...entry, sequence: from + index }));
}

/**
 * Ends a contradiction as the dealer decided, with the state of the table that was read since: the contradicted command is
 * sent under the next number, or dropped. Later entries were never sent, so they may take other numbers.
 */
export function decided(kept: Kept, choice: "again" | "drop", table: Table): Kept {
  if (kept.contradiction === null) return kept;
  const again = choice === "again" && mayRenumber(kept.contradiction);
  const entries = again ? kept.entries : kept.entries.slice(1);
  return {
    ...kept,
    table: withPlay(table, kept.table),
    contradiction: null,
    seal: table.seal ?? kept.seal,
    entries: renumbered(entries, table.next_sequence),
  };
}

/**
 * Takes a state that the server sent. `since` is the number of outcomes that came while the request ran: a state that was
 * read before an outcome is older than what is kept, and only its lower number tells.
 */
export function read(kept: Kept, state: Table, since: number): Kept {
  const before = kept.table;
  if (since > 0 && state.last_sequence < (before?.last_sequence ?? 0)) return kept;
  const table = withPlay(state, before);
  const seal = table.seal ?? kept.seal;
  if (before && seal === kept.seal && isEqual(before, table)) return kept;
  // The state may come before the outcome of the command that ended the round.
  const over = before?.round && before.round.round !== table.round?.round ? before.round : null;
  return { ...kept, table, seal, last: ended(over, kept.entries[0]?.command.command) ?? kept.last };
}

/** Compares two states of a table, but for the time of the last sign of life. */
function isEqual(one: Table, other: Table): boolean {
  const text = (table: Table) => JSON.stringify({ ...table, heard_at: null });
  return text(one) === text(other);
}

/** Forgets a refusal that the dealer has read. */
export function dismissed(kept: Kept, sequence: number): Kept {
  return { ...kept, refused: kept.refused.filter((entry) => entry.sequence !== sequence) };
}
