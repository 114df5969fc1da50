// What the end-to-end tests of the keypad stand on: a house, the built page in front of it, and browsers.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, request as ask } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { build } from "vite";
import { startHouse } from "../scripts/house.mjs";
import { listen, sendBuilt } from "../scripts/static.mjs";

const CLIENT = join(dirname(fileURLToPath(import.meta.url)), "..");
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const STEP_WAIT_MS = 10_000;
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync", "--no-first-run"];
export const BONUS_LINK = "bonus";

/** Builds the pages into a folder of its own. */
async function buildPages() {
  const folder = mkdtempSync(join(tmpdir(), "meterhouse-built-"));
  await build({ root: CLIENT, logLevel: "error", build: { outDir: folder, emptyOutDir: true } });
  return folder;
}

/**
 * Serves the pages in front of the server. `lose` decides about each request for a command: "request" never reaches the
 * server, "answer" reaches it and its answer is lost.
 */
async function startFront(built, target) {
  const { hostname, port } = new URL(target);
  const front = { lose: () => null, url: "", close: () => {} };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, target);
    if (sendBuilt(pathname, response, built)) return;
    const lost = pathname.includes("/commands/") ? front.lose() : null;
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
  front.url = await listen(server);
  front.close = () => {
    server.close();
    server.closeAllConnections();
  };
  return front;
}

/** Opens a link with a Magic Card and a lucky position in every round, and one table. */
async function openBonusLink(house, table) {
  const [max, mia] = [await house.as("max"), await house.as("mia")];
  const terms = { paytable: "pa-657a-five-card-hand-bonus", wager: "5.00", decks: 1 };
  const { levels } = await max("PUT", `/v1/links/${BONUS_LINK}`, {
    ...terms,
    reserve_policy: "add",
    magic_card_one_in: 1,
    lucky_bonus_one_in: 1,
  });
  const values = levels.map(({ level, opened_with }) => ({ level, amount: opened_with }));
  await mia("PUT", `/v1/links/${BONUS_LINK}/values`, { values });
  // So many bonuses return more than the wager: two people have to agree.
  const proposal = `/v1/links/${BONUS_LINK}/proposals/${house.newId()}`;
  await max("PUT", proposal, { change: "acknowledge_returns", reason: "a test" });
  await mia("PUT", `${proposal}/approval`, { decision: "approve" });
  await max("PUT", `/v1/tables/${table}`, { link: BONUS_LINK, game: "crazy-4-poker", seats: 6, ...terms });
}

async function controllerToken(house, table) {
  const root = await house.as("root");
  return (await root("POST", "/v1/tokens", { name: table, role: "controller", table })).token;
}

/** Starts a house with these tables, the pages, and a browser. */
export async function startKeypads(tables, bonusTable) {
  const built = await buildPages();
  const house = await startHouse({ tables: Object.fromEntries(tables.map((table) => [table, 6])) });
  if (bonusTable) {
    await openBonusLink(house, bonusTable);
    house.tokens[bonusTable] = await controllerToken(house, bonusTable);
  }
  const front = await startFront(built, house.url);
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  const address = (table) => `${front.url}/table/${table}?locale=en-US`;
  return {
    house,
    front,
    address,
    withToken: (table) => `${address(table)}#token=${house.tokens[table]}`,
    /** Opens a table on a tablet of its own. */
    async tablet(table, { withoutLocks = false } = {}) {
      const context = await browser.newContext({ viewport: { width: 1024, height: 768 } });
      context.setDefaultTimeout(STEP_WAIT_MS);
      if (withoutLocks) await context.addInitScript("delete Navigator.prototype.locks");
      const page = await context.newPage();
      await page.goto(`${address(table)}#token=${house.tokens[table]}`);
      return page;
    },
    /** Reads the table as its controller. */
    async state(table) {
      const answer = await fetch(`${house.url}/v1/tables/${table}`, {
        headers: { authorization: `Bearer ${house.tokens[table]}` },
      });
      return answer.json();
    },
    async close() {
      await browser.close();
      front.close();
      await house.close();
      rmSync(built, { recursive: true, force: true });
    },
  };
}

/** Starts a browser of its own on a profile, which can be killed like a tablet that loses its power. */
export async function startBrowser(profile) {
  const child = spawn(
    CHROMIUM,
    [...FLAGS, "--headless", "--remote-debugging-port=0", `--user-data-dir=${profile}`, "about:blank"],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  const endpoint = await new Promise((done, failed) => {
    child.on("error", failed);
    child.on("exit", (code) => failed(new Error(`the browser ended with ${code}`)));
    createInterface({ input: child.stderr }).on("line", (line) => {
      const found = /DevTools listening on (ws:\S+)/.exec(line);
      if (found) done(found[1]);
    });
  });
  child.removeAllListeners("exit");
  const browser = await chromium.connectOverCDP(endpoint);
  const context = browser.contexts()[0];
  context.setDefaultTimeout(STEP_WAIT_MS);
  return {
    page: async () => context.pages()[0] ?? (await context.newPage()),
    /** Ends the browser's process without a warning. */
    async kill() {
      const ended = new Promise((done) => child.once("exit", done));
      child.kill("SIGKILL");
      await ended;
    },
  };
}
