// The sign before a real server: stale and back, offline, unknown, wins to their end, and amounts that never step back.
//
//   METERHOUSE_PROGRAM=… node --test e2e/sign.test.mjs
//
// The page is built from the source into a temporary folder.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { build } from "vite";
import { startHouse } from "../scripts/house.mjs";
import { startProxy } from "../scripts/static.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"];
/** Most time until the mark that a sign is not live. It comes after 2.5 s; how long a busy machine takes is only told. */
const STALE_WAIT_MS = 10_000;
/** A celebration lasts 20 s, PAID 15 s; a busy machine takes its time. */
const SCENE_WAIT_MS = 60_000;
const ROYAL = { command: "hit", hand: "royal-flush", cards: ["As", "Ks", "Qs", "Js", "Ts"] };
const STRAIGHT = { command: "hit", hand: "straight-flush", cards: ["9h", "8h", "7h", "6h", "5h"] };

let built;
let house;
let proxy;
let browser;
let sam;
let max;
const numbers = {};

/** Sends the next command of a table. */
async function play(table, content) {
  numbers[table] = (numbers[table] ?? 0) + 1;
  return house.play(table, numbers[table], content);
}

const coinIn = (table) =>
  play(table, { command: "coin_in", dealt: [1, 3], wagers: [1, 3].map((seat) => ({ seat, amount: "1.00" })) });

/** Opens a second link, so that a sign of two has something to show. */
async function openSecond(url) {
  const mia = await house.as("mia");
  const { levels } = await max("PUT", url, { paytable: "pa-657a-five-card-c", wager: "1.00", decks: 1 });
  const values = levels.map(({ level, opened_with }) => ({ level, amount: opened_with }));
  await mia("PUT", `${url}/values`, { values });
}

before(async () => {
  built = mkdtempSync(join(tmpdir(), "sign-built-"));
  await build({ root, logLevel: "error", build: { outDir: built, emptyOutDir: true } });
  house = await startHouse();
  proxy = await startProxy(built, house.url);
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });
  [sam, max] = [await house.as("sam"), await house.as("max")];
  await openSecond("/v1/links/second");
});

after(async () => {
  await browser?.close();
  proxy?.close();
  await house?.close();
  if (built) rmSync(built, { recursive: true, force: true });
});

/** Runs in the page: keeps each amount that a level shows. */
function watchAmounts() {
  window.seen = {};
  const look = () => {
    for (const section of document.querySelectorAll("section.level")) {
      const level = section.querySelector(".name")?.textContent.toLowerCase().replace("new ", "");
      const amount = section.querySelector(".amount")?.getAttribute("aria-label");
      if (!level || !amount) continue;
      const all = (window.seen[level] ??= []);
      if (all.at(-1) !== amount) all.push(amount);
    }
  };
  const options = { subtree: true, childList: true, attributes: true, attributeFilter: ["aria-label"] };
  new MutationObserver(look).observe(document, options);
}

/** Opens a sign, and keeps the amounts that the server sends and those that the sign shows. */
async function openSign(links, { context } = {}) {
  const page = await (context ?? browser).newPage({ viewport: { width: 1280, height: 720 } });
  const sent = {};
  const state = { page, sent, heard: 0, errors: [] };
  page.on("pageerror", (error) => state.errors.push(String(error)));
  page.on("websocket", (socket) =>
    socket.on("framereceived", ({ payload }) => {
      state.heard = performance.now();
      const { levels, type } = JSON.parse(payload);
      if (type === "meters" || type === "snapshot")
        for (const { level, amount } of levels) (sent[level] ??= []).push(cents(amount));
    }),
  );
  await page.addInitScript(watchAmounts);
  await page.goto(`${proxy.url}/sign/${links}`);
  return state;
}

/** Reads "10000.27" and "$10,000.27" as cents. What is less than a cent is cut off. */
function cents(text) {
  const [whole, fraction = ""] = text.replace(/[$,]/g, "").split(".");
  return Number(whole) * 100 + Number(fraction.slice(0, 2).padEnd(2, "0"));
}

/** Checks that each amount shown was sent, and that none is below the one before unless the server's fell between. */
async function assertNeverBack({ page, sent }) {
  const seen = await page.evaluate(() => window.seen);
  assert.ok(Object.keys(seen).length > 0, "no amount was shown");
  let falls = 0;
  for (const [level, texts] of Object.entries(seen)) {
    const server = sent[level];
    let at = -1;
    for (const amount of texts.map(cents)) {
      const next = server.indexOf(amount, Math.max(at, 0));
      assert.notEqual(next, -1, `${level} showed ${amount}, which was not sent after ${server[at]}`);
      if (at >= 0 && amount < server[at]) {
        const fell = server.slice(at, next + 1).some((value, index, all) => index > 0 && value < all[index - 1]);
        assert.ok(fell, `${level} stepped back from ${server[at]} to ${amount}`);
        falls += 1;
      }
      at = next;
    }
  }
  return falls;
}

