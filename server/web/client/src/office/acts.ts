// Acts in words: what a request was about, how it ended, and what else is known of it.

import type { Schema } from "../api/client.js";
import type { OfficeTexts } from "../text/office.js";

type Act = Schema<"RecordedAct">;
type Texts = OfficeTexts["proof"]["audit"];
type Kind = keyof Texts["requests"];

/** Requests by method and path; what stands in parentheses is the thing that they are about. */
const REQUESTS: readonly (readonly [RegExp, Kind])[] = [
  [/^PUT \/v1\/hits\/([^/]+)\/validation$/, "decision"],
  [/^PUT \/v1\/hits\/([^/]+)\/payouts\/\d+\/payment$/, "payment"],
  [/^PUT \/v1\/hits\/([^/]+)\/payouts\/\d+\/slip$/, "slip"],
  [/^PUT \/v1\/slips\/(\d+)\/reprints\/\d+$/, "reprint"],
  [/^PUT \/v1\/links\/([^/]+)$/, "opening"],
  [/^PUT \/v1\/links\/([^/]+)\/values$/, "values"],
  [/^PUT \/v1\/links\/([^/]+)\/suspension$/, "suspension"],
  [/^DELETE \/v1\/links\/([^/]+)\/suspension$/, "resumption"],
  [/^PUT \/v1\/links\/([^/]+)\/presentation$/, "presentation"],
  [/^PUT \/v1\/links\/([^/]+)\/proposals\/[^/]+$/, "proposal"],
  [/^PUT \/v1\/links\/([^/]+)\/proposals\/[^/]+\/approval$/, "approval"],
  [/^POST \/v1\/links\/([^/]+)\/exceptions\/\d+\/\d+\/clearance$/, "clearance"],
  [/^POST \/v1\/links\/([^/]+\/closings\/[^/]+)\/sign-off$/, "signOff"],
  [/^PUT \/v1\/tables\/([^/]+)$/, "join"],
  [/^PUT \/v1\/tables\/([^/]+)\/departure$/, "departure"],
  [/^PUT \/v1\/tables\/([^/]+)\/disabled$/, "tableOff"],
  [/^DELETE \/v1\/tables\/([^/]+)\/disabled$/, "tableOn"],
  [/^PUT \/v1\/tables\/([^/]+)\/presentation$/, "pit"],
  [/^PUT \/v1\/links\/([^/]+\/levels\/[^/]+)\/disabled$/, "levelOff"],
  [/^DELETE \/v1\/links\/([^/]+\/levels\/[^/]+)\/disabled$/, "levelOn"],
  [/^PUT \/v1\/themes\/([^/]+)$/, "theme"],
  [/^DELETE \/v1\/themes\/([^/]+)$/, "themeEnd"],
  [/^PUT \/v1\/themes\/([^/]+)\/artwork\/[^/]+$/, "artwork"],
  [/^DELETE \/v1\/themes\/([^/]+)\/artwork\/[^/]+$/, "artworkEnd"],
  [/^POST \/v1\/(signatures)$/, "signature"],
];

export interface About {
  kind: Kind;
  name: string;
}

/** Reads what a request was about; null for a request that has no words of its own. */
export function aboutOf(subject: string | null | undefined): About | null {
  for (const [pattern, kind] of REQUESTS) {
    const name = pattern.exec(subject ?? "")?.[1];
    if (name !== undefined) return { kind, name: decode(name.replace(/\/(closings|levels)\//, ", ")) };
  }
  return null;
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Returns the hit that a request decided about, if the server took the decision. */
export function decidedHit(act: Act): string | null {
  const about = act.act === "request" ? aboutOf(act.subject) : null;
  const status = act.details.find(({ name }) => name === "status")?.value ?? "";
  return about?.kind === "decision" && /^2/.test(status) ? about.name : null;
}

/** Most time between a decision and its act in the record. */
const APART_MS = 5_000;

type Decided = Pick<Schema<"HitDetail">, "state" | "decided_by" | "decided_at">;

/** Returns what an act decided about a hit, by what is known of the hit now; null if the hit was decided again since. */
export function decisionOf(act: Pick<Act, "name" | "at">, hit: Decided | undefined): "approved" | "rejected" | null {
  if (!hit?.decided_by || !hit.decided_at || hit.decided_by !== act.name) return null;
  if (Math.abs(Date.parse(hit.decided_at) - Date.parse(act.at)) > APART_MS) return null;
  if (hit.state === "rejected") return "rejected";
  return hit.state === "validated" || hit.state === "paid" ? "approved" : null;
}

/** Writes how an act ended and what else is known of it. */
export function detailsOf(act: Pick<Act, "details">, t: Texts): string {
  const given = new Map(act.details.map(({ name, value }) => [name, value]));
  const status = given.get("status");
  const on = given.get("on");
  const parts = [
    ...(status === undefined ? [] : [/^2/.test(status) ? t.done : t.refused(given.get("code") ?? status)]),
    ...(on === undefined ? [] : [t.on(on, t.proofs[given.get("on_proof") ?? ""] ?? "")]),
  ];
  const said = ["status", "on", "on_proof", ...(status === undefined ? [] : ["code"])];
  for (const [name, value] of given)
    if (!said.includes(name)) parts.push(`${t.detailNames[name] ?? name.replaceAll("_", " ")} ${value}`);
  return parts.join(", ");
}
