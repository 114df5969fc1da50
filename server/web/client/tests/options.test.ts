import { expect, test } from "vitest";
import { linkName, presentedOptions, readOptions } from "../src/sign/options.js";

const CROWN = { name: "Northern Crown", celebration: "hit", theme: "neon", locale: "es-MX" } as const;

const at = (path: string) => readOptions(new URL(path, "https://house.example"));

test("the presentation of the first link decides what the address leaves open", () => {
  expect(presentedOptions(at("/sign/main"), null)).toMatchObject({ links: ["main"], theme: null, locale: "en-US" });
  expect(presentedOptions(at("/sign/main"), CROWN)).toMatchObject({ theme: "neon", locale: "es-MX" });
  expect(presentedOptions(at("/sign/main+second"), CROWN)).toMatchObject({ theme: "neon", locale: "es-MX" });
  const own = at("/sign/main?theme=gold&locale=en-GB");
  expect(presentedOptions(own, CROWN)).toMatchObject({ theme: "gold", locale: "en-GB" });
});

test("a link is named by the address, else by its presentation, else by its title", () => {
  const crown = { title: "Paytable C", presentation: CROWN };
  expect(linkName({ ...at("/sign/main?name=Mine"), house: null }, crown)).toBe("Mine");
  expect(linkName({ ...at("/sign/main"), house: null }, crown)).toBe("Northern Crown");
  expect(linkName({ ...at("/sign/main"), house: null }, { ...crown, presentation: { ...CROWN, name: null } })).toBe(
    "Paytable C",
  );
  expect(linkName({ ...at("/sign/main"), house: null }, { ...crown, presentation: null })).toBe("Paytable C");
  const house = { ...at("/sign/main"), house: "Crown Room" };
  expect(linkName(house, { ...crown, presentation: { ...CROWN, name: null } })).toBe("Crown Room");
});

test("a title says the game, not the paytable's letter", () => {
  const name = (title: string) => linkName({ ...at("/sign/main"), house: null }, { title, presentation: null });
  expect(name("Crazy 4 Poker, Five-Card Progressive, Paytable C")).toBe("Crazy 4 Poker, Five-Card Progressive");
  expect(name("Four Card Poker, PTMGLML01")).toBe("Four Card Poker");
  expect(name("Paytable C")).toBe("Paytable C");
  expect(name("Hand Bonus")).toBe("Hand Bonus");
});

test("on a sign of several links each has its own name and hands", () => {
  const several = at("/sign/main+second?name=Mine&hands=royal-flush");
  expect([several.name, several.hands.some(Boolean)]).toEqual([null, false]);
  expect(at("/sign/main?hands=royal-flush,flush").hands).toEqual(["royal-flush", "flush"]);
});

test("a theme of the house decides what presentation and address leave open", () => {
  const parts = { name: "Crown Room", locale: "es-ES", currency: "none", levelNames: [], logo: null, background: null };
  const none = { ...CROWN, locale: null };
  expect(presentedOptions(at("/sign/main"), none, parts)).toMatchObject({ locale: "es-ES", currency: false });
  expect(presentedOptions(at("/sign/main"), CROWN, parts)).toMatchObject({ locale: "es-MX", house: "Crown Room" });
  expect(presentedOptions(at("/sign/main"), null)).toMatchObject({ house: null, currency: true });
});

test("a locale without texts is the default one", () => {
  const plain = at("/sign/main");
  expect(presentedOptions(plain, { ...CROWN, locale: "fr-CA" }).locale).toBe("en-US");
});
