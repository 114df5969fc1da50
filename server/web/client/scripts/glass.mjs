// Measures the time from a commit to the glass: from the answer to a coin-in until the sign's amount changes in the DOM,
// with a real server, one real sign in Chromium, and as many listeners more as make up the given number of signs.
//
//   METERHOUSE_PROGRAM=… node scripts/glass.mjs [COMMITS] [SIGNS]      300 commits and 200 signs
//
// The listeners run in a thread of their own. The page's clock is compared with this process's clock before and after.
// The pages are those that the program serves. The exit code is 1 if p99 is above GLASS_MS.

import { loadavg, cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";
import { WebSocket } from "ws";
import { launch } from "./browser.mjs";
import { LINK, TABLES, startHouse } from "./house.mjs";

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

/** Reads "10000.27" as cents. What is less than a cent is cut off. */
function cents(amount) {
  const [whole, fraction = ""] = amount.split(".");
  return Number(whole + fraction.slice(0, 2).padEnd(2, "0"));
}

/** Opens listeners, and reports when all have their snapshot. */
function listen({ address, count }) {
  let [ready, messages] = [0, 0];
  const changes = [];
  for (let index = 0; index < count; index += 1) {
    const socket = new WebSocket(address);
    socket.once("message", () => {
      ready += 1;
      if (ready === count) parentPort.postMessage("ready");
    });
    socket.on("message", (data) => {
      messages += 1;
      if (index > 0) return;
      const { levels } = JSON.parse(data);
      if (levels) changes.push([now(), cents(levels[0].amount)]);
    });
    socket.on("error", (error) => parentPort.postMessage(String(error)));
    socket.on("close", () => parentPort.postMessage("closed"));
  }
  parentPort.on("message", () => parentPort.postMessage({ messages, changes }));
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
  const wagers = [1, 2, 3, 4].map((seat) => ({ seat, amount: "1.00" }));
  const commits = [];
  for (let round = 0; round < count; round += 1) {
    const table = TABLES[round % TABLES.length];
    const { levels } = await house.play(table, { command: "coin_in", dealt: [1, 2, 3, 4], wagers });
    commits.push([now(), cents(levels[0].amount)]);
    await house.play(table, { command: "close" });
    await new Promise((done) => setTimeout(done, PAUSE_LEAST_MS + Math.random() * PAUSE_SPREAD_MS));
  }
  return commits;
}

/** Returns the value below which a part of sorted values lies. */
const quantile = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.ceil(part * sorted.length) - 1)];

async function measure(count, signs) {
  const house = await startHouse();
  const browser = await launch();
  const address = `${house.url.replace("http", "ws")}/v1/links/${LINK}/feed`;
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: { address, count: signs - 1 } });
  const told = () => new Promise((done) => worker.once("message", done));
  try {
    if ((await told()) !== "ready") throw new Error("a listener got no feed");
    const page = await browser.newPage({ viewport: { width: 1920, height: 1080 } });
    await page.addInitScript(watchFirst);
    await page.goto(`${house.url}/sign/${LINK}`);
    await page.waitForSelector(".amount");
    const before = await compareClocks(page);
    const load = loadavg()[0];
    const commits = await commit(house, count);
    const last = commits.at(-1)[1];
    await page.waitForFunction((cents) => window.changes.at(-1)?.[1] >= cents, last, { timeout: LAST_WAIT_MS });
    const after = await compareClocks(page);
    const changes = await page.evaluate(() => window.changes);
    const ahead = (before.ahead + after.ahead) / 2;
    const asked = told();
    worker.postMessage("count");
    const listeners = await asked;
    const waits = (seen, offset) =>
      commits
        .map(([at, amount]) => seen.find(([, shown]) => shown >= amount)[0] - offset - at)
        .sort((one, other) => one - other);
    const glass = waits(changes, ahead);
    console.log(`${signs} signs (1 in Chromium at 1920x1080), ${cpus().length} cores, ${cpus()[0].model}`);
    console.log(`load average ${load.toFixed(1)} at the beginning, ${loadavg()[0].toFixed(1)} at the end`);
    console.log(`messages at the listeners: ${listeners.messages}`);
    const apart = `${before.ahead.toFixed(2)} ms before, ${after.ahead.toFixed(2)} ms after`;
    console.log(`clocks apart: ${apart}, within ${Math.max(before.within, after.within).toFixed(2)} ms`);
    const row = (label, all) => {
      const [p50, p90, p99, most] = [0.5, 0.9, 0.99, 1].map((part) => `${quantile(all, part).toFixed(1)} ms`);
      console.log(`${label}: p50 ${p50}, p90 ${p90}, p99 ${p99}, max ${most}, count ${all.length}`);
    };
    row("commit to the feed of one listener", waits(listeners.changes, 0));
    row("commit to glass", glass);
    if (quantile(glass, 0.99) > GLASS_MS) process.exitCode = 1;
  } finally {
    await worker.terminate();
    await browser.close();
    await house.close();
  }
}

if (isMainThread) {
  const [count = 300, signs = 200] = process.argv.slice(2).map(Number);
  await measure(count, signs);
} else {
  listen(workerData);
}
