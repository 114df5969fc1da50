import { expect, test } from "vitest";
import { type Draft, draftOf, previewOf, requestOf, wrongOf } from "../src/office/themes/draft.js";
import { contrast, forNight, mix, readColour } from "../src/themes/contrast.js";
import { LEVEL_COLOURS, isShipped, themeOf } from "../src/themes/index.js";
import { measure } from "../src/themes/legible.js";
import { COLOURS, type HouseTheme, composed } from "../src/themes/own.js";
import figures from "../../../../tests/api/themes/contrasts.json";
import faint from "../../../../tests/api/themes/low.json";

function rgb(text: string) {
  const colour = readColour(text);
  if (!colour) throw new Error(text);
  return colour;
}

const CROWN: HouseTheme = {
  theme: "crown-room",
  version: "1.0",
  base: "gold",
  name: "Crown Room",
  locale: "es-MX",
  currency: "none",
  colours: { ground: "#2a1030", line: "#d9a94a" },
  levels: [{ name: "Grand", colour: "#ffd98a" }, {}, { colour: "#e6d6ff" }],
  artwork: { logo: null, background: null },
};

test("the contrast is the server's", () => {
  for (const [one, other, expected] of figures as [string, string, number][])
    expect(contrast(rgb(one), rgb(other)), `${one} ${other}`).toBe(expected);
});

test("the same colours are too faint as for the server", () => {
  for (const theme of faint) {
    const draft = draftOf({ ...CROWN, ...(theme as Pick<HouseTheme, "base" | "colours" | "levels">) });
    const measured = measure(draft);
    const low = [
      ...COLOURS.filter((name) => draft.colours[name] && (measured[name] ?? 700) < 700).map(
        (name) => `colours.${name}`,
      ),
      ...draft.levels.flatMap(({ colour }, index) =>
        colour && (measured[`level-${index}`] ?? 700) < 700 ? [`levels[${index}].colour`] : [],
      ),
    ];
    expect(low, JSON.stringify(theme)).toEqual(theme.low);
  }
});

test("every shipped theme has six colours that stand out by 7:1 on each ground", () => {
  for (const base of ["gold", "neon", "heritage"]) {
    const theme = themeOf(base);
    const levels = Array.from({ length: LEVEL_COLOURS }, (_, index) => theme.variables[`--level-${index}`]);
    expect(new Set(levels).size).toBe(6);
    const measured = measure(draftOf({ ...CROWN, base, colours: {}, levels: [] }));
    for (const [field, least] of Object.entries(measured))
      expect(least, `${base} ${field}`).toBeGreaterThanOrEqual(700);
    for (let index = 0; index < LEVEL_COLOURS; index += 1)
      for (const name of ["solid", "foil", "night", "glow"])
        expect(theme.variables).toHaveProperty(`--${name}-${index}`);
  }
});

test("what is chosen is measured where it stands", () => {
  const draft = draftOf({ ...CROWN, colours: { text: "#888888", plate: "#604010" }, levels: [] });
  const measured = measure(draft);
  expect(measured["text"]).toBeLessThan(700);
  expect(measured["plate"]).toBeLessThan(700);
  expect(measured["link"]).toBeGreaterThanOrEqual(700);
  // The faint text has a colour of its own: the ground is not to blame.
  expect(measured["ground"]).toBeGreaterThanOrEqual(700);
});

test("a theme of the house changes what it names and nothing else", () => {
  const theme = composed(CROWN);
  const gold = themeOf("gold");
  expect(theme.variables["--ground-centre"]).toBe("#2a1030");
  expect(theme.variables["--level-0"]).toBe("#ffd98a");
  expect(theme.variables["--solid-2"]).toBe("#e6d6ff");
  expect(theme.variables["--level-1"]).toBe(gold.variables["--level-1"]);
  expect(theme.variables["--plate"]).toBe(gold.variables["--plate"]);
  expect(Object.keys(theme.variables).sort()).toEqual(Object.keys(gold.variables).sort());
  expect([theme.name, theme.house?.name, theme.house?.levelNames]).toEqual([
    "gold",
    "Crown Room",
    ["Grand", null, null],
  ]);
});

test("the colours made of one are never darker than it, so that what was measured holds", () => {
  for (const base of ["gold", "neon", "heritage"]) {
    const { variables } = composed({ ...CROWN, base, levels: [{ colour: "#d09a50" }] });
    const colours = ["--solid-0", "--night-0", "--foil-0"].flatMap(
      (name) => variables[name]?.match(/#[0-9a-f]{6}/g) ?? [],
    );
    for (const colour of colours)
      expect(contrast(rgb(colour), [0, 0, 0])).toBeGreaterThanOrEqual(contrast(rgb("#d09a50"), [0, 0, 0]));
  }
  expect(contrast(rgb(forNight("#a08060")), [0, 0, 0])).toBeGreaterThanOrEqual(1_150);
  expect(mix("#000000", "#ffffff", 500)).toBe("#808080");
});

test("a draft is sent as it was read, and empty fields are left out", () => {
  expect(requestOf(draftOf(CROWN))).toEqual({
    base: "gold",
    name: "Crown Room",
    locale: "es-MX",
    currency: "none",
    colours: { ground: "#2a1030", line: "#d9a94a" },
    levels: [{ name: "Grand", colour: "#ffd98a" }, {}, { colour: "#e6d6ff" }],
  });
  expect(requestOf(draftOf(null))).toEqual({ base: "gold", currency: "sign", colours: {}, levels: [] });
});

test("what the server would refuse is found at its field", () => {
  const html = "<img src=x onerror=alert(1)>";
  const draft: Draft = {
    ...draftOf(CROWN),
    theme: "Crown",
    name: html,
    locale: html,
    colours: { ...draftOf(CROWN).colours, text: "red" },
    levels: [{ name: html, colour: "#fff" }],
  };
  expect(wrongOf(draft)).toEqual({
    theme: "name",
    name: "text",
    locale: "locale",
    "colours.text": "colour",
    "levels[0].name": "text",
    "levels[0].colour": "colour",
  });
  expect(wrongOf(draftOf(CROWN))).toEqual({});
  expect(wrongOf({ ...draftOf(CROWN), theme: "neon" })).toEqual({ theme: "name" });
});

test("the preview shows the base where a colour is not written yet", () => {
  const draft = { ...draftOf(CROWN), colours: { ...draftOf(CROWN).colours, ground: "#2a1" } };
  expect(previewOf(draft, CROWN.artwork).colours.ground).toBeNull();
  expect(composed(previewOf(draft, CROWN.artwork)).variables["--ground-centre"]).toBe("#121b40");
});

test("the name of a theme of the house is no shipped one", () => {
  expect([isShipped(null), isShipped("neon"), isShipped("crown-room"), isShipped("constructor")]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(themeOf("constructor")).toBe(themeOf("gold"));
});
