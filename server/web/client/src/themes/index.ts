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
  variables: Record<string, string>;
}

const THEMES: Readonly<Record<string, Theme>> = { gold, neon, heritage };

export function themeOf(wanted: string | null): Theme {
  return THEMES[wanted ?? "gold"] ?? gold;
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
