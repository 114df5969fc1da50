// The themes: one JSON file each, whose variables are set on the document.

import gold from "./gold.json";
import heritage from "./heritage.json";
import neon from "./neon.json";

export interface FontRole {
  family: string;
  /** Cap height in em. */
  ratio: number;
  tracking: number;
  handTracking?: number;
}

/** Levels that a theme has colours for; further ones have them again. */
export const LEVEL_COLOURS = 6;

export interface Theme {
  name: string;
  text: FontRole;
  link: FontRole;
  emblem: string;
  frame: string;
  ground: string;
  cards: string;
  mega: { landscape: number; portrait: number; won: number };
  lower: { landscape: number; portrait: number };
  confetti: string[];
  /** Textures of the ground that contrast is measured with: colour, and opacity in thousandths. */
  textures: (string | number)[][];
  /** Rays on the plate of a win, likewise. */
  winRays: (string | number)[];
  /** What a theme of the house adds; null for a shipped theme. */
  house?: HouseParts | null;
  variables: Record<string, string>;
}

/** A picture of a theme of the house. */
export interface Picture {
  digest: string;
  width: number;
  height: number;
  /** Opacity of a background, in percent. */
  opacity_percent?: number | null;
}

/** The parts of a theme of the house that are no variables. */
export interface HouseParts {
  name: string | null;
  locale: string | null;
  currency: string;
  /** Names of levels by position; null for the level's own. */
  levelNames: readonly (string | null)[];
  logo: Picture | null;
  background: Picture | null;
}

const THEMES: ReadonlyMap<string, Theme> = new Map(Object.entries({ gold, neon, heritage }));

export function isShipped(name: string | null): boolean {
  return name === null || THEMES.has(name);
}

export function themeOf(wanted: string | null): Theme {
  return THEMES.get(wanted ?? "gold") ?? gold;
}

/** Sets a theme's variables. By script: the server's Content-Security-Policy admits no style in the markup. */
export function applyTheme(theme: Theme, root: HTMLElement): void {
  root.dataset["theme"] = theme.name;
  for (const [name, value] of Object.entries(theme.variables)) root.style.setProperty(name, value);
  root.style.setProperty("--text-font", `"${theme.text.family}", "Roboto Condensed", "Arial Narrow", sans-serif`);
  root.style.setProperty("--text-ratio", String(theme.text.ratio));
  root.style.setProperty("--link-font", `"${theme.link.family}", "Roboto Condensed", "Arial Narrow", sans-serif`);
  root.style.setProperty("--link-ratio", String(theme.link.ratio));
}
