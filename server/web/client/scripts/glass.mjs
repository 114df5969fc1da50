// Measures the time from a commit to the glass: from the answer to a coin-in until the sign's amount changes in the DOM,
// with a real server, one real sign in Chromium, and as many listeners more as make up the given number of signs.
//
//   METERHOUSE_PROGRAM=… node scripts/glass.mjs [COMMITS] [SIGNS]      300 commits and 200 signs
//
// The listeners run in a thread of their own. The page's clock is compared with this process's clock before and after.
// The exit code is 1 if p99 is above GLASS_MS. BUILT names another folder with a build.

import { loadavg, cpus } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";
import { chromium } from "playwright-core";
import { WebSocket } from "ws";
import { LINK, TABLES, startHouse } from "./house.mjs";
import { startProxy } from "./static.mjs";

const GLASS_MS = 250;
/** Pause between two commits: longer than the odometer's least time between two rolls, and by chance, so that commits
 * do not fall into step with the feed. */
const PAUSE_LEAST_MS = 320;
const PAUSE_SPREAD_MS = 200;
/** Time after the last commit in which its amount has to show. */
const LAST_WAIT_MS = 10_000;
/** Comparisons of two clocks, of which the one with the shortest way counts. */
const CLOCK_LOOKS = 50;

const now = () => performance.timeOrigin + performance.now();

/** Opens listeners, and reports when all have their snapshot. */
function listen({ address, count }) {
  let [ready, messages] = [0, 0];
  for (let index = 0; index < count; index += 1) {
    const socket = new WebSocket(address);
    socket.once("message", () => {
      ready += 1;
      if (ready === count) parentPort.postMessage("ready");
    });
    socket.on("message", () => (messages += 1));
    socket.on("error", (error) => parentPort.postMessage(String(error)));
    socket.on("close", () => parentPort.postMessage("closed"));
  }
  parentPort.on("message", () => parentPort.postMessage(messages));
}

/** Runs in the page: keeps each change of the first level's amount. */
function watchFirst() {
  window.changes = [];
  let last = "";
  const look = () => {
    const text = document.querySelector(".level-0 .amount")?.getAttribute("aria-label") ?? "";
    if (text === last) return;
    last = text;
    window.changes.push([performance.timeOrigin + performance.now(), Number(text.replace(/[$,.]/g, ""))]);
  };
  const options = { subtree: true, childList: true, attributes: true, attributeFilter: ["aria-label"] };
  new MutationObserver(look).observe(document, options);
}

/** Returns how far the page's clock is ahead, and the uncertainty of it. */
async function compareClocks(page) {
  let best = { ahead: 0, within: Infinity };
  for (let look = 0; look < CLOCK_LOOKS; look += 1) {
    const before = now();
    const there = await page.evaluate(() => performance.timeOrigin + performance.now());
    const after = now();
    const within = (after - before) / 2;
    if (within < best.within) best = { ahead: there - (before + after) / 2, within };
  }
  return best;
}

/** Plays rounds at the tables by turns, and returns the answers' times and amounts. */
async function commit(house, count) {
  const names = Object.keys(TABLES);
  const numbers = Object.fromEntries(names.map((name) => [name, 0]));
  const wagers = [1, 2, 3, 4].map((seat) => ({ seat, amount: "1.00" }));
  const commits = [];
  for (let round = 0; round < count; round += 1) {
    const table = names[round % names.length];
    const { levels } = await house.play(table, (numbers[table] += 1), {
      command: "coin_in",
      dealt: [1, 2, 3, 4],
      wagers,
    });
    const [whole, fraction = ""] = levels[0].amount.split(".");
    commits.push([now(), Number(whole + fraction.slice(0, 2).padEnd(2, "0"))]);
    await house.play(table, (numbers[table] += 1), { command: "close" });
    await new Promise((done) => setTimeout(done, PAUSE_LEAST_MS + Math.random() * PAUSE_SPREAD_MS));
  }
  return commits;
}

/** Returns the value below which a part of sorted values lies. */
const quantile = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.ceil(part * sorted.length) - 1)];

async function measure(count, signs) {
  const built = process.env.BUILT ?? join(dirname(fileURLToPath(import.meta.url)), "../../page/built");
  const house = await startHouse();
  const proxy = await startProxy(built, house.url);
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"],
  });
  const address = `${house.url.replace("http", "ws")}/v1/links/${LINK}/feed`;
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: { address, count: signs - 1 } });
  const told = () => new Promise((done) => worker.once("message", done));
  try {
    if ((await told()) !== "ready") throw new Error("a listener got no feed");
    const page = await browser.newPage({ viewport: { width: 1920, height: 1080 } });
    await page.addInitScript(watchFirst);
    await page.goto(`${proxy.url}/sign/${LINK}`);
    await page.waitForSelector(".amount");
    const before = await compareClocks(page);
    const load = loadavg()[0];
    const commits = await commit(house, count);
    const last = commits.at(-1)[1];
    await page.waitForFunction((cents) => window.changes.at(-1)?.[1] >= cents, last, { timeout: LAST_WAIT_MS });
    const after = await compareClocks(page);
    const changes = await page.evaluate(() => window.changes);
    const ahead = (before.ahead + after.ahead) / 2;
    const waits = commits
      .map(([at, cents]) => changes.find(([, shown]) => shown >= cents)[0] - ahead - at)
      .sort((one, other) => one - other);
    const asked = told();
    worker.postMessage("count");
    console.log(`${signs} signs (1 in Chromium at 1920x1080), ${cpus().length} cores, ${cpus()[0].model}`);
    console.log(`load average ${load.toFixed(1)} at the beginning, ${loadavg()[0].toFixed(1)} at the end`);
    console.log(`messages at the listeners: ${await asked}`);
    const apart = `${before.ahead.toFixed(2)} ms before, ${after.ahead.toFixed(2)} ms after`;
    console.log(`clocks apart: ${apart}, within ${Math.max(before.within, after.within).toFixed(2)} ms`);
    const row = (part) => quantile(waits, part).toFixed(1);
    console.log(
      `commit to glass: p50 ${row(0.5)} ms, p90 ${row(0.9)} ms, p99 ${row(0.99)} ms, max ${row(1)} ms, count ${waits.length}`,
    );
    if (quantile(waits, 0.99) > GLASS_MS) process.exitCode = 1;
  } finally {
    await worker.terminate();
    await browser.close();
    proxy.close();
    await house.close();
  }
}

if (isMainThread) {
  const [count = 300, signs = 200] = process.argv.slice(2).map(Number);
  await measure(count, signs);
} else {
  listen(workerData);
}
