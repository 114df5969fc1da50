// The sign before a real server: stale and back, offline, unknown, wins to their end, and amounts that never step back.

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { ROYAL, SCENE_WAIT_MS, STRAIGHT_FLUSH, decide, startFoundation } from "./foundation.mjs";

/** Milliseconds that a celebration and PAID last. */
const CELEBRATION_MS = 20_000;
const PAID_MS = 15_000;
let sign;

before(async () => {
  sign = await startFoundation();
  // A sign of two links has something to show.
  await sign.house.openLink("second");
});
afterEach(() => sign.browser.closePages());
after(() => sign?.close());

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

/**
 * Opens a sign, and keeps the amounts that the server sends and those that the sign shows. `ownClock` gives the page a clock
 * that the test may put on.
 */
async function openSign(links, { ownClock = false } = {}) {
  const page = await sign.browser.open({ viewport: { width: 1280, height: 720 } });
  if (ownClock) await page.clock.install();
  page.sent = {};
  page.heard = 0;
  page.on("websocket", (socket) =>
    socket.on("framereceived", ({ payload }) => {
      page.heard = performance.now();
      const { levels, type } = JSON.parse(payload);
      if (type === "meters" || type === "snapshot")
        for (const { level, amount } of levels) (page.sent[level] ??= []).push(cents(amount));
    }),
  );
  await page.addInitScript(watchAmounts);
  await page.goto(`/sign/${links}`);
  return page;
}

/** Reads "10000.27" and "$10,000.27" as cents. What is less than a cent is cut off. */
function cents(text) {
  const [whole, fraction = ""] = text.replace(/[$,]/g, "").split(".");
  return Number(whole) * 100 + Number(fraction.slice(0, 2).padEnd(2, "0"));
}

