// Themes of the house: a shipped theme with the colours, names and pictures that the house chose. Values alone come from the
// server; every variable of the style sheet is made here.

import { forNight, mix } from "./contrast.js";
import { type Picture, type Theme, themeOf } from "./index.js";

/** The colours that a theme may change. */
export const COLOURS = ["ground", "edge", "plate", "text", "link", "line"] as const;
export type ColourName = (typeof COLOURS)[number];

/** A theme of the house, as the server sends it (`HouseTheme`). */
export interface HouseTheme {
  theme: string;
  version: string;
  base: string;
  name: string | null;
  locale: string | null;
  currency: string;
  colours: Partial<Record<ColourName, string | null>>;
  levels: readonly { name?: string | null; colour?: string | null }[];
  artwork: { logo: Picture | null; background: Picture | null };
}

export function artworkAddress({ digest }: Picture): string {
  return `/v1/artwork/${digest}`;
}

/** Returns the variables of a ground that the house chose. Rays have its colour, so that they are never brighter. */
function groundVariables(base: Theme, ground: string): Record<string, string> {
  return { "--ground-centre": ground, ...(base.ground === "rays" ? { "--ray": ground, "--ray-opacity": "0.7" } : {}) };
}

/** Returns the variables of a neon tube in the colour of the first level. */
function tubeVariables(colour: string): Record<string, string> {
  return { "--tube": colour, "--tube-core": mix(colour, "#ffffff", 820), "--tube-glow": mix(colour, "#000000", 120) };
}

/** Returns the variables of the grounds of wins. Their rays stay as faint as the contrast was measured with. */
function plateVariables(plate: string, rays: number): Record<string, string> {
  return {
    "--plate": plate,
    "--plate-edge": mix(plate, "#000000", 600),
    "--win-ground": mix(plate, "#000000", 150),
    "--win-edge": mix(plate, "#000000", 700),
    "--win-ray-opacity": (rays * 0.7).toFixed(3),
  };
}

/** Returns the variables of a level's colour. Nothing of it is darker than the colour itself, which was measured. */
function levelVariables(base: Theme, index: number, colour: string): Record<string, string> {
  const lighter = (share: number) => mix(colour, "#ffffff", share);
  const neon = base.frame === "tube";
  const foil =
    base.frame === "stepped"
      ? `linear-gradient(${lighter(780)} 6%, ${lighter(450)} 34%, ${colour} 58%, ${lighter(300)} 66%, ${colour} 92%)`
      : `linear-gradient(${lighter(900)} 6%, ${lighter(500)} 45%, ${colour} 92%)`;
  const glow = neon
    ? `0 0 0.03em ${colour}, 0 0 0.1em ${mix(colour, "#000000", 150)}, 0 0 0.24em ${colour}88`
    : base.frame === "stepped"
      ? `0 0 0.1em ${colour}4d`
      : null;
  return {
    [`--level-${index}`]: colour,
    [`--solid-${index}`]: neon ? lighter(820) : colour,
    [`--foil-${index}`]: neon ? "none" : foil,
    [`--night-${index}`]: forNight(colour),
    ...(glow ? { [`--glow-${index}`]: glow } : {}),
  };
}

/** Returns a theme of the house as the sign draws it. */
export function composed(house: HouseTheme): Theme {
  const base = themeOf(house.base);
  const { ground, edge, plate, text, link, line } = house.colours;
  const rays = Number(base.variables["--win-ray-opacity"] ?? 0);
  const levels = house.levels.map(({ colour }, index) => (colour ? levelVariables(base, index, colour) : {}));
  return {
    ...base,
    variables: Object.assign(
      { ...base.variables },
      ground ? groundVariables(base, ground) : {},
      edge ? { "--ground-edge": edge } : {},
      plate ? plateVariables(plate, rays) : {},
      text ? { "--text": text } : {},
      link ? { "--link": link } : {},
      line ? { "--line": line } : {},
      base.frame === "tube" && house.levels[0]?.colour ? tubeVariables(house.levels[0].colour) : {},
      ...levels,
    ),
    house: {
      name: house.name,
      locale: house.locale,
      currency: house.currency,
      levelNames: house.levels.map(({ name }) => name ?? null),
      logo: house.artwork.logo,
      background: house.artwork.background,
    },
  };
}
