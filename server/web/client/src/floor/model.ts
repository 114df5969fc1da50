// What the floor console knows by itself: pure functions of what the API says.

import type { Schema } from "../api/client.js";

export type Hit = Schema<"HitDetail">;
export type ListedTable = Schema<"ListedTable"> & { pit?: string | null };
export type Round = Schema<"Round">;
export type Holder = Schema<"Holder">;

/** State of a table as the floor says it. */
export type TableWord = "open" | "locked" | "settling" | "lost" | "disabled";

/** Age of a hit after which the word "long" stands beside it. */
const LONG_MS = 180_000;

/** Writes an age as minutes and seconds ("1:48"), from an hour on with hours. */
export function ageText(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const two = (value: number) => String(value).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

export function isLong(milliseconds: number): boolean {
  return milliseconds >= LONG_MS;
}

/** Returns the hits with the oldest first. */
export function oldestFirst<Row extends { keyed_at: string; hit: string }>(hits: readonly Row[]): Row[] {
  return [...hits].sort((one, other) => {
    const apart = Date.parse(one.keyed_at) - Date.parse(other.keyed_at);
    return apart === 0 ? one.hit.localeCompare(other.hit) : apart;
  });
}

/**
 * Returns the state of a table. A pending hit says more than a round that was read before it: the table is settling.
 */
export function tableWord(table: ListedTable, round: Round | null | undefined, hasPending: boolean): TableWord {
  if (table.state === "lost" || table.state === "unavailable") return "lost";
  if (table.state === "disabled") return "disabled";
  if (hasPending || round?.state === "settling") return "settling";
  return round ? "locked" : "open";
}

export interface Pit {
  name: string;
  /** False where the tables stand together because they share a link. */
  isPit: boolean;
  tables: ListedTable[];
}

/** Groups tables by pit, and those without one by link. A table that left its link is on no felt. */
export function byPit(tables: readonly ListedTable[]): Pit[] {
  const groups = new Map<string, Pit>();
  for (const table of tables) {
    if (table.state === "left") continue;
    const isPit = typeof table.pit === "string" && table.pit !== "";
    const name = isPit ? (table.pit as string) : table.link;
    const key = `${isPit ? "pit" : "link"} ${name}`;
    const group = groups.get(key) ?? { name, isPit, tables: [] };
    group.tables.push(table);
    groups.set(key, group);
  }
  const natural = new Intl.Collator("en", { numeric: true });
  for (const group of groups.values()) group.tables.sort((one, other) => natural.compare(one.table, other.table));
  return [...groups.values()].sort(
    (one, other) => Number(other.isPit) - Number(one.isPit) || natural.compare(one.name, other.name),
  );
}

/** Returns the number behind the point: "C4P-07.4711" is round 4711. */
export function numberOf(name: string): string {
  return name.slice(name.indexOf(".") + 1);
}

const RIGHTS: Readonly<Record<string, readonly string[]>> = {
  supervisor: ["validate", "pay", "reset", "adjust", "close"],
  manager: ["reset", "adjust", "close"],
};

/** Returns if a holder has one of the rights of the floor. The server decides; this only says so early. */
export function may(holder: Pick<Holder, "role" | "rights">, right: string): boolean {
  const ofRole = RIGHTS[holder.role] ?? [];
  return ofRole.includes(right) && (holder.rights?.includes(right) ?? true);
}

/** Returns how the button and the server's evaluation of the cards compare. */
export function agreement(hit: Pick<Hit, "evaluation" | "kind">): "same" | "differs" | "noCards" {
  if (!hit.evaluation) return "noCards";
  // A bonus names no hand, so that nothing can differ.
  return hit.evaluation.agrees || hit.kind === "magic_card" || hit.kind === "lucky_bonus" ? "same" : "differs";
}

/** Returns the hit before or after one in a list; the first one if the list has it no more. */
export function neighbour(names: readonly string[], current: string | null, step: 1 | -1): string | null {
  if (names.length === 0) return null;
  const index = current === null ? -1 : names.indexOf(current);
  if (index < 0) return names[0] ?? null;
  return names[Math.min(names.length - 1, Math.max(0, index + step))] ?? null;
}
