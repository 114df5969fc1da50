// Takes pictures of the built sign and measures what is on them. Fails if a text is below its floor, overlaps another,
// leaves the picture or has a contrast below 7:1, if the console reports an error, or if a stale mark comes late.
//
//   node scripts/pictures.mjs [FOLDER] [--only PART] [--server http://127.0.0.1:PORT]
//
// BUILT names another folder with a build. With --server pages and feed are those of a real server, of which the links
// `main` and `hand-bonus` are shown.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { launch } from "./browser.mjs";
import { startDouble } from "./feed-double.mjs";
import { brightest, contrast, faults, measureTexts } from "./legibility.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const SIZES = { landscape: [1920, 1080], fourk: [3840, 2160], portrait: [1080, 1920] };
const NAMES = { gold: "Northern Crown", neon: "Electric Aces", heritage: "The Grand Union" };
const CONTRAST_FLOOR = 7;

/** Link, themes, sizes and the time in milliseconds after which the picture is taken. */
const SHOTS = [
  ["normal", ["gold", "neon", "heritage"], ["landscape", "portrait"], 1500],
  ["normal", ["gold"], ["fourk"], 2500],
  ["rolling", ["gold"], ["landscape"], 1850],
  ["pending", ["gold", "neon", "heritage"], ["landscape", "portrait"], 2200],
  ["celebration", ["gold", "neon", "heritage"], ["landscape", "portrait"], 8200],
  ["celebration", ["gold"], ["fourk"], 8200],
  ["nocards", ["gold"], ["landscape", "portrait"], 8200],
  ["early", ["gold"], ["landscape", "portrait"], 8200],
  ["latecards", ["gold"], ["landscape"], 8200],
  ["panelpending", ["gold", "neon", "heritage"], ["landscape"], 2200],
  ["panel", ["gold"], ["landscape", "portrait"], 6800],
  ["stale", ["gold", "neon", "heritage"], ["landscape", "portrait"], 3800],
  ["stalewin", ["gold", "neon"], ["landscape"], 4200],
  ["single", ["gold", "neon", "heritage"], ["landscape"], 1500],
  ["single", ["gold"], ["portrait"], 1500],
  ["long", ["gold", "neon", "heritage"], ["landscape"], 1500],
  ["long", ["gold"], ["portrait"], 1500],
  ["longpending", ["gold"], ["landscape", "portrait"], 2200],
  ["ceiling", ["gold"], ["landscape"], 1500],
  ["ceiling", ["gold"], ["landscape"], 1500, "es-US"],
  ["pending", ["gold"], ["landscape"], 2200, "es-US"],
  ["normal", ["gold"], ["landscape"], 1500, "es-ES"],
  ["counting", ["gold"], ["landscape"], 3300],
  ["nosuch", ["gold"], ["landscape", "portrait"], 2500],
  ["normal+single", ["gold", "neon", "heritage"], ["landscape", "portrait"], 1500],
  ["normal+single", ["gold"], ["fourk"], 2500],
  ["normal+two", ["gold", "neon", "heritage"], ["landscape", "portrait"], 1500],
  // Where the halves don't fit the links take turns, and the silent one is not seen yet.
  ["normal+stale", ["gold"], ["landscape", "portrait"], 3800],
  ["normal+stale", ["neon"], ["portrait"], 3800],
  ["four+five", ["gold"], ["landscape", "portrait"], 1500],
  ["normal+longname", ["gold"], ["landscape", "portrait"], 1500],
  ["normal+nosuch", ["gold"], ["landscape", "portrait"], 2500],
  ["single+pending", ["gold"], ["landscape", "portrait"], 2200],
  ["four", ["gold", "neon", "heritage"], ["landscape", "portrait"], 1500],
  ["five", ["gold", "neon", "heritage"], ["landscape", "portrait"], 1500],
  ["six", ["gold", "heritage"], ["landscape", "portrait"], 1500],
  ["longlower", ["gold", "neon", "heritage"], ["landscape", "portrait"], 1500],
  ["normal@night", ["gold", "neon", "heritage"], ["landscape", "portrait"], 1500],
  ["stale@night", ["gold", "neon", "heritage"], ["landscape"], 3800],
  ["normal+single@night", ["gold"], ["landscape"], 1500],
  ["undone", ["gold"], ["landscape"], 2500],
  ["paid", ["gold", "neon", "heritage"], ["landscape"], 22500],
  ["paid", ["gold"], ["portrait"], 22500],
];

const given = process.argv.slice(2);
const option = (name) => (given.includes(name) ? given[given.indexOf(name) + 1] : null);
const folder = given[0] && !given[0].startsWith("--") ? given[0] : join(here, "../pictures");
const only = option("--only");
const server = option("--server");