/** Checks that each amount shown was sent, and that none is below the one before unless the server's fell between. */
async function assertNeverBack(page) {
  const seen = await page.evaluate(() => window.seen);
  assert.ok(Object.keys(seen).length > 0, "no amount was shown");
  let falls = 0;
  for (const [level, texts] of Object.entries(seen)) {
    const server = page.sent[level];
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

/** Waits until the sign says that it is not live, and tells how long it took since the last message. */
async function untilStale(page, t) {
  await page.waitForSelector(".stale-mark");
  t.diagnostic(`the stale mark came after ${(performance.now() - page.heard).toFixed(0)} ms`);
}

const untilLive = (page) => page.waitForSelector(".stale-mark", { state: "detached", timeout: SCENE_WAIT_MS });

/** Waits until both halves of a sign of two links show their amounts. */
const untilHalves = (page) => page.waitForFunction(() => document.querySelectorAll(".half .amount").length >= 6);

test("an unknown link is named", async () => {
  const page = await openSign("no-such-link");
  await page.locator(".message .line", { hasText: "No jackpot named no-such-link" }).waitFor();
});

test("a sign goes stale when the server stops, and recovers at the same port", async (t) => {
  const table = sign.tables["C4P-09"];
  const page = await openSign("main");
  await page.waitForSelector(".amount");
  await sign.house.stop();
  await untilStale(page, t);
  await sign.house.restart();
  await untilLive(page);
  await table.lock([1, 3]);
  await page.waitForFunction(() => window.seen.mega?.length > 1);
  await table.play({ command: "close" });
  assert.equal(await assertNeverBack(page), 0);
});

test("a browser without network goes stale, and recovers with it", async (t) => {
  const page = await openSign("main");
  await page.waitForSelector(".amount");
  await page.context().setOffline(true);
  await untilStale(page, t);
  await page.context().setOffline(false);
  await untilLive(page);
});

test("a win is pending, celebrated, on the plate, paid, and gone", async () => {
  const table = sign.tables["C4P-07"];
  const page = await openSign("main", { ownClock: true });
  await page.waitForSelector(".amount");
  await table.lock([1, 3]);
  const { hit, due } = await table.hit(3, "royal-flush", ROYAL);
  await page.waitForSelector(".tag.pending");
  const words = (await plate(page)).toLowerCase();
  for (const part of ["mega", "pending", "c4p-07", "royal flush"]) assert.ok(words.includes(part), `${part}: ${words}`);
  const won = await page.locator(".plate .amount").getAttribute("aria-label");
  assert.equal(cents(won), cents(due));
  assert.equal(await page.locator(".foil-fall").count(), 0, "nothing is confirmed yet");
  await decide(sign.house, hit, { decision: "approve" });
  await page.waitForSelector(".celebration");
  assert.equal(await page.locator(".celebration .large-hand").getAttribute("aria-label"), ROYAL.join(" "));
  await page.waitForSelector(".celebration .amount.pulse");
  assert.equal(cents(await page.locator(".celebration .amount").getAttribute("aria-label")), cents(due));
  await page.clock.fastForward(CELEBRATION_MS);
  await page.waitForSelector(".plate.step-won .tag.won");
  assert.equal((await page.locator(".tag").innerText()).toLowerCase(), "won");
  const sam = await sign.house.as("sam");
  await sam("PUT", `/v1/hits/${hit}/payouts/1/payment`, { document: "JP-000001" });
  // The envy of the other player is paid with GAME OVER, and the hit with it.
  await table.play({ command: "close" });
  await page.waitForSelector(".tag.paid");
  await page.clock.fastForward(PAID_MS);
  await page.waitForSelector(".plate", { state: "detached" });
  assert.ok((await assertNeverBack(page)) > 0, "the level that was won fell");
});

test("a win has the whole sign of two links, and a rejected one ends without a word", async () => {
  const table = sign.tables["C4P-08"];
  const page = await openSign("main+second");
  await untilHalves(page);
  await table.lock([1, 3]);
  const { hit } = await table.hit(1, "straight-flush", STRAIGHT_FLUSH);
  await page.waitForSelector(".tag.pending");
  assert.equal(await page.locator(".half").count(), 0);
  assert.match((await plate(page)).toLowerCase(), /c4p-08/);
  await decide(sign.house, hit, { decision: "reject", note: "four cards only" });
  await page.waitForSelector(".plate", { state: "detached" });
  await untilHalves(page);
  assert.doesNotMatch((await page.locator("body").innerText()).toLowerCase(), /reject|cancel|void|undone/);
  await table.play({ command: "close" });
});

async function setPresentation(link, presentation) {
  await (
    await sign.house.as("max")
  )("PUT", `/v1/links/${link}/presentation`, presentation);
}

/** Presents a link, waits until the sign follows, and tells how long it took. */
async function present(page, link, presentation, shows, t) {
  await setPresentation(link, presentation);
  const answered = performance.now();
  await page.waitForFunction(
    ({ theme, lang, names }) => {
      const { dataset, lang: shown } = document.documentElement;
      const found = [...document.querySelectorAll(".link-name")].map((name) => name.textContent);
      return dataset.theme === theme && shown === lang && names.every((name, index) => found[index] === name);
    },
    shows,
    { polling: "raf" },
  );
  t.diagnostic(`the sign followed after ${(performance.now() - answered).toFixed(0)} ms`);
}

test("under the levels stand the hands that win them, as the server says", async () => {
  const page = await openSign("main");
  await page.waitForFunction(() => document.querySelectorAll("section.level .hand").length === 3);
  const hands = await page.locator("section.level .hand").allInnerTexts();
  assert.deepEqual(
    hands.map((hand) => hand.toLowerCase()),
    ["royal flush", "straight flush", "four of a kind"],
  );
});

test("a manager's presentation changes a running sign within a second", async (t) => {
  const page = await openSign("main");
  await page.waitForSelector(".amount");
  const spanish = { name: "Corona Norte", theme: "neon", locale: "es-MX" };
  await present(page, "main", spanish, { theme: "neon", lang: "es-MX", names: ["Corona Norte"] }, t);
  await page.locator("section.level .hand", { hasText: /escalera real/i }).waitFor();
  // A sign that opens now begins with it.
  const late = await openSign("main");
  await late.locator(".link-name", { hasText: "Corona Norte" }).waitFor();
  assert.equal(await late.locator("html").getAttribute("data-theme"), "neon");
  await present(page, "main", {}, { theme: "gold", lang: "en-US", names: [] }, t);
  assert.notEqual(await page.locator(".link-name").innerText(), "Corona Norte");
});

test("on a sign of two links each has its name, and the first one decides theme and locale", async (t) => {
  const page = await openSign("main+second");
  await untilHalves(page);
  await setPresentation("second", { name: "Silver Harbour", theme: "heritage", locale: "es-MX" });
  const names = ["Northern Crown", "Silver Harbour"];
  await present(page, "main", { name: names[0] }, { theme: "gold", lang: "en-US", names }, t);
  await setPresentation("second", {});
  await setPresentation("main", {});
});

test("a link that celebrates at the hit does so once, and its plate is pending after it", async () => {
  await setPresentation("main", { celebration: "hit" });
  const table = sign.tables["C4P-09"];
  const page = await openSign("main", { ownClock: true });
  await page.waitForSelector(".amount");
  await table.lock([1, 3]);
  const { hit } = await table.hit(1, "royal-flush", ROYAL);
  await page.waitForSelector(".celebration");
  await page.clock.fastForward(CELEBRATION_MS);
  await page.waitForSelector(".tag.pending");
  await page.evaluate(() => {
    window.again = 0;
    new MutationObserver(() => (window.again += document.querySelectorAll(".celebration").length)).observe(document, {
      subtree: true,
      childList: true,
    });
  });
  await decide(sign.house, hit, { decision: "approve" });
  await page.waitForSelector(".plate.step-won");
  assert.equal(await page.evaluate(() => window.again), 0);
});
