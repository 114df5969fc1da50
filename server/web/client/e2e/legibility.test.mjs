// How high the capitals of the sign are on a screen of 55 inches, as rendered: themes, sizes, levels, links and states.

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { startDouble } from "../scripts/feed-double.mjs";
import { MILLIMETRES, faults, measureTexts } from "../scripts/legibility.mjs";
import { Browser, until } from "./foundation.mjs";

const THEMES = ["gold", "neon", "heritage"];
const SIZES = [
  [1920, 1080],
  [1080, 1920],
];
/** The same at twice the pixels: one state of each kind, since all lengths of the layout are parts of the picture's. */
const LARGE_SIZES = [
  [3840, 2160],
  [2160, 3840],
];
const LARGE = ["normal", "six", "normal+single", "pending"];
/**
 * Link of the double, what has to be seen before it is measured, milliseconds that pass by the page's clock, and what has to
 * be seen before they pass.
 */
const STATES = [
  // One to six levels, of which lower ones may take turns of 12 s.
  ["single", ".amount"],
  ["two", ".amount"],
  ["normal", ".amount"],
  ["four", ".amount"],
  ["five", ".amount"],
  ["six", ".amount"],
  ["six", ".amount", 13_000],
  // Two links, side by side or in turns.
  ["normal+single", ".amount"],
  ["four+five", ".amount"],
  ["four+five", ".amount", 13_000],
  // Long names and large amounts.
  ["longname", ".amount"],
  ["long", ".amount"],
  ["longlower", ".amount"],
  ["longpending", ".tag.pending"],
  // The states of a win, and the stale mark.
  ["pending", ".tag.pending"],
  ["panelpending", ".tag.pending"],
  ["celebration", ".celebration .amount"],
  ["panel", ".plate.step-won"],
  ["paid", ".tag.paid", 30_000, ".celebration"],
  ["stale", ".stale-mark"],
  ["stalewin", ".stale-mark"],
];
/** Longer than the sign changes from one picture to the next. */
const CHANGE_MS = 500;
/** Two frames of the page. */
const FRAME_MS = 34;
/** Longer than the silence after which it is stale. */
const SILENCE_MS = 4_000;
/** Kinds of text that have a height to keep. */
const KINDS = ["name", "word", "table", "amount", "cents"];

let double;
let browser;

before(async () => {
  double = await startDouble();
  browser = await Browser.start();
});
afterEach(() => browser.closePages());
after(async () => {
  await browser?.close();
  double?.close();
});

/** Opens a page that stands still, and is laid out without being painted, which takes most of the time. */
async function open() {
  const page = await browser.open({ reducedMotion: "reduce", deviceScaleFactor: 0.25 });
  await page.clock.install();
  await page.addInitScript(() => {
    const unpainted = new CSSStyleSheet();
    unpainted.replaceSync("body { clip-path: inset(50%) }");
    document.adoptedStyleSheets.push(unpainted);
  });
  return page;
}

/** Opens a state of the sign, and stops the page's clock: it goes on as far as `pass` says. */
async function show(page, [link, seen, passes = 0, first = ".amount"]) {
  const [width, height] = SIZES[0];
  await page.clock.resume();
  await page.setViewportSize({ width, height });
  await page.goto(`${double.url}/sign/${link}`);
  await page.locator(first).first().waitFor();
  if (passes > 0) await page.clock.fastForward(passes);
  await page.locator(seen).first().waitFor();
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + CHANGE_MS);
}

/** Draws a state in a theme. The page's timers ring once, however long its clock goes on: frames take real time. */
async function draw(page, theme, [link, seen]) {
  double.present(theme);
  const drawn = page.locator(`html[data-theme="${theme}"]`);
  await until(async () => {
    await page.clock.runFor(FRAME_MS);
    return (await drawn.count()) > 0;
  }, `${link} in ${theme}`);
  // A message ends the silence of a sign that is stale.
  await page.clock.fastForward(link.startsWith("stale") ? SILENCE_MS : CHANGE_MS);
  await page.clock.runFor(FRAME_MS);
  await page.locator(seen).first().waitFor();
  await page.evaluate(() => document.fonts.ready.then(() => {}));
}

/** Runs in the page: ends all that is on its way to another place, size or opacity. */
function endChanges() {
  for (const change of document.getAnimations())
    if (change.effect.getComputedTiming().endTime < Infinity) change.finish();
}

/** Measures the texts at a size, once they are laid out for it and an amount or a word is among them. */
async function measure(page, [width, height], where) {
  await page.setViewportSize({ width, height });
  const turned = page.locator(`.sign.${width > height ? "landscape" : "portrait"}`);
  let rows;
  await until(async () => {
    await page.clock.runFor(FRAME_MS);
    if ((await turned.count()) === 0 || (await page.evaluate(() => innerWidth)) !== width) return false;
    await page.evaluate(endChanges);
    rows = await page.evaluate(measureTexts);
    return rows.some(({ kind }) => kind === "amount" || kind === "word");
  }, `an amount or a word of ${where}`);
  return rows;
}

test("each text is high enough in each theme, at each size, in each state", async (t) => {
  const page = await open();
  const least = {};
  for (const state of STATES) {
    await show(page, state);
    // To and fro: the next theme begins with the size that the page has.
    let sizes = LARGE.includes(state[0]) ? [...SIZES, ...LARGE_SIZES] : SIZES;
    for (const theme of THEMES) {
      await draw(page, theme, state);
      for (const size of sizes) {
        const where = `${state[0]} in ${theme} at ${size.join("x")}`;
        const rows = await measure(page, size, where);
        assert.deepEqual(faults(rows), [], where);
        for (const { kind, mm } of rows) least[kind] = Math.min(least[kind] ?? Infinity, mm);
      }
      sizes = sizes.toReversed();
    }
  }
  t.diagnostic(
    Object.entries(least)
      .map(([kind, mm]) => `${kind} ${mm.toFixed(1)} mm`)
      .join(", "),
  );
  for (const kind of KINDS) assert.ok(least[kind] >= MILLIMETRES[kind], `${kind} was measured`);
});

test("a smaller font of any kind is found", async () => {
  const page = await open();
  const found = new Set();
  for (const state of [
    ["normal", ".amount"],
    ["pending", ".tag.pending"],
  ]) {
    await show(page, state);
    await page.evaluate((kinds) => {
      for (const element of document.querySelectorAll("[data-kind]")) {
        if (!kinds.includes(element.dataset.kind)) continue;
        for (const glyph of [element, ...element.querySelectorAll(".glyph")])
          glyph.style.fontSize = `${Number.parseFloat(getComputedStyle(glyph).fontSize) * 0.3}px`;
      }
    }, KINDS);
    for (const fault of faults(await measure(page, SIZES[0], state[0]))) found.add(fault.split(" ")[0]);
  }
  assert.deepEqual([...found].sort(), [...KINDS].sort());
});
