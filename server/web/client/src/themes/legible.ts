// How well each colour of a theme stands out: the least contrast that a text has anywhere on its grounds. It is the server's
// rule: both are compared with tests/api/themes/low.json.

import { contrast, readColour, under } from "./contrast.js";
import { LEVEL_COLOURS, type Theme, themeOf } from "./index.js";
import type { ColourName } from "./own.js";

/** The chosen colours; an empty or broken text is the base's. */
export interface Chosen {
  base: string;
  colours: Readonly<Record<ColourName, string>>;
  levels: readonly { colour: string }[];
}

type Rgb = NonNullable<ReturnType<typeof readColour>>;

/** Opacity of the texture of Heritage, which is drawn in the colour of lines. */
const LINE_TEXTURE = 60;
const GROUNDS = ["ground", "edge", "plate"] as const;
const FROM_BASE: Readonly<Record<ColourName, string>> = {
  ground: "--ground-centre",
  edge: "--ground-edge",
  plate: "--plate",
  text: "--text",
  link: "--link",
  line: "--line",
};

/** Returns the base's colour for a name or for the level at an index. */
export function baseColour(base: string, name: ColourName | number): string {
  const { variables } = themeOf(base);
  return variables[typeof name === "number" ? `--level-${name}` : FROM_BASE[name]] ?? "#000000";
}

function rgb(text: string, fromBase: string): Rgb {
  return readColour(text.trim()) ?? readColour(fromBase) ?? [0, 0, 0];
}

function grounds(chosen: Chosen, theme: Theme): Record<(typeof GROUNDS)[number], Rgb[]> {
  const of = (name: ColourName) => rgb(chosen.colours[name], baseColour(chosen.base, name));
  const texture = ([colour, opacity]: readonly (string | number)[]) =>
    [rgb(String(colour), "#000000"), Number(opacity)] as const;
  const textures = theme.textures.map(texture);
  if (theme.ground === "guilloche") textures.push([of("line"), LINE_TEXTURE]);
  const textured = (colour: Rgb, all: typeof textures) => [
    colour,
    ...all.map(([over, opacity]) => under(colour, over, opacity)),
  ];
  return {
    ground: textured(of("ground"), textures),
    edge: textured(of("edge"), textures),
    plate: textured(of("plate"), [texture(theme.winRays)]),
  };
}

/**
 * Returns the least contrast of each colour in hundredths, by field: `text`, `link`, `ground`, `level-0`. A ground has that
 * of the base's texts on it: a text in a chosen colour has its own. So have lines on a ground of the base.
 */
export function measure(chosen: Chosen): Record<string, number> {
  const theme = themeOf(chosen.base);
  const on = grounds(chosen, theme);
  const isChosen = (name: ColourName) => readColour(chosen.colours[name].trim()) !== null;
  const isLined = (ground: ColourName) =>
    theme.ground === "guilloche" && ground !== "plate" && isChosen("line") && !isChosen(ground);
  const text = (field: string, given: string, name: ColourName | number, wins: boolean) => ({
    field,
    colour: rgb(given, baseColour(chosen.base, name)),
    isBase: readColour(given.trim()) === null,
    wins,
  });
  const texts = [
    text("text", chosen.colours.text, "text", true),
    text("link", chosen.colours.link, "link", false),
    { field: "stale", colour: rgb(theme.variables["--stale"] ?? "", "#b4bac6"), isBase: true, wins: false },
  ];
  for (let index = 0; index < LEVEL_COLOURS; index += 1)
    texts.push(text(`level-${index}`, chosen.levels[index]?.colour ?? "", index, true));
  const measured: Record<string, number> = {};
  for (const { field, colour, isBase, wins } of texts)
    for (const ground of GROUNDS) {
      if (ground === "plate" && !wins) continue;
      const least = Math.min(...on[ground].map((one) => contrast(colour, one)));
      for (const name of isBase ? [field, ground, ...(isLined(ground) ? ["line"] : [])] : [field])
        measured[name] = Math.min(measured[name] ?? Infinity, least);
    }
  return measured;
}
