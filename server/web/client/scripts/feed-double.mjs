// A test double of the server: serves the built page under its real Content-Security-Policy, and a scripted feed whose
// script is chosen by the link's name. Nothing of it is in the built page.

import { createServer } from "node:http";
import { WebSocketServer } from "ws";
import { listen, send, sendBuilt } from "./static.mjs";

const THREE = [
  ["mega", "128456.73"],
  ["major", "4139.71"],
  ["minor", "303.93"],
];
const ROYAL = {
  table: "C4P-07",
  kind: "line",
  hand: "royal-flush",
  level: "mega",
  percent: 100,
  due: "128456.73",
  cards: ["As", "Ks", "Qs", "Js", "Ts"],
};
const FLUSH = {
  table: "UTH-02",
  kind: "line",
  hand: "straight-flush",
  level: "major",
  percent: 100,
  due: "4139.71",
  cards: ["9h", "8h", "7h", "6h", "5h"],
};
const AFTER_ROYAL = [
  ["mega", "10000.42"],
  ["major", "4139.71"],
  ["minor", "303.93"],
];
const AFTER_FLUSH = [
  ["mega", "128456.98"],
  ["major", "1000.05"],
  ["minor", "303.93"],
];

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
  rolling: {
    levels: THREE,
    steps: [
      [
        1500,
        meters([
          ["mega", "128457.01"],
          ["major", "4139.78"],
          ["minor", "303.96"],
        ]),
      ],
    ],
  },
  pending: { levels: THREE, steps: win(ROYAL, AFTER_ROYAL, []) },
  celebration: { levels: THREE, steps: win(ROYAL, AFTER_ROYAL, [[700, "validated"]]) },
  counting: { levels: THREE, steps: win(ROYAL, AFTER_ROYAL, [[700, "validated"]]) },
  // The presentation decides: the name and the full celebration at the hit.
  early: {
    levels: THREE,
    steps: win(ROYAL, AFTER_ROYAL, []),
    presentation: { name: "Silver Harbour", celebration: "hit", theme: null, locale: null },
  },
  latecards: {
    levels: THREE,
    steps: win({ ...ROYAL, cards: undefined }, AFTER_ROYAL, [[700, "validated", ROYAL.cards]]),
  },
  nocards: { levels: THREE, steps: win({ ...ROYAL, cards: undefined }, AFTER_ROYAL, [[700, "validated"]]) },
  paid: {
    levels: THREE,
    steps: win(ROYAL, AFTER_ROYAL, [
      [400, "validated"],
      [500, "paid"],
    ]),
  },
  longpending: {
    levels: THREE,
    steps: win(ROYAL, AFTER_ROYAL, []),
    title: "Crazy 4 Poker, Five-Card Progressive Payout Wager, Paytable C",
  },
  panelpending: { levels: THREE, steps: win(FLUSH, AFTER_FLUSH, []) },
  panel: { levels: THREE, steps: win(FLUSH, AFTER_FLUSH, [[700, "validated"]]) },
  undone: { levels: THREE, steps: win(ROYAL, AFTER_ROYAL, [[900, "undone"]]) },
  stale: { levels: THREE, silent: true },
  stalewin: { levels: THREE, steps: win(ROYAL, AFTER_ROYAL, []), silent: true },
  single: { levels: [["meter", "10189.88"]], title: "Silver Harbour" },
  two: {
    levels: [
      ["mega", "88012.40"],
      ["major", "1201.15"],
    ],
    title: "Silver Harbour",
  },
  three: { levels: THREE, title: "Silver Harbour" },
  four: {
    levels: [
      ["grand", "1128456.73"],
      ["major", "14139.71"],
      ["minor", "1303.93"],
      ["mini", "103.93"],
    ],
  },
  five: {
    levels: [
      ["grand", "128456.73"],
      ["mega", "14139.71"],
      ["major", "4139.71"],
      ["minor", "303.93"],
      ["mini", "53.93"],
    ],
  },
  six: {
    levels: [
      ["grand", "128456.73"],
      ["mega", "14139.71"],
      ["major", "4139.71"],
      ["minor", "303.93"],
      ["mini", "53.93"],
      ["four-of-a-kind", "20.05"],
    ],
  },
  longlower: {
    levels: [
      ["mega", "128456.73"],
      ["major", "12413999.71"],
      ["minor", "11303999.93"],
    ],
  },
  longname: { levels: THREE, title: "Crazy 4 Poker, Five-Card Progressive Payout Wager, Paytable C" },
  long: {
    levels: [
      ["mega", "12845699.73"],
      ["major", "413999.71"],
      ["minor", "30399.93"],
    ],
    title: "Crazy 4 Poker, Five-Card Progressive Payout Wager, Paytable C",
  },
  ceiling: { levels: THREE, ceilings: { mega: "250000.00", minor: "500.00" }, disabled: ["major"] },
  empty: { levels: [] },
};

