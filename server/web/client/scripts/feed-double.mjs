// A test double of the server: serves the built page under its real Content-Security-Policy, and a scripted feed whose
// script is chosen by the link's name. Nothing of it is in the built page.

import { createServer } from "node:http";
import { WebSocketServer } from "ws";
import { listen, send, sendBuilt } from "./static.mjs";

const THREE = { mega: "128456.73", major: "4139.71", minor: "303.93" };
const FIVE = { grand: "128456.73", mega: "14139.71", major: "4139.71", minor: "303.93", mini: "53.93" };
const LONG_TITLE = "Crazy 4 Poker, Five-Card Progressive Payout Wager, Paytable C";
const LINE = { hit: "C4P-07.2", round: "C4P-07.1", order: 1, kind: "line", percent: 100, seat: 3, dealer: false };
const ROYAL = {
  ...LINE,
  table: "C4P-07",
  hand: "royal-flush",
  level: "mega",
  due: "128456.73",
  cards: ["As", "Ks", "Qs", "Js", "Ts"],
};
const WITHOUT_CARDS = { ...ROYAL, cards: undefined };
const FLUSH = {
  ...LINE,
  table: "UTH-02",
  hand: "straight-flush",
  level: "major",
  due: "4139.71",
  cards: ["9h", "8h", "7h", "6h", "5h"],
};
const AFTER_ROYAL = { ...THREE, mega: "10000.42" };
const AFTER_FLUSH = { ...THREE, mega: "128456.98", major: "1000.05" };

const WON_BY = {
  mega: ["royal-flush"],
  meter: ["royal-flush"],
  grand: ["royal-flush"],
  major: ["straight-flush"],
  minor: ["four-of-a-kind"],
  mini: ["full-house"],
};

/** Scripts: the levels, and messages after a number of milliseconds. */
const SCRIPTS = {
  normal: { levels: THREE },
  rolling: { levels: THREE, steps: [[1500, meters({ mega: "128457.01", major: "4139.78", minor: "303.96" })]] },
  pending: { levels: THREE, steps: win(ROYAL, AFTER_ROYAL) },
  celebration: { levels: THREE, steps: win(ROYAL, AFTER_ROYAL, { 700: "validated" }) },
  counting: { levels: THREE, steps: win(ROYAL, AFTER_ROYAL, { 700: "validated" }) },
  // The presentation decides: the name and the full celebration at the hit.
  early: {
    levels: THREE,
    steps: win(ROYAL, AFTER_ROYAL),
    presentation: { name: "Silver Harbour", celebration: "hit", theme: null, locale: null },
  },
  latecards: { levels: THREE, steps: win(WITHOUT_CARDS, AFTER_ROYAL, { 700: "validated" }, ROYAL.cards) },
  nocards: { levels: THREE, steps: win(WITHOUT_CARDS, AFTER_ROYAL, { 700: "validated" }) },
  // The snapshot has the hit, as after a reconnection, since a sign whose clock was put on connects anew.
  paid: {
    levels: THREE,
    hits: [{ ...ROYAL, state: "pending", envy_due: "0.00" }],
    steps: win(ROYAL, AFTER_ROYAL, { 400: "validated", 500: "paid" }),
  },
  longpending: { levels: THREE, steps: win(ROYAL, AFTER_ROYAL), title: LONG_TITLE },
  panelpending: { levels: THREE, steps: win(FLUSH, AFTER_FLUSH) },
  panel: { levels: THREE, steps: win(FLUSH, AFTER_FLUSH, { 700: "validated" }) },
  undone: { levels: THREE, steps: win(ROYAL, AFTER_ROYAL, { 900: "undone" }) },
  stale: { levels: THREE, silent: true },
  stalewin: { levels: THREE, steps: win(ROYAL, AFTER_ROYAL), silent: true },
  single: { levels: { meter: "10189.88" }, title: "Silver Harbour" },
  two: { levels: { mega: "88012.40", major: "1201.15" }, title: "Silver Harbour" },
  four: { levels: { grand: "1128456.73", major: "14139.71", minor: "1303.93", mini: "103.93" } },
  five: { levels: FIVE },
  six: { levels: { ...FIVE, "four-of-a-kind": "20.05" } },
  longlower: { levels: { mega: "128456.73", major: "12413999.71", minor: "11303999.93" } },
  longname: { levels: THREE, title: LONG_TITLE },
  long: { levels: { mega: "12845699.73", major: "413999.71", minor: "30399.93" }, title: LONG_TITLE },
  ceiling: { levels: THREE, ceilings: { mega: "250000.00", minor: "500.00" }, disabled: ["major"] },
};

