// Shape and colour of each state: a word always stands beside them.

import type { Tone } from "../staff/controls.js";
import type { IconName } from "../staff/icons.js";
import type { TableWord } from "./model.js";

const HITS: Readonly<Record<string, readonly [IconName, Tone]>> = {
  pending: ["pending", "amber"],
  validated_by_rule: ["done", "teal"],
  validated: ["done", "teal"],
  paid: ["paid", "teal"],
};

export function hitIcon(state: string): IconName {
  return HITS[state]?.[0] ?? "rejected";
}

export function hitTone(state: string): Tone {
  return HITS[state]?.[1] ?? "vermilion";
}

export const TABLE_SIGNS: Readonly<Record<TableWord, readonly [IconName, Tone]>> = {
  open: ["open", "text-2"],
  locked: ["locked", "blue"],
  settling: ["settling", "amber"],
  lost: ["lost", "vermilion"],
  disabled: ["disabled", "text-2"],
};
