// Measures each page's weight and start: the bytes of all that it loads, as they are, by gzip and by Brotli, and the time
// from the navigation to the first usable picture, with a cold cache, over loopback, with the CPU slowed four times.
// Fails above the limits.
//
//   node scripts/weight.mjs [RUNS] [VIEW]      five runs of each view, or of those whose name contains VIEW
//
// METERHOUSE_PROGRAM names the program, BUILT the folder of a build, if not the program's own pages are measured.

import { loadavg } from "node:os";
import { launch } from "./browser.mjs";
import { TABLES, startHouse } from "./house.mjs";
import { START_MOST_MS, VIEWS, WEIGHT_MOST, loadView, weightOf } from "./pages.mjs";
import { servePages } from "./static.mjs";

const runs = Number(process.argv[2] ?? 5);
const wanted = process.argv[3] ?? "";

async function measure(browser, url, view, token) {
  const starts = [];
  let files;
  for (let run = 0; run < runs; run += 1) {
    const loaded = await loadView(browser, url, view, { slow: true, token });
    starts.push(Math.round(loaded.usableAt));
    files = loaded.files;
  }
  const { plain, gzip, brotli } = weightOf(files);
  const sorted = starts.sort((one, other) => one - other);
  const middle = sorted[Math.floor(sorted.length / 2)];
  console.log(`${view.name}: ${plain} bytes, gzip ${gzip}, Brotli ${brotli}`);
  for (const [path, body] of files) console.log(`  ${body.length}\t${path}`);
  console.log(`  usable after ${sorted.join(", ")} ms (median ${middle}), load ${loadavg()[0].toFixed(1)}`);
  if (gzip > WEIGHT_MOST || middle > START_MOST_MS) process.exitCode = 1;
}

const house = await startHouse();
const pages = await servePages(house.url);
const browser = await launch();
try {
  for (const view of VIEWS.filter(({ name }) => name.includes(wanted)))
    await measure(browser, pages.url, view, view.name === "keypad" ? house.tokens[TABLES[0]] : "");
} finally {
  await browser.close();
  pages.close();
  await house.close();
}
