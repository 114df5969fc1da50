// Lets a sign live through a day in minutes, and prints its JS heap, elements and listeners after a forced
// garbage collection: at the beginning, every few hours, and at the end. The feed is scripted, the browser is real, and
// the page's clocks and timers follow the feed. Its animations run faster by the same factor.
//
//   node scripts/soak.mjs [HOURS] [FACTOR] [LINKS]      24 hours at 200 times the speed, main+bonus: eight minutes, or
//   longer on a busy machine. The first link is `main`.
//
// The exit code is 1 if the page reports an error, if the heap grew by more than NOISE between the first full hour and
// the end, or if the sign does not show the last amount that was sent. BUILT names another folder with a build.

import { launch } from "./browser.mjs";
import { feedMessage, levelsOf, snapshot, startDouble } from "./feed-double.mjs";

const [hours, factor] = [process.argv[2] ?? 24, process.argv[3] ?? 200].map(Number);
const names = (process.argv[4] ?? "main+bonus").split("+");
/** Simulated seconds between two messages of a kind. */
const METERS_EVERY = 5;
const WIN_EVERY = 600;
const DROP_EVERY = 3600;
/** Seconds that the feed is ahead of the page at most. */
const AHEAD_MAX = 150;
const SAMPLES = 8;
/** Growth of the heap that is no growth: two samples of one page differ by that much. */
const NOISE = 0.1;

/** The world of the feed: simulated seconds, amounts and hits of one link. */
class Link {
  constructor(name) {
    this.name = name;
    this.cents = [128_456_73, 4_139_71, 303_93];
    this.batch = 10;
    this.order = 0;
    this.hits = [];
    this.sockets = new Set();
    this.sent = 0;
  }

  envelope(message) {
    this.batch += 1;
    return feedMessage(this.batch, message);
  }

  tell(message) {
    const text = message.type === "heartbeat" ? JSON.stringify(message) : this.envelope(message);
    this.sent += this.sockets.size;
    for (const socket of this.sockets) socket.send(text);
  }

  join(socket) {
    const own = { link: this.name, title: `Link ${this.name}`, hits: this.hits.slice(-25).reverse() };
    socket.send(this.envelope(snapshot({ ...own, levels: levelsOf(this.cents) })));
    this.sockets.add(socket);
    socket.on("close", () => this.sockets.delete(socket));
  }

  /** Plays one simulated second. */
  second(now) {
    this.tell({ type: "heartbeat", second: now });
    if (now % METERS_EVERY === 0) {
      this.cents = this.cents.map((cents, index) => cents + ((now / METERS_EVERY + index) % 7) * 3);
      this.tell({ type: "meters", levels: levelsOf(this.cents) });
    }
    const late = now % WIN_EVERY;
    if (late === 60) this.win(now);
    const hit = this.hits.at(-1);
    if (hit && (late === 90 || late === 150)) {
      hit.state = late === 90 ? "validated" : "paid";
      this.tell({ type: "hit_changed", hit: hit.hit, state: hit.state, due: null });
    }
    if (now % DROP_EVERY === DROP_EVERY - 1) {
      for (const socket of this.sockets) socket.terminate();
      this.sockets.clear();
    }
  }

  win(now) {
    this.order += 1;
    const level = this.order % 6 === 0 ? 0 : 1 + (this.order % 2);
    const due = (this.cents[level] / 100).toFixed(2);
    const name = ["mega", "major", "minor"][level];
    const hit = `${this.name}-T.${now}`;
    const facts = { hit, order: this.order, table: "C4P-07", kind: "line", state: "pending", level: name };
    this.hits.push({ ...facts, at: new Date().toISOString(), hand: "royal-flush", percent: 100, due });
    if (this.hits.length > 25) this.hits.shift();
    this.cents[level] = [10_000_00, 1_000_00, 250_00][level];
    this.tell({ type: "hit", ...this.hits.at(-1), cards: ["As", "Ks", "Qs", "Js", "Ts"] });
    this.tell({ type: "meters", levels: levelsOf(this.cents) });
  }
}

/**
 * Runs in the page before its own script: its clocks and timers follow the seconds in the heartbeats of one link. Where no
 * heartbeat can come, between two connections, they go on by themselves.
 */
