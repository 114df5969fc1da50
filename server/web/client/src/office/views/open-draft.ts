// The draft of a link that is being opened: what was typed at each step, kept in this tab until the link is open.

import type { Schema } from "../../api/client.js";

export type Draft = Readonly<Record<string, string>>;

export const EMPTY: Draft = {
  step: "0",
  link: "",
  paytable: "",
  wager: "1.00",
  decks: "1",
  policy: "add",
  badge: "yes",
};

const KEY = "meterhouse-open-link";

/** Reads the draft of this tab; an empty one if there is none. */
export function readDraft(): Draft {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    if (typeof kept !== "object" || kept === null) return EMPTY;
    const entries = Object.entries(kept).filter((entry): entry is [string, string] => typeof entry[1] === "string");
    return { ...EMPTY, ...Object.fromEntries(entries) };
  } catch {
    return EMPTY;
  }
}

export function keepDraft(draft: Draft): void {
  sessionStorage.setItem(KEY, JSON.stringify(draft));
}

export function dropDraft(): void {
  sessionStorage.removeItem(KEY);
}

/** Reads a field for a whole number; undefined if it is empty or no number. */
function whole(draft: Draft, name: string): number | undefined {
  const text = (draft[name] ?? "").trim();
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

/** Builds the request from a draft: settings that are empty are left out. */
export function requestOf(draft: Draft, levels: readonly string[]): Schema<"OpenLinkRequest"> {
  const ceilings: Record<string, string> = {};
  for (const level of levels) {
    const ceiling = (draft[`ceiling-${level}`] ?? "").trim();
    if (ceiling !== "") ceilings[level] = ceiling;
  }
  const optional = {
    boxes_max: whole(draft, "boxes"),
    rounds_a_minute_max: whole(draft, "rate"),
    silence_seconds_max: whole(draft, "silence"),
    magic_card_one_in: whole(draft, "magic"),
    lucky_bonus_one_in: whole(draft, "lucky"),
  };
  const given = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined));
  return {
    paytable: draft["paytable"] ?? "",
    wager: (draft["wager"] ?? "").trim(),
    decks: whole(draft, "decks") ?? 1,
    reserve_policy: (draft["policy"] ?? "add") as Schema<"ReservePolicy">,
    badge_required: draft["badge"] === "yes",
    ...given,
    ...(Object.keys(ceilings).length > 0 ? { ceilings } : {}),
    ...(draft["confirm"] === "yes" ? { confirm_inferred: true } : {}),
    ...(draft["nothing"] === "yes" ? { pays_nothing: ["royal-flush"] } : {}),
  };
}
