// What the tests of the keypad have of their own: a network that loses requests, a link with bonuses, a browser to kill,
// and what a dealer does again and again.

import { randomUUID } from "node:crypto";
import { createServer, request as ask } from "node:http";
import { chromium } from "playwright-core";
import { CHROMIUM, FLAGS } from "../scripts/browser.mjs";
import { endProcess, startProcess } from "../scripts/process.mjs";
import { listen } from "../scripts/static.mjs";
import { WAIT_MS, button, seen } from "./foundation.mjs";

const BONUS_LINK = "bonus";

/**
 * Starts a network in front of the server. `lose` decides about each request for a command: "request" never reaches the
 * server, "answer" reaches it and its answer is lost.
 */
export async function startNetwork(target) {
  const { hostname, port } = new URL(target);
  const network = { lose: () => null, url: "", close: () => {} };
  const server = createServer((request, response) => {
    const lost = request.url.includes("/commands/") ? network.lose() : null;
    if (lost === "request") return void response.destroy();
    const forward = ask(
      { hostname, port, path: request.url, method: request.method, headers: request.headers },
      (answer) => {
        if (lost === "answer") {
          answer.resume();
          answer.on("end", () => response.destroy());
          return;
        }
        response.writeHead(answer.statusCode, answer.headers);
        answer.pipe(response);
      },
    );
    forward.on("error", () => response.destroy());
    request.pipe(forward);
  });
  network.url = await listen(server);
  network.close = () => {
    server.close();
    server.closeAllConnections();
  };
  return network;
}

/** Opens a link with a Magic Card and a lucky position in every round, and lets a table join. */
export async function openBonusLink(house, table) {
  const [max, mia] = [await house.as("max"), await house.as("mia")];
  const terms = { paytable: "pa-657a-five-card-hand-bonus", wager: "5.00", decks: 1 };
  const bonuses = { reserve_policy: "add", magic_card_one_in: 1, lucky_bonus_one_in: 1 };
  await house.openLink(BONUS_LINK, { ...terms, ...bonuses });
  // So many bonuses return more than the wager: two people have to agree.
  const proposal = `/v1/links/${BONUS_LINK}/proposals/${randomUUID()}`;
  await max("PUT", proposal, { change: "acknowledge_returns", reason: "a test" });
  await mia("PUT", `${proposal}/approval`, { decision: "approve" });
  await house.join(table, BONUS_LINK, terms);
}

/** Starts a browser of its own on a profile, which can be killed like a tablet that loses its power. */
export async function startMortalBrowser(profile) {
  const args = [...FLAGS, "--remote-debugging-port=0", `--user-data-dir=${profile}`, "about:blank"];
  const { child, found } = await startProcess(CHROMIUM, args, /DevTools listening on (ws:\S+)/, "stderr");
  const browser = await chromium.connectOverCDP(found);
  const context = browser.contexts()[0];
  context.setDefaultTimeout(WAIT_MS);
  return {
    page: async () => context.pages()[0] ?? (await context.newPage()),
    /** Ends the browser's process without a warning. */
    kill: () => endProcess(child, "SIGKILL"),
  };
}

/** Enters the badge of the dealer. */
export async function setBadge(page, badge = "d-12") {
  await button(page, /No badge/).click();
  await page.getByLabel(/Badge of the dealer/).fill(badge);
  await button(page, "Use this badge").click();
}

/** Puts chips on seats and locks them. */
export async function coinIn(page, seats) {
  for (const seat of seats) await button(page, new RegExp(`^seat ${seat},`)).click();
  await button(page, /^COIN IN/).click();
  await seen(page, `${seats.length} wager${seats.length === 1 ? "" : "s"} accepted`);
}

export async function fold(page, seat) {
  await button(page, "Fold…").click();
  await button(page, `seat ${seat}, Accepted`).click();
  await button(page, `Fold seat ${seat}`).click();
}

const NAMES = {
  A: "ace",
  K: "king",
  Q: "queen",
  J: "jack",
  T: "10",
  s: "spades",
  h: "hearts",
  d: "diamonds",
  c: "clubs",
};

/** Enters cards. */
export async function pick(page, cards) {
  for (const card of cards.split(" "))
    await button(page, `${NAMES[card[0]] ?? card[0]} of ${NAMES[card[1]]}`, true).click();
}