/** Returns the words of the plate. */
const plate = (page) => page.locator(".plate").innerText();

/** Waits until the sign says that it is not live, and returns the time since the last message. */
async function untilStale(sign) {
  await sign.page.waitForSelector(".stale-mark", { timeout: STALE_WAIT_MS });
  return performance.now() - sign.heard;
}

test("an unknown link is named", async () => {
  const { page } = await openSign("no-such-link");
  await page.locator(".message .line", { hasText: "No jackpot named no-such-link" }).waitFor();
  await page.close();
});

test("a sign goes stale when the server stops, and recovers at the same port", async (t) => {
  const sign = await openSign("main");
  await sign.page.waitForSelector(".amount");
  await house.stop();
  const late = await untilStale(sign);
  t.diagnostic(`the stale mark came after ${late.toFixed(0)} ms`);
  await house.restart();
  await sign.page.waitForSelector(".stale-mark", { state: "detached", timeout: SCENE_WAIT_MS });
  await coinIn("C4P-09");
  await sign.page.waitForFunction(() => window.seen.mega?.length > 1);
  await play("C4P-09", { command: "close" });
  assert.equal(await assertNeverBack(sign), 0);
  assert.deepEqual(sign.errors, []);
  await sign.page.close();
});

test("a browser without network goes stale, and recovers with it", async (t) => {
  const context = await browser.newContext();
  const sign = await openSign("main", { context });
  await sign.page.waitForSelector(".amount");
  await context.setOffline(true);
  const late = await untilStale(sign);
  t.diagnostic(`the stale mark came after ${late.toFixed(0)} ms`);
  await context.setOffline(false);
  await sign.page.waitForSelector(".stale-mark", { state: "detached", timeout: SCENE_WAIT_MS });
  await context.close();
});

test("a win is pending, celebrated, on the plate, paid, and gone", async () => {
  const sign = await openSign("main");
  const { page } = sign;
  await page.waitForSelector(".amount");
  await coinIn("C4P-07");
  const { hit } = await play("C4P-07", { ...ROYAL, seat: 3 });
  await page.waitForSelector(".tag.pending");
  const words = (await plate(page)).toLowerCase();
  for (const part of ["mega", "pending", "c4p-07", "royal flush"]) assert.ok(words.includes(part), `${part}: ${words}`);
  const won = await page.locator(".plate .amount").getAttribute("aria-label");
  assert.equal(cents(won), cents(hit.due));
  assert.equal(await page.locator(".foil-fall").count(), 0, "nothing is confirmed yet");
  await sam("PUT", `/v1/hits/${hit.hit}/validation`, { decision: "approve" });
  await page.waitForSelector(".celebration");
  assert.equal(await page.locator(".celebration .large-hand").getAttribute("aria-label"), ROYAL.cards.join(" "));
  await page.waitForSelector(".celebration .amount.pulse");
  assert.equal(cents(await page.locator(".celebration .amount").getAttribute("aria-label")), cents(hit.due));
  await page.waitForSelector(".plate.step-won", { timeout: SCENE_WAIT_MS });
  assert.equal(await page.locator(".tag").count(), 0);
  await sam("PUT", `/v1/hits/${hit.hit}/payouts/1/payment`, { document: "JP-000001" });
  // The envy of the other player is paid with GAME OVER, and the hit with it.
  await play("C4P-07", { command: "close" });
  await page.waitForSelector(".tag.paid");
  await page.waitForSelector(".plate", { state: "detached", timeout: SCENE_WAIT_MS });
  assert.ok((await assertNeverBack(sign)) > 0, "the level that was won fell");
  assert.deepEqual(sign.errors, []);
  await page.close();
});

test("a win has the whole sign of two links, and a rejected one ends without a word", async () => {
  const sign = await openSign("main+second");
  const { page } = sign;
  await page.waitForFunction(() => document.querySelectorAll(".half .amount").length >= 6);
  await coinIn("C4P-08");
  const { hit } = await play("C4P-08", { ...STRAIGHT, seat: 1 });
  await page.waitForSelector(".tag.pending");
  assert.equal(await page.locator(".half").count(), 0);
  assert.match((await plate(page)).toLowerCase(), /c4p-08/);
  await sam("PUT", `/v1/hits/${hit.hit}/validation`, { decision: "reject", note: "four cards only" });
  await page.waitForSelector(".plate", { state: "detached" });
  await page.waitForFunction(() => document.querySelectorAll(".half .amount").length >= 6);
  assert.doesNotMatch((await page.locator("body").innerText()).toLowerCase(), /reject|cancel|void|undone/);
  await play("C4P-08", { command: "close" });
  assert.deepEqual(sign.errors, []);
  await page.close();
});

