// Measures a sign's weight and its start: the bytes of all that it loads, as they are, with gzip and with Brotli, and
// the time from the navigation to the first picture with amounts, with a cold cache, over loopback, with the page's CPU
// slowed four times. Fails above the limits.
//
//   node scripts/weight.mjs [RUNS]
//
// BUILT names another folder with a build.

import { loadavg } from "node:os";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { launch } from "./browser.mjs";
import { startDouble } from "./feed-double.mjs";

const runs = Number(process.argv[2] ?? 5);
const CPU_RATE = 4;
const WEIGHT_LIMIT = 200_000;
const START_LIMIT_MS = 1_000;

/** Runs in the page before its own script: keeps the time of the first frame with amounts. */
function watchStart() {
  const look = () => {
    if (!document.querySelector(".amount")) return;
    observer.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => (window.usableAt = performance.now())));
  };
  const observer = new MutationObserver(look);
  observer.observe(document, { subtree: true, childList: true });
}

const double = await startDouble();
const browser = await launch();
try {
  for (const theme of ["gold", "neon", "heritage"]) {
    const starts = [];
    const files = new Map();
    for (let run = 0; run < runs; run += 1) {
      const context = await browser.newContext({ viewport: { width: 1920, height: 1080 } });
      const page = await context.newPage();
      const session = await context.newCDPSession(page);
      await session.send("Network.setCacheDisabled", { cacheDisabled: true });
      await session.send("Emulation.setCPUThrottlingRate", { rate: CPU_RATE });
      await page.addInitScript(watchStart);
      const bodies = [];
      page.on("response", (answer) =>
        bodies.push(
          answer.body().then(
            (body) => files.set(answer.url(), body),
            () => {},
          ),
        ),
      );
      await page.goto(`${double.url}/sign/normal?theme=${theme}`);
      starts.push(await (await page.waitForFunction(() => window.usableAt)).jsonValue());
      await Promise.all(bodies);
      await context.close();
    }
    const sum = (size) => [...files.values()].reduce((all, body) => all + size(body), 0);
    const brotli = sum((body) => Math.min(body.length, brotliCompressSync(body).length));
    const gzip = sum((body) => Math.min(body.length, gzipSync(body).length));
    const sorted = starts.map(Math.round).sort((one, other) => one - other);
    const middle = sorted[Math.floor(sorted.length / 2)];
    console.log(`${theme}: ${sum((body) => body.length)} bytes, gzip ${gzip}, Brotli ${brotli}`);
    for (const [url, body] of files) console.log(`  ${body.length}\t${new URL(url).pathname}`);
    console.log(`  usable after ${sorted.join(", ")} ms (median ${middle}), load ${loadavg()[0].toFixed(1)}`);
    if (gzip > WEIGHT_LIMIT || middle > START_LIMIT_MS) process.exitCode = 1;
  }
} finally {
  await browser.close();
  double.close();
}
