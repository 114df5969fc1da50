// The rights of the person who is logged in, by role: what a person may not do is not offered.

import type { Holder } from "../staff/staff.js";

export type Right =
  | "read_link"
  | "read_floor"
  | "validate"
  | "pay"
  | "configure"
  | "run"
  | "reset"
  | "adjust"
  | "admit"
  | "read_acts"
  | "close";

const ROLES: Readonly<Record<string, readonly Right[]>> = {
  supervisor: ["read_link", "read_floor", "validate", "pay", "reset", "adjust", "close"],
  manager: ["read_link", "read_floor", "configure", "run", "reset", "adjust", "close"],
  auditor: ["read_link", "read_floor", "read_acts"],
  administrator: ["admit", "read_acts"],
};
/** Rights that a person may have fewer of than the role. */
const BY_NAME: readonly Right[] = ["validate", "pay", "configure", "run", "reset", "adjust", "close"];
/** Rights of two people, who need a department. */
const BY_TWO: readonly Right[] = ["reset", "adjust"];

/** Returns true if the person has the right. The server decides; the page only leaves out what it would refuse. */
export function may(holder: Pick<Holder, "role" | "rights" | "department">, right: Right): boolean {
  if (!(ROLES[holder.role] ?? []).includes(right)) return false;
  if (BY_TWO.includes(right) && (holder.department ?? null) === null) return false;
  const named = holder.rights as readonly string[] | null | undefined;
  return !named || !BY_NAME.includes(right) || named.includes(right);
}

/** Returns the roles that have a right. */
export function rolesWith(right: Right): string[] {
  return Object.keys(ROLES).filter((role) => ROLES[role]?.includes(right));
}
