// A floor console for end-to-end tests: a build, a house, a browser, and helpers that wait for conditions.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { build } from "vite";
import { PASSWORD, PEOPLE, startHouse } from "../scripts/house.mjs";
import { startProxy } from "../scripts/static.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"];
export const LANDSCAPE = { width: 1180, height: 820 };
export const PORTRAIT = { width: 820, height: 1180 };
/** Most time that a page has for what a test waits for. */
const WAIT_MS = 15_000;
/** Pause between two heartbeats of a table: a third of the silence after which it is lost. */
const HEARTBEAT_EVERY_MS = 1_500;

export const ROYAL = ["As", "Ks", "Qs", "Js", "Ts"];
export const STRAIGHT_FLUSH = ["9c", "8c", "7c", "6c", "5c"];

/** A table that plays: it numbers its commands, and sends heartbeats until it falls silent. */
export class Table {
  #sequence = 0;
  #timer;

  constructor(house, name) {
    this.house = house;
    this.name = name;
  }

  async play(content) {
    this.#sequence += 1;
    return this.house.play(this.name, this.#sequence, content);
  }

  /** Locks a round with a wager on each of these seats; resolves with its name. */
  async lock(seats, dealt = seats) {
    const wagers = seats.map((seat) => ({ seat, amount: "1.00" }));
    return (await this.play({ command: "coin_in", wagers, dealt })).round;
  }

  /** Keys a hit; resolves with its name. */
  async hit(seat, hand, cards) {
    return (await this.play({ command: "hit", seat, hand, ...(cards && { cards }) })).hit.hit;
  }

  beat() {
    const path = `${this.house.url}/v1/tables/${this.name}/heartbeat`;
    const headers = { authorization: `Bearer ${this.house.tokens[this.name]}`, "content-type": "application/json" };
    const send = () => fetch(path, { method: "PUT", headers, body: "{}" }).catch(() => {});
    this.#timer = setInterval(send, HEARTBEAT_EVERY_MS);
    return send();
  }

  silence() {
    clearInterval(this.#timer);
  }
}

/** Everything that a test of the console needs. */
export async function startConsole(names) {
  const root = mkdtempSync(join(tmpdir(), "floor-built-"));
  await build({ root: join(here, ".."), logLevel: "error", build: { outDir: root } });
  const house = await startHouse({ tables: Object.fromEntries(names.map((name) => [name, 6])) });
  const proxy = await startProxy(root, house.url);
  await setPins(house);
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: FLAGS });
  const tables = Object.fromEntries(names.map((name) => [name, new Table(house, name)]));
  await Promise.all(Object.values(tables).map((table) => table.beat()));
  return {
    house,
    tables,
    url: proxy.url,
    /** Opens a tablet of its own. */
    async tablet({ size = LANDSCAPE, locale = "en-US" } = {}) {
      const context = await browser.newContext({ viewport: size, hasTouch: true, locale, deviceScaleFactor: 2 });
      context.setDefaultTimeout(WAIT_MS);
      const page = await context.newPage();
      page.faults = [];
      // A printed page opens beside the console, which would else lie hidden behind it.
      context.on("page", (other) => other !== page && other.close());
      page.on("pageerror", (error) => page.faults.push(String(error)));
      page.on("console", (message) => {
        if (/Content.Security.Policy/i.test(message.text())) page.faults.push(message.text());
      });
      return page;
    },
    async close() {
      for (const table of Object.values(tables)) table.silence();
      await browser.close();
      proxy.close();
      await house.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Fills the login that stands on the page. */
export async function fillLogin(page, name) {
  await page.fill("#login-name", name);
  await page.fill("#login-password", PASSWORD);
  await page.click("form.login .button.go");
}

/** Opens the console and logs a person in. */
export async function logIn(page, floor, name) {
  await page.goto(`${floor.url}/floor`);
  await fillLogin(page, name);
  await page.waitForSelector(".place h1");
}

/** Returns if the server has PINs of its own. */
export async function hasPins(floor) {
  return (await fetch(`${floor.house.url}/v1/session/pin`)).status !== 404;
}

/** Lets each person with a PIN set it. */
async function setPins(house) {
  if (!(await hasPins({ house }))) return;
  for (const [name, { pin }] of Object.entries(PEOPLE))
    if (pin) await (await house.as(name))("PUT", "/v1/session/pin", { pin, password: PASSWORD });
}

const problem = (status, code, detail, fields = {}) => ({
  status,
  contentType: "application/problem+json",
  body: JSON.stringify({ status, code, title: detail, detail, fields }),
});

/**
 * Gives a tablet signatures by PIN. A server that has them is used as it is. For one without, the two paths are answered
 * here, with a real token of the person behind each signature.
 */
export async function givePins(page, floor) {
  if (await hasPins(floor)) return;
  const root = await floor.house.as("root");
  const tries = {};
  await page.route("**/v1/session/pin", (route) =>
    route.fulfill({ json: { name: "sam", set: true, set_at: new Date().toISOString(), blocked: false } }),
  );
  await page.route("**/v1/signatures", async (route) => {
    const { name, pin } = route.request().postDataJSON();
    const person = PEOPLE[name];
    if (person?.pin !== pin) {
      tries[name] = (tries[name] ?? 5) - 1;
      return route.fulfill(problem(401, "pin_wrong", "The PIN is wrong", { tries_left: String(tries[name]) }));
    }
    const { role, department, rights } = person;
    const made = await root("POST", "/v1/tokens", { name, role, department, rights });
    const expires_at = new Date(Date.now() + 120_000).toISOString();
    return route.fulfill({ json: { token: made.token, expires_at, name, role, department, rights: rights ?? [] } });
  });
}

/** Taps the digits of a PIN. */
export async function tapPin(page, pin) {
  for (const digit of pin) await page.tap(`.pin-key:text-is("${digit}")`);
}