function meters(levels) {
  return { type: "meters", levels: levels.map(([level, amount]) => ({ level, amount })) };
}

function win(hit, after, changes) {
  return [
    [
      300,
      {
        type: "hit",
        hit: "C4P-07.2",
        round: "C4P-07.1",
        order: 1,
        state: "pending",
        seat: 3,
        dealer: false,
        envy_due: "0.00",
        ...hit,
      },
    ],
    [320, meters(after)],
    ...changes.map(([wait, state, cards]) => [
      wait,
      { type: "hit_changed", hit: "C4P-07.2", state, due: null, ...(cards ? { cards } : {}) },
    ]),
  ];
}

function play(socket, link, script, title) {
  let batch = 10;
  const send = (message) => {
    batch += 1;
    socket.send(
      JSON.stringify({
        batch,
        position: `${batch}.0`,
        at: new Date().toISOString(),
        seal: `${batch}.double`,
        ...message,
      }),
    );
  };
  send({
    type: "snapshot",
    link,
    title: script.title ?? title,
    wager: "1.00",
    state: "open",
    reason: null,
    disabled: script.disabled ?? [],
    missing: false,
    presentation: script.presentation ?? { name: null, celebration: "validation", theme: null, locale: null },
    tables: [],
    hits: [],
    levels: meters(script.levels).levels,
  });
  const timers = (script.steps ?? []).map(([wait, message]) => setTimeout(send, wait, message));
  const beat = script.silent
    ? 0
    : setInterval(() => socket.send(JSON.stringify({ type: "heartbeat", at: new Date().toISOString() })), 1000);
  socket.on("close", () => {
    clearInterval(beat);
    timers.forEach(clearTimeout);
  });
}

function answer(request, response, built) {
  const { pathname } = new URL(request.url, "http://double");
  if (sendBuilt(pathname, response, built)) return;
  const link = /^\/v1\/links\/([^/]+)$/.exec(pathname)?.[1];
  const script = link && SCRIPTS[link];
  if (!script) {
    send(response, 404, "application/problem+json", JSON.stringify({ code: "unknown_link" }));
    return;
  }
  const levels = script.levels.map(([level, amount]) => ({
    level,
    amount,
    ceiling: script.ceilings?.[level] ?? null,
    hands: (WON_BY[level] ?? []).map((hand) => ({ hand, percent: 100 })),
    disabled: false,
  }));
  send(response, 200, "application/json", JSON.stringify({ link, levels }));
}

/**
 * Starts the double on a port that the system chooses. `titles` names links otherwise than their script does, and `live`
 * plays a feed of its own in place of every script.
 */
export async function startDouble(built, { titles = {}, live = null } = {}) {
  const server = createServer((request, response) => answer(request, response, built));
  const sockets = new WebSocketServer({ noServer: true });
  server.on("upgrade", (request, socket, head) => {
    const link = /^\/v1\/links\/([^/]+)\/feed/.exec(request.url)?.[1];
    const script = link && SCRIPTS[link];
    if (live && link) {
      sockets.handleUpgrade(request, socket, head, (open) => live(open, link));
      return;
    }
    if (!script) {
      socket.end("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n");
      return;
    }
    sockets.handleUpgrade(request, socket, head, (open) => play(open, link, script, titles[link] ?? "Northern Crown"));
  });
  const url = await listen(server);
  return {
    url,
    close() {
      for (const open of sockets.clients) open.terminate();
      server.close();
      server.closeAllConnections();
    },
  };
}
