// The draft of a theme: what was typed, as texts, kept in this tab until it is saved.

import type { Schema } from "../../api/client.js";
import { readColour } from "../../themes/contrast.js";
import { LEVEL_COLOURS, isShipped } from "../../themes/index.js";
import { COLOURS, type ColourName, type HouseTheme } from "../../themes/own.js";

export interface LevelDraft {
  name: string;
  colour: string;
}

/** An empty text is the base's. */
export interface Draft {
  theme: string;
  base: string;
  name: string;
  locale: string;
  currency: string;
  colours: Readonly<Record<ColourName, string>>;
  levels: readonly LevelDraft[];
}

function levelsOf(levels: HouseTheme["levels"]): LevelDraft[] {
  return Array.from({ length: LEVEL_COLOURS }, (_, index) => ({
    name: levels[index]?.name ?? "",
    colour: levels[index]?.colour ?? "",
  }));
}

/** Returns the draft of a theme; of a new one without any. */
export function draftOf(theme: HouseTheme | null): Draft {
  const colours = COLOURS.map((name) => [name, theme?.colours[name] ?? ""] as const);
  return {
    theme: theme?.theme ?? "",
    base: theme?.base ?? "gold",
    name: theme?.name ?? "",
    locale: theme?.locale ?? "",
    currency: theme?.currency ?? "sign",
    colours: Object.fromEntries(colours) as Record<ColourName, string>,
    levels: levelsOf(theme?.levels ?? []),
  };
}

/** Leaves out what is empty. */
function filled<Values extends Record<string, string>>(values: Values): Partial<Values> {
  const entries = Object.entries(values).map(([name, value]) => [name, value.trim()] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== "")) as Partial<Values>;
}

/** Returns the body of the request: the whole look, without levels at the end that are the base's. */
export function requestOf(draft: Draft): Schema<"PutThemeRequest"> {
  const levels = draft.levels.map(({ name, colour }) => filled({ name, colour }));
  while (levels.length > 0 && Object.keys(levels.at(-1) ?? {}).length === 0) levels.pop();
  const { base, name, locale, currency } = draft;
  return {
    ...filled({ base, name, locale, currency }),
    colours: filled({ ...draft.colours }),
    levels,
  } as Schema<"PutThemeRequest">;
}

/** Returns the theme that the preview shows: what is no colour yet is the base's. */
export function previewOf(draft: Draft, artwork: HouseTheme["artwork"]): HouseTheme {
  const colour = (text: string) => (readColour(text.trim()) ? text.trim() : null);
  const colours = COLOURS.map((name) => [name, colour(draft.colours[name])] as const);
  return {
    theme: draft.theme,
    version: "draft",
    base: draft.base,
    name: draft.name.trim() || null,
    locale: draft.locale.trim() || null,
    currency: draft.currency,
    colours: Object.fromEntries(colours),
    levels: draft.levels.map((level) => ({ name: level.name.trim() || null, colour: colour(level.colour) })),
    artwork,
  };
}

export type Wrong = "name" | "text" | "colour" | "locale";

/** Returns what the server would refuse, by field, before it is asked. */
export function wrongOf(draft: Draft): Record<string, Wrong> {
  const wrong: Record<string, Wrong> = {};
  if (!/^[a-z][a-z0-9-]{0,31}$/.test(draft.theme) || isShipped(draft.theme)) wrong["theme"] = "name";
  const isText = (text: string) => !/[<>\p{Cc}]/u.test(text) && new TextEncoder().encode(text.trim()).length <= 48;
  if (!isText(draft.name)) wrong["name"] = "text";
  if (draft.locale.trim() !== "" && !/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(draft.locale.trim()))
    wrong["locale"] = "locale";
  for (const name of COLOURS) if (!isColour(draft.colours[name])) wrong[`colours.${name}`] = "colour";
  for (const [index, level] of draft.levels.entries()) {
    if (!isText(level.name)) wrong[`levels[${index}].name`] = "text";
    if (!isColour(level.colour)) wrong[`levels[${index}].colour`] = "colour";
  }
  return wrong;
}

function isColour(text: string): boolean {
  return text.trim() === "" || readColour(text.trim()) !== null;
}

const KEY = "meterhouse-theme-";

/** Reads the draft of this tab, if it has one. */
export function keptDraft(theme: string): Draft | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY + theme) ?? "null");
    if (typeof kept !== "object" || kept === null || !("colours" in kept) || !("levels" in kept)) return null;
    return { ...draftOf(null), ...(kept as Draft) };
  } catch {
    return null;
  }
}

export function keepDraft(theme: string, draft: Draft): void {
  sessionStorage.setItem(KEY + theme, JSON.stringify(draft));
}

export function dropDraft(theme: string): void {
  sessionStorage.removeItem(KEY + theme);
}
