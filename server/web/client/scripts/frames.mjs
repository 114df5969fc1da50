// Measures frames a second of a sign at 1920x1080 in software rendering, with the page's CPU slowed four times: three
// odometers at rest and rolling, a pending plate, and a celebration. Beside it the CPU time that the page and the
// compositor took, which does not depend on what else the machine does.
//
//   node scripts/frames.mjs [RATE] [THEME] [TRACE.json]
//
// BUILT names another folder with a build.

import { writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { launch } from "./browser.mjs";
import { feedMessage, levelsOf, snapshot, startDouble } from "./feed-double.mjs";

const [rate = "4", theme = "gold", trace] = process.argv.slice(2);
const SECONDS = 6;
/** Interval of the amounts: as often as the feed sends them. */
const METERS_MS = 100;

let socket = null;
const cents = [128_456_73, 4_139_71, 303_93];
let batch = 10;
let rolling = false;

function tell(message) {
  batch += 1;
  socket?.send(feedMessage(batch, { levels: levelsOf(cents), ...message }));
}

const double = await startDouble((open) => {
  socket = open;
  tell(snapshot({ link: "main" }));
});
const feed = setInterval(() => {
  if (!rolling) return;
  cents.forEach((_, index) => (cents[index] += 3 + index));
  tell({ type: "meters" });
}, METERS_MS);
const beat = setInterval(() => tell({ type: "heartbeat" }), 1000);

/** Runs in the page: counts frames for a time, and returns their number and the longest wait for one. */
function countFrames(milliseconds) {
  return new Promise((done) => {
    const start = performance.now();
    let [count, last, longest] = [0, start, 0];
    const frame = (now) => {
      count += 1;
      longest = Math.max(longest, now - last);
      last = now;
      if (now - start < milliseconds) requestAnimationFrame(frame);
      else done({ rate: (count * 1000) / (now - start), longest });
    };
    requestAnimationFrame(frame);
  });
}

const browser = await launch();

/** Returns the CPU seconds of the browser's renderer and of its compositing process. */
async function cpuTime(session) {
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  const sum = (type) => processInfo.filter((row) => row.type === type).reduce((all, row) => all + row.cpuTime, 0);
  return { page: sum("renderer"), glass: sum("GPU") };
}

try {
  const page = await browser.newPage({ viewport: { width: 1920, height: 1080 } });
  const session = await page.context().newCDPSession(page);
  const whole = await browser.newBrowserCDPSession();
  await page.goto(`${double.url}/sign/main?theme=${theme}`);
  await page.waitForSelector(".amount");
  await session.send("Emulation.setCPUThrottlingRate", { rate: Number(rate) });
  console.log(`CPU slowed ${rate} times, theme ${theme}, ${cpus().length} cores, ${cpus()[0].model}`);
  const look = async (label) => {
    const before = await cpuTime(whole);
    const [load] = loadavg();
    const began = performance.now();
    const { rate: frames, longest } = await page.evaluate(countFrames, SECONDS * 1000);
    const seconds = (performance.now() - began) / 1000;
    const after = await cpuTime(whole);
    const share = (name) => `${(((after[name] - before[name]) / seconds) * 100).toFixed(0)} %`;
    const times = `CPU of the page ${share("page")}, of the compositor ${share("glass")}`;
    console.log(
      `${label}\t${frames.toFixed(1)} frames a second, longest ${longest.toFixed(0)} ms\t${times}\tload ${load}`,
    );
  };
  await look("at rest");
  if (trace)
    await browser.startTracing(page, {
      categories: ["devtools.timeline", "cc", "viz", "blink", "disabled-by-default-devtools.timeline"],
    });
  rolling = true;
  await look("three odometers");
  const hit = { hit: "T.1", order: 1, table: "C4P-07", kind: "line", hand: "royal-flush", level: "mega", percent: 100 };
  tell({ type: "hit", ...hit, state: "pending", due: "128456.73", cards: ["As", "Ks", "Qs", "Js", "Ts"] });
  await page.waitForSelector(".tag.pending");
  await look("pending plate");
  tell({ type: "hit_changed", hit: "T.1", state: "validated", due: null });
  await page.waitForSelector(".celebration");
  await look("celebration, cards and count");
  await look("celebration, foil");
  if (trace) writeFileSync(trace, await browser.stopTracing());
} finally {
  clearInterval(feed);
  clearInterval(beat);
  await browser.close();
  double.close();
}
