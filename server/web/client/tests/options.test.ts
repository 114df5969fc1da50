import { expect, test } from "vitest";
import { presentedOptions, readOptions } from "../src/sign/options.js";

const CROWN = { name: "Northern Crown", celebration: "hit", theme: "neon", locale: "es-MX" } as const;

test("the presentation of a link decides what the address leaves open", () => {
  const plain = readOptions(new URL("https://house.example/sign/main"));
  expect(presentedOptions(plain, null)).toMatchObject({ link: "main", theme: null, locale: "en-US", name: null });
  expect(presentedOptions(plain, CROWN)).toMatchObject({ theme: "neon", locale: "es-MX", name: "Northern Crown" });
  const own = readOptions(new URL("https://house.example/sign/main?theme=gold&locale=en-GB&name=Mine"));
  expect(presentedOptions(own, CROWN)).toMatchObject({ theme: "gold", locale: "en-GB", name: "Mine" });
});

test("a locale without texts is the default one", () => {
  const plain = readOptions(new URL("https://house.example/sign/main"));
  expect(presentedOptions(plain, { ...CROWN, locale: "fr-CA" }).locale).toBe("en-US");
});
