// What the end-to-end tests stand on: a house, whose program serves the pages, and a browser with people at it.
//
// METERHOUSE_PROGRAM names the program, target/debug/meterhouse otherwise. It has the pages of server/web/page/built inside.
// BUILT names a folder with other pages, so that a change of the pages needs no new program.

import assert from "node:assert/strict";
import { launch } from "../scripts/browser.mjs";
import { LINK, PASSWORD, PEOPLE, TABLES, startHouse } from "../scripts/house.mjs";
import { servePages } from "../scripts/static.mjs";

/** Most time that a page has for what a test waits for. */
export const WAIT_MS = 30_000;
/** The same where a celebration comes first, which lasts 20 s. */
export const SCENE_WAIT_MS = 60_000;
/** Pause between two heartbeats of a table: a third of the silence after which it is lost. */
const HEARTBEAT_EVERY_MS = 1_500;

export const ROYAL = ["As", "Ks", "Qs", "Js", "Ts"];
export const STRAIGHT_FLUSH = ["9c", "8c", "7c", "6c", "5c"];

/** A browser whose pages have profiles of their own, and report their faults. */
export class Browser {
  /** Options of each page. */
  defaults = { locale: "en-US" };
  #browser;
  #pages = [];

  static async start() {
    const started = new Browser();
    started.#browser = await launch();
    return started;
  }

  /** Opens a page. */
  async open(options = {}) {
    const context = await this.#browser.newContext({ ...this.defaults, ...options });
    context.setDefaultTimeout(WAIT_MS);
    const page = await context.newPage();
    page.faults = [];
    page.on("pageerror", (error) => page.faults.push(String(error)));
    page.on("console", (message) => {
      if (/Content.Security.Policy/i.test(message.text())) page.faults.push(message.text());
    });
    this.#pages.push(page);
    return page;
  }

  /** Closes the pages of a test, and fails if one of them reported a fault. */
  async closePages() {
    const pages = this.#pages.splice(0);
    await Promise.all(pages.map((page) => page.context().close()));
    assert.deepEqual(
      pages.flatMap((page) => page.faults),
      [],
    );
  }

  close() {
    return this.#browser.close();
  }
}

/** A table whose commands the test sends. */
class Table {
  #timer;

  constructor(house, name) {
    this.house = house;
    this.name = name;
  }

  play(content) {
    return this.house.play(this.name, content);
  }

  /** Locks a round with a wager on each of these seats. */
  lock(seats, dealt = seats) {
    const wagers = seats.map((seat) => ({ seat, amount: "1.00" }));
    return this.play({ command: "coin_in", wagers, dealt });
  }

  /** Enters a hit; resolves with it. */
  async hit(seat, hand, cards) {
    return (await this.play({ command: "hit", seat, hand, cards })).hit;
  }

  /** Sends heartbeats until the table falls silent. */
  beat() {
    const send = () => this.house.atTable(this.name, "PUT", "/heartbeat", {}).catch(() => {});
    this.#timer = setInterval(send, HEARTBEAT_EVERY_MS);
    return send();
  }

  silence() {
    clearInterval(this.#timer);
  }
}

/** Starts a house with tables that play, and a browser. */
export async function startFoundation(names = TABLES) {
  const browser = await Browser.start();
  const house = await startHouse({ tables: names }).catch(async (error) => {
    await browser.close();
    throw error;
  });
  const pages = await servePages(house.url);
  browser.defaults.baseURL = pages.url;
  const tables = Object.fromEntries(names.map((name) => [name, new Table(house, name)]));
  return {
    house,
    browser,
    tables,
    /** Address of the pages. */
    url: pages.url,
    async close() {
      for (const table of Object.values(tables)) table.silence();
      await browser.close();
      pages.close();
      await house.close();
    },
  };
}

/** Fills the login that stands on the page. */
export async function fillLogin(page, name) {
  await page.fill("#login-name", name);
  await page.fill("#login-password", PASSWORD);
  await page.click("form.login .button.go");
}

/** Opens an address as a person who logs in. */
export async function openAs(browser, name, address, options) {
  const page = await browser.open(options);
  await page.goto(address);
  await fillLogin(page, name);
  await page.locator("form.login").waitFor({ state: "detached" });
  return page;
}

/** Opens the front page as that of a demo with this table. */
export async function openDemo(page, table) {
  const people = ["sam", "max"].map((name) => ({ name, password: PASSWORD, ...PEOPLE[name] }));
  const offer = { link: LINK, table: { table, token: "a-token" }, people };
  await page.route("**/demo.json", (route) => route.fulfill({ json: offer }));
  await page.goto("/");
  await seen(page, `Approve it with PIN ${PEOPLE.sam.pin}`);
}

export const button = (page, name, exact = false) => page.getByRole("button", { name, exact });

/** Waits until a text is seen. */
export const seen = (page, text) => page.getByText(text).first().waitFor();

/** Waits for a condition that no page shows; `what` names it. */
export async function until(holds, what = "the condition") {
  const deadline = Date.now() + WAIT_MS;
  while (!(await holds())) if (Date.now() > deadline) throw new Error(`${what} did not come`);
}

/** Lets a supervisor decide about a hit. */
export async function decide(house, hit, decision) {
  await (
    await house.as("sam")
  )("PUT", `/v1/hits/${hit}/validation`, decision);
}
