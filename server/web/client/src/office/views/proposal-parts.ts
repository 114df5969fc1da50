// What a proposal is about, in words, and who may decide it.

import type { Schema } from "../../api/client.js";
import type { OfficeTexts } from "../../text/office.js";
import type { Holder } from "../../staff/staff.js";
import { amount } from "../format.js";

export type Proposal = Schema<"Proposal">;

/** Names what a proposal is about: a hit, a level, a table's seat, a paytable; empty for the link itself. */
export function subjectOf(proposal: Proposal, t: OfficeTexts, locale: string): string {
  if (proposal.change === "correct") return proposal.hit;
  if (proposal.change === "adjust")
    return `${t.levelNamed(proposal.level)} ${amount(proposal.amount, locale, "signed")}`;
  if (proposal.change === "late_hit") return `${proposal.table}.${proposal.round}`;
  return proposal.change === "adopt_table" ? proposal.table : "";
}

/** Says if a person may approve a proposal, by the rule of two people; the server decides. */
export function standing(
  proposal: Pick<Proposal, "proposed_by" | "proposed_department">,
  holder: Pick<Holder, "name" | "department">,
): "mayDecide" | "samePerson" | "sameDepartment" {
  const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
  if (same(proposal.proposed_by, holder.name)) return "samePerson";
  return same(proposal.proposed_department, holder.department ?? "") ? "sameDepartment" : "mayDecide";
}

/** Returns the title of a proposal: its change and what it is about. */
export function titleOf(proposal: Proposal, t: OfficeTexts, locale: string): string {
  const p = t.proposals;
  return p.titleOf(p.changes[proposal.change] ?? proposal.change, subjectOf(proposal, t, locale));
}