/** Returns the message that gives levels their amounts. */
export function meters(levels) {
  return { type: "meters", levels: Object.entries(levels).map(([level, amount]) => ({ level, amount })) };
}

/** Returns the amounts of three levels in cents as a message has them. */
export function levelsOf(cents) {
  return Object.keys(THREE).map((level, index) => ({ level, amount: (cents[index] / 100).toFixed(2) }));
}

/** Returns a hit, the meters after it, and the states that it takes; `cards` come with the first of them. */
function win(hit, after, states = {}, cards) {
  const { hit: name } = hit;
  return [
    [300, { type: "hit", state: "pending", envy_due: "0.00", ...hit }],
    [320, meters(after)],
    ...Object.entries(states).map(([wait, state]) => [
      Number(wait),
      { type: "hit_changed", hit: name, state, due: null, ...(cards ? { cards } : {}) },
    ]),
  ];
}

/** Writes a message of the feed with its place in the journal. */
export function feedMessage(batch, message) {
  const at = new Date().toISOString();
  return JSON.stringify({ batch, position: `${batch}.0`, at, seal: `${batch}.double`, ...message });
}

/** Returns the snapshot of a link; `own` is what it has of its own. */
export function snapshot(own) {
  return {
    type: "snapshot",
    title: "Northern Crown",
    wager: "1.00",
    state: "open",
    reason: null,
    disabled: [],
    missing: false,
    presentation: { name: null, celebration: "validation", theme: null, locale: null },
    tables: [],
    hits: [],
    ...own,
  };
}

function play(socket, link, { levels, steps = [], silent, ceilings: _, ...own }) {
  let batch = 10;
  const tell = (message) => socket.send(feedMessage((batch += 1), message));
  tell(snapshot({ link, ...own, levels: meters(levels).levels }));
  const timers = steps.map(([wait, message]) => setTimeout(tell, wait, message));
  const beat = silent
    ? 0
    : setInterval(() => socket.send(JSON.stringify({ type: "heartbeat", at: new Date().toISOString() })), 1000);
  socket.on("close", () => {
    clearInterval(beat);
    timers.forEach(clearTimeout);
  });
}

function answer(request, response) {
  const { pathname } = new URL(request.url, "http://double");
  if (sendBuilt(pathname, response)) return;
  const link = /^\/v1\/links\/([^/]+)$/.exec(pathname)?.[1];
  const script = link && SCRIPTS[link];
  if (!script) {
    send(response, 404, "application/problem+json", JSON.stringify({ code: "unknown_link" }));
    return;
  }
  const levels = Object.entries(script.levels).map(([level, amount]) => ({
    level,
    amount,
    ceiling: script.ceilings?.[level] ?? null,
    hands: (WON_BY[level] ?? []).map((hand) => ({ hand, percent: 100 })),
    disabled: false,
  }));
  send(response, 200, "application/json", JSON.stringify({ link, levels }));
}

/** Starts the double on a port that the system chooses. `live` plays a feed of its own in place of every script. */
export async function startDouble(live = null) {
  const server = createServer(answer);
  const sockets = new WebSocketServer({ noServer: true });
  let presentation = null;
  server.on("upgrade", (request, socket, head) => {
    const link = /^\/v1\/links\/([^/]+)\/feed/.exec(request.url)?.[1];
    const script = link && SCRIPTS[link];
    if (!link || !(live || script)) {
      socket.end("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n");
      return;
    }
    const shown = presentation ? { ...script, presentation } : script;
    sockets.handleUpgrade(request, socket, head, (open) => (live ? live(open, link) : play(open, link, shown)));
  });
  const url = await listen(server);
  return {
    url,
    /** Presents the links of all signs in a theme: of those that connect again later, too. */
    present(theme) {
      presentation = { name: null, celebration: "validation", theme, locale: null };
      const message = JSON.stringify({ type: "presentation", at: new Date().toISOString(), presentation });
      for (const open of sockets.clients) open.send(message);
    },
    close() {
      for (const open of sockets.clients) open.terminate();
      server.close();
      server.closeAllConnections();
    },
  };
}