/** Presents a link, and returns a wait for what the sign shows by it. */
async function present(page, link, presentation) {
  await max("PUT", `/v1/links/${link}/presentation`, presentation);
  const answered = performance.now();
  return async (shows) => {
    await page.waitForFunction(
      ({ theme, lang, names }) => {
        const { dataset, lang: shown } = document.documentElement;
        const found = [...document.querySelectorAll(".link-name")].map((name) => name.textContent);
        return dataset.theme === theme && shown === lang && names.every((name, index) => found[index] === name);
      },
      shows,
      { polling: "raf" },
    );
    const late = performance.now() - answered;
    console.log(`# the sign followed after ${late.toFixed(0)} ms`);
  };
}

test("under the levels stand the hands that win them, as the server says", async () => {
  const { page } = await openSign("main");
  await page.waitForFunction(() => document.querySelectorAll("section.level .hand").length === 3);
  const hands = await page.locator("section.level .hand").allInnerTexts();
  assert.deepEqual(
    hands.map((hand) => hand.toLowerCase()),
    ["royal flush", "straight flush", "four of a kind"],
  );
  await page.close();
});

test("a manager's presentation changes a running sign within a second", async () => {
  const sign = await openSign("main");
  const { page } = sign;
  await page.waitForSelector(".amount");
  const spanish = { name: "Corona Norte", theme: "neon", locale: "es-MX" };
  await (
    await present(page, "main", spanish)
  )({ theme: "neon", lang: "es-MX", names: ["Corona Norte"] });
  await page.locator("section.level .hand", { hasText: /escalera real/i }).waitFor();
  // A sign that opens now begins with it.
  const late = await openSign("main");
  await late.page.locator(".link-name", { hasText: "Corona Norte" }).waitFor();
  assert.equal(await late.page.locator("html").getAttribute("data-theme"), "neon");
  await late.page.close();
  await (
    await present(page, "main", {})
  )({ theme: "gold", lang: "en-US", names: [] });
  assert.notEqual(await page.locator(".link-name").innerText(), "Corona Norte");
  assert.deepEqual(sign.errors, []);
  await page.close();
});

test("on a sign of two links each has its name, and the first one decides theme and locale", async () => {
  const sign = await openSign("main+second");
  const { page } = sign;
  await page.waitForFunction(() => document.querySelectorAll(".half .amount").length >= 6);
  await max("PUT", "/v1/links/second/presentation", { name: "Silver Harbour", theme: "heritage", locale: "es-MX" });
  const names = ["Northern Crown", "Silver Harbour"];
  await (
    await present(page, "main", { name: names[0] })
  )({ theme: "gold", lang: "en-US", names });
  await max("PUT", "/v1/links/second/presentation", {});
  await max("PUT", "/v1/links/main/presentation", {});
  assert.deepEqual(sign.errors, []);
  await page.close();
});

test("a link that celebrates at the hit does so once, and its plate is pending after it", async () => {
  await max("PUT", "/v1/links/main/presentation", { celebration: "hit" });
  const sign = await openSign("main");
  const { page } = sign;
  await page.waitForSelector(".amount");
  await coinIn("C4P-09");
  const { hit } = await play("C4P-09", { ...ROYAL, seat: 1 });
  await page.waitForSelector(".celebration");
  await page.waitForSelector(".tag.pending", { timeout: SCENE_WAIT_MS });
  await page.evaluate(() => {
    window.again = 0;
    new MutationObserver(() => (window.again += document.querySelectorAll(".celebration").length)).observe(document, {
      subtree: true,
      childList: true,
    });
  });
  await sam("PUT", `/v1/hits/${hit.hit}/validation`, { decision: "approve" });
  await page.waitForSelector(".plate.step-won");
  assert.equal(await page.evaluate(() => window.again), 0);
  await max("PUT", "/v1/links/main/presentation", {});
  await sam("PUT", `/v1/hits/${hit.hit}/payouts/1/payment`, { document: "JP-000002" });
  await play("C4P-09", { command: "close" });
  assert.deepEqual(sign.errors, []);
  await page.close();
});