function followFeed() {
  const real = performance.now.bind(performance);
  const [start, startDate, every] = [real(), Date.now(), window.setInterval.bind(window)];
  const timers = new Map();
  let [passed, next, heard] = [0, 1, start];
  performance.now = () => start + passed;
  Date.now = () => Math.round(startDate + passed);
  const add = (call, wait, repeat) => timers.set(next, { at: passed + Math.max(1, wait), call, repeat }) && next++;
  window.setTimeout = (call, wait = 0, ...rest) => add(() => call(...rest), wait, 0);
  window.setInterval = (call, wait = 0, ...rest) => add(() => call(...rest), wait, Math.max(1, wait));
  window.clearTimeout = window.clearInterval = (id) => timers.delete(id);
  const due = (until) =>
    [...timers].filter(([, { at }]) => at <= until).sort((one, other) => one[1].at - other[1].at)[0];
  const advance = (milliseconds) => {
    const until = passed + milliseconds;
    for (let found = due(until); found; found = due(until)) {
      const [id, timer] = found;
      passed = timer.at;
      if (timer.repeat) timer.at += timer.repeat;
      else timers.delete(id);
      timer.call();
    }
    passed = until;
  };
  const sockets = new Map();
  const cut = () => {
    const states = [...sockets.values()].map((socket) => socket.readyState);
    return !states.includes(WebSocket.CONNECTING) && states.some((state) => state >= WebSocket.CLOSING);
  };
  every(() => cut() && real() - heard > 50 && advance(200), 20);
  window.passedSeconds = () => passed / 1000;
  window.WebSocket = class extends WebSocket {
    constructor(address) {
      super(address);
      sockets.set(new URL(address).pathname, this);
      this.addEventListener("message", ({ data }) => {
        if (!data.includes('"heartbeat"') || !address.includes("/main/")) return;
        heard = real();
        advance(Math.max(0, JSON.parse(data).second * 1000 - passed));
      });
    }
  };
}

/** Waits until the page has lived a number of seconds. */
async function until(page, seconds) {
  while ((await page.evaluate(() => window.passedSeconds())) < seconds)
    await new Promise((done) => setTimeout(done, 2));
}

async function sample(session, label) {
  // A second collection takes what the first one's finalizers let go.
  await session.send("HeapProfiler.collectGarbage");
  await session.send("HeapProfiler.collectGarbage");
  const { metrics } = await session.send("Performance.getMetrics");
  const value = (name) => metrics.find((row) => row.name === name).value;
  const heap = value("JSHeapUsedSize") / 1e6;
  console.log(`${label}\t${heap.toFixed(2)} MB\t${value("Nodes")} nodes\t${value("JSEventListeners")} listeners`);
  return heap;
}

const links = new Map(names.map((name) => [name, new Link(name)]));
const double = await startDouble((socket, link) => links.get(link)?.join(socket));
const browser = await launch();
try {
  const page = await browser.newPage({ viewport: { width: 640, height: 360 } });
  page.on("pageerror", (error) => {
    console.error("FAULT", String(error));
    process.exitCode = 1;
  });
  await page.addInitScript(followFeed);
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  await session.send("Animation.enable");
  await session.send("Animation.setPlaybackRate", { playbackRate: factor });
  await page.goto(`${double.url}/sign/${names.join("+")}`);
  await page.waitForSelector(".amount");
  await sample(session, "0.0 h");
  const end = hours * 3600;
  const marks = [3600, ...Array.from({ length: SAMPLES }, (_, index) => Math.round(((index + 1) * end) / SAMPLES))];
  let began = performance.now();
  let now = 0;
  let scenes = 0;
  let first = null;
  let last = null;
  while (now < end) {
    // Catches up with the planned time, so that one slow moment makes the day no longer.
    const due = Math.min(end, Math.floor(((performance.now() - began) * factor) / 1000));
    while (now < due && [...links.values()].every((link) => link.sockets.size > 0)) {
      now += 1;
      for (const link of links.values()) link.second(now);
      // A busy machine makes the day longer, and the page misses none of it.
      if (now % AHEAD_MAX === 0) await until(page, now - AHEAD_MAX);
      if (now % WIN_EVERY === 80 && (await page.locator(".plate").count()) > 0) scenes += 1;
      if (!marks.includes(now)) continue;
      // The day stands still while the sign comes to rest: a plate has elements of its own.
      const paused = performance.now();
      await page.waitForFunction(() => !document.querySelector(".plate"));
      last = await sample(session, `${(now / 3600).toFixed(1)} h`);
      first ??= last;
      began += performance.now() - paused;
    }
    await new Promise((done) => setTimeout(done, 1));
  }
  for (const link of links.values()) link.tell({ type: "meters", levels: levelsOf(link.cents) });
  const lived = await page.evaluate(() => window.passedSeconds() / 3600);
  const sent = [...links.values()].reduce((sum, link) => sum + link.sent, 0);
  const seconds = (performance.now() - began) / 1000;
  console.log(`${sent} messages and ${scenes} looks at a win in ${seconds.toFixed(0)} s`);
  console.log(`the page lived ${lived.toFixed(1)} hours`);
  const growth = last / first - 1;
  console.log(`heap from the first hour to the end: ${(growth * 100).toFixed(1)} % (noise: ${NOISE * 100} %)`);
  if (growth > NOISE) process.exitCode = 1;
} finally {
  await browser.close();
  double.close();
}