/** Hides texts by script, and measures their contrast with the ground behind them. */
async function contrasts(page, rows) {
  const hide = (visibility) =>
    page.evaluate((value) => {
      for (const element of document.querySelectorAll(".line, .amount, .tag span, .stale-mark span, .foil-fall"))
        element.style.visibility = value;
    }, visibility);
  await hide("hidden");
  const png = (await page.screenshot({ type: "png" })).toString("base64");
  await hide("");
  const boxes = rows.map(({ left, top, right, bottom }) => ({
    left: Math.round(left),
    top: Math.round(top),
    right: Math.round(right),
    bottom: Math.round(bottom),
  }));
  const grounds = await page.evaluate(brightest, { png, boxes });
  return rows.map((row, index) => {
    const grey = Math.min(1, grounds[index]);
    return contrast(row.colour, grey);
  });
}

async function take(browser, address, [shot, theme, size, wait, locale], table) {
  const [link, night] = shot.split("@");
  const [width, height] = SIZES[size];
  const page = await browser.newPage({ viewport: { width, height } });
  const problems = [];
  page.on(
    "console",
    (message) => message.type() === "error" && !link.includes("nosuch") && problems.push(message.text()),
  );
  page.on("pageerror", (error) => problems.push(String(error)));
  const query = new URLSearchParams({
    theme,
    ...(link.startsWith("long") || link === "early" || server ? {} : { name: NAMES[theme] }),
    ...(locale ? { locale } : {}),
    ...(night ? { night: "0:00-23:59" } : {}),
  });
  let heard = 0;
  page.on("websocket", (socket) => {
    // Of several links, the silent one counts.
    if (!link.includes("+") || socket.url().includes("/stale/")) socket.on("framereceived", () => (heard = Date.now()));
  });
  await page.goto(`${address}/sign/${link}?${query}`);
  const began = Date.now();
  if (link.endsWith("stale")) {
    await page.waitForSelector(".stale-mark", { timeout: 5000 });
    const late = Date.now() - heard;
    // Three seconds, and what a busy machine takes to notice.
    if (late > 3200) problems.push(`the stale mark came after ${late} ms`);
  }
  await page.waitForTimeout(Math.max(0, wait - (Date.now() - began)));
  const name = `${shot}-${theme}-${size}${locale ? `-${locale}` : ""}`;
  await page.screenshot({ path: join(folder, `${name}.png`) });
  const rows = await page.evaluate(measureTexts);
  if (rows.length === 0) problems.push("nothing is on the sign");
  problems.push(...faults(rows));
  const ratios = await contrasts(page, rows);
  rows.forEach((row, index) => {
    if (ratios[index] < CONTRAST_FLOOR)
      problems.push(`${row.kind} "${row.text}" has a contrast of ${ratios[index].toFixed(1)}:1`);
  });
  for (const kind of new Set(rows.map((row) => row.kind))) {
    const least = rows.filter((row) => row.kind === kind).reduce((one, other) => (other.cap < one.cap ? other : one));
    table.push([name, kind, least.text, least.cap.toFixed(1), least.mm.toFixed(1)]);
  }
  await page.close();
  return problems.map((problem) => `${name}: ${problem}`);
}

const chosen = SHOTS.flatMap(([link, themes, sizes, wait, locale]) =>
  themes.flatMap((theme) => sizes.map((size) => [link, theme, size, wait, locale])),
)
  .concat(server ? ["main", "hand-bonus"].map((link) => [link, "gold", "landscape", 9000]) : [])
  .filter(
    ([link, theme, size, , locale = ""]) =>
      (server ? ["main", "hand-bonus"].includes(link) : true) &&
      (!only || `${link}-${theme}-${size}-${locale}`.includes(only)),
  );

mkdirSync(folder, { recursive: true });
const double = server ? { url: server, close: () => {} } : await startDouble();
const browser = await launch();
const problems = [];
const table = [];
try {
  const slow = chosen.filter(([, , , wait]) => wait > 20_000);
  for (const shot of chosen.filter((row) => !slow.includes(row)))
    problems.push(...(await take(browser, double.url, shot, table)));
  for (const found of await Promise.all(slow.map((shot) => take(browser, double.url, shot, table))))
    problems.push(...found);
} finally {
  await browser.close();
  double.close();
}
const report = table.map((row) => row.join("\t")).join("\n");
writeFileSync(join(folder, "legibility.tsv"), `picture\tkind\tsmallest\tpx at 1080p\tmm on 55 inch\n${report}\n`);
console.log(`${chosen.length} pictures in ${folder}`);
for (const problem of problems) console.error(`FAULT ${problem}`);
process.exitCode = problems.length > 0 ? 1 : 0;
