// The floor console end to end: a real server, a real browser, people and tables.

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { PEOPLE } from "../scripts/house.mjs";
import { ROYAL, STRAIGHT_FLUSH, button, fillLogin, openAs, seen, startFoundation, until } from "./foundation.mjs";

const TABLES = ["C4P-03", "C4P-06", "C4P-07", "C4P-08", "C4P-11", "C4P-12", "C4P-13", "C4P-14"];
const TABLET = { viewport: { width: 1180, height: 820 }, hasTouch: true, deviceScaleFactor: 2 };
let floor;

before(async () => {
  // The house sends notices, to a push service that is not there.
  process.env.METERHOUSE_PUSH_SUBJECT = "mailto:floor@casino.example";
  process.env.METERHOUSE_PUSH_HOSTS = "push.example";
  floor = await startFoundation(TABLES);
  await Promise.all(Object.values(floor.tables).map((table) => table.beat()));
});
afterEach(() => floor.browser.closePages());
after(() => floor?.close());

/** Opens the console on a tablet of its own, and logs a person in. */
async function openFloor(name, options = {}) {
  const page = await openAs(floor.browser, name, "/floor", { ...TABLET, ...options });
  // A printed page opens beside the console, which would else lie hidden behind it.
  page.context().on("page", (other) => other.close());
  await page.waitForSelector(".place h1");
  return page;
}

const open = (page, hit) => page.tap(`[data-hit="${hit}"]`);
const panel = (page) => page.locator(".decision");
const tap = (page, name, exact) => button(page, name, exact).tap();
const says = (page, text) => seen(panel(page), text);

/** Signs with a person's PIN. */
async function signAs(page, name) {
  for (const digit of PEOPLE[name].pin) await page.tap(`.pin-key:text-is("${digit}")`);
}

async function approveByKeys(page, pin) {
  await page.keyboard.press("a");
  await page.waitForSelector(".pin");
  for (const digit of pin) await page.keyboard.press(digit);
}

/** Reads a hit as the server has it. */
const read = async (hit) => (await floor.house.as("sam"))("GET", `/v1/hits/${hit}`);

test("a practised person approves with six taps", async (t) => {
  const page = await openFloor("sam");
  await page.getByText("All hits are decided").waitFor();
  const table = floor.tables["C4P-07"];
  await table.lock([1, 3, 5], [1, 2, 3, 5]);
  const { hit } = await table.hit(3, "royal-flush", ROYAL);
  await page.waitForSelector(`[data-hit="${hit}"]`);
  await page.getByText("Royal flush, C4P-07, seat 3, $10,000.27, pending").waitFor({ state: "attached" });
  await page.evaluate(() => {
    window.taps = [];
    addEventListener("click", () => window.taps.push(performance.now()), { capture: true });
  });
  await open(page, hit);
  await page.getByText("Same").waitFor();
  // The parts of a hit come one by one.
  await page.getByText(/^Mega opened/).waitFor();
  assert.equal(await page.locator(".open-hand .playing-card").count(), 5);
  assert.match(await page.locator(".proof.wide").innerText(), /100% of Mega, envy 1,000 for 1[^]*657a\.12\(e\)/);
  assert.match(await page.locator(".sum").first().innerText(), /Mega opened[^]*10,000\.00[^]*0\.27[^]*\$10,000\.27/);
  assert.match(await page.locator(".seats").innerText(), /No wager/);
  await tap(page, "Approve $10,000.27");
  await signAs(page, "sam");
  await says(page, "Validated");
  const { taps, took } = await page.evaluate(() => ({
    taps: window.taps.length,
    took: performance.now() - window.taps[0],
  }));
  t.diagnostic(`${taps} taps, ${(took / 1000).toFixed(2)} s from the first tap to Validated`);
  assert.equal(taps, 6);
  const view = await read(hit);
  assert.deepEqual([view.state, view.decided_by], ["validated", "sam"]);
});

test("a wrong PIN says how many tries are left and keeps everything else", async () => {
  const page = await openFloor("sam");
  const table = floor.tables["C4P-11"];
  await table.lock([2, 5]);
  const { hit } = await table.hit(5, "straight-flush", STRAIGHT_FLUSH);
  await open(page, hit);
  await page.getByText("Same").waitFor();
  await approveByKeys(page, "9090");
  await says(page, /Name or PIN is wrong\. \d tries are left/);
  assert.equal(await page.locator(".dots .full").count(), 0);
  await page.keyboard.press("Escape");
  await button(page, /^Approve/).waitFor();
  // A name is left by Enter, so that the PIN is not written behind it.
  await page.keyboard.press("a");
  await tap(page, "Another…");
  await page.keyboard.type("sam");
  await page.keyboard.press("Enter");
  await page.keyboard.type(PEOPLE.sam.pin.slice(0, 2));
  assert.equal(await page.locator(".signer-name").inputValue(), "sam");
  assert.equal(await page.locator(".dots .full").count(), 2);
  await page.keyboard.type(PEOPLE.sam.pin.slice(2));
  await says(page, "sam approved it");
});

test("the slip is printed once, then again with a reason, and the payment has its number", async () => {
  const page = await openFloor("sam");
  await page.getByText("All of today").tap();
  await open(page, "C4P-11.2");
  const printed = page.waitForResponse((response) => response.url().endsWith("/slip"));
  await tap(page, "Print slip");
  await signAs(page, "sam");
  const response = await printed;
  assert.deepEqual([response.status(), response.headers()["content-type"]], [201, "application/pdf"]);
  await says(page, /Slip 1, made by sam/);
  assert.match((await page.getByRole("link", { name: "Open the slip again" }).getAttribute("href")) ?? "", /^blob:/);
  await tap(page, "Print the slip again");
  await tap(page, "Printer jammed");
  await tap(page, "Print the slip again");
  await tap(page, "Mark paid…");
  const { slips } = await (await floor.house.as("sam"))("GET", "/v1/slips");
  assert.deepEqual(
    slips[0].reprints.map((row) => [row.number, row.by, row.reason]),
    [[1, "sam", "Printer jammed"]],
  );
  await tap(page, "Use slip 1");
  await tap(page, /^Mark \$.* paid$/);
  await says(page, "Document 1, recorded by sam");
  await says(page, "Paid, envy waits");
  await says(page, /Envy of \$.* is still to pay from the rack/);
  assert.equal((await read("C4P-11.2")).payouts[0].payment.document, "1");
});

test("an approval without an answer is sent again, and says that nothing is to be paid yet", async () => {
  const page = await openFloor("sam");
  const table = floor.tables["C4P-08"];
  await table.lock([1, 2]);
  const { hit } = await table.hit(1, "royal-flush", ROYAL);
  let sent = 0;
  await page.route("**/v1/hits/*/validation", async (route) => {
    sent += 1;
    if (sent > 2) return route.continue();
    // The second one reaches the server, and its answer is lost: the repeat must not count twice.
    if (sent === 2) await route.fetch();
    return route.abort();
  });
  await open(page, hit);
  await tap(page, /^Approve/);
  await signAs(page, "sam");
  await says(page, "Your approval is not confirmed.");
  await says(page, "Do not pay yet.");
  await tap(page, "Back to the hits");
  await page.locator(`[data-hit="${hit}"]`).getByText("Not confirmed").waitFor();
  await page.goBack();
  await says(page, "sam approved it");
  assert.equal(sent, 3);
  assert.equal((await read(hit)).state, "validated");
});

test("a signature that expires before an answer is asked for again", async () => {
  const page = await openFloor("sam");
  const table = floor.tables["C4P-14"];
  await table.lock([1]);
  const { hit } = await table.hit(1, "straight", ["9s", "8h", "7s", "6s", "5s"]);
  let sent = 0;
  await page.route("**/v1/hits/*/validation", (route) => {
    sent += 1;
    const body = JSON.stringify({ status: 401, code: "unauthenticated", detail: "no valid token" });
    if (sent === 1) return route.fulfill({ status: 401, contentType: "application/problem+json", body });
    return route.continue();
  });
  await open(page, hit);
  await tap(page, /^Approve/);
  await signAs(page, "sam");
  await says(page, "Your signature has expired.");
  assert.equal(await page.locator(".login-cover").count(), 0);
  await signAs(page, "sam");
  await says(page, "sam approved it");
});

test("an approval of a hit that was just taken back says so in words", async () => {
  const page = await openFloor("sam");
  const table = floor.tables["C4P-06"];
  await table.lock([1, 2]);
  const { hit } = await table.hit(2, "royal-flush", ROYAL);
  await page.route("**/v1/hits/*/validation", async (route) => {
    await table.play({ command: "cancel_hit", hit });
    return route.continue();
  });
  await open(page, hit);
  await tap(page, /^Approve/);
  await signAs(page, "sam");
  await says(page, /The dealer took this hit back at \d\d:\d\d:\d\d\./);
  await says(page, "Nothing is due.");
});

test("a lost session keeps what was typed, and HTML stays text", async () => {
  const page = await openFloor("sam");
  const table = floor.tables["C4P-06"];
  const { hit } = await table.hit(1, "full-house", ["Ks", "Kd", "Kc", "9s", "9d"]);
  const reason = `<img src=x onerror="window.broken=1"><b>Wrong seat</b>`;
  await open(page, hit);
  await page.getByText("Same").waitFor();
  await page.keyboard.press("r");
  await page.fill("#reject-reason", reason);
  let sent = 0;
  await page.route("**/v1/hits/*/validation", async (route) => {
    sent += 1;
    if (sent > 1) return route.continue();
    // The session ends with the request that is on its way.
    await page.context().clearCookies();
    return route.continue({ headers: { ...route.request().headers(), cookie: "" } });
  });
  await tap(page, "Reject this hit");
  await signAs(page, "sam");
  await until(async () => (await page.context().cookies()).length === 0);
  // A tablet that is looked at again asks for its session; the poll would do so within 15 s.
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await page.getByText("Log in again").waitFor();
  await fillLogin(page, "sam");
  await says(page, "sam rejected this hit");
  await says(page, reason);
  assert.equal(await page.locator(".decision b, .decision img").count(), 0);
  assert.equal(await page.evaluate(() => window.broken), undefined);
  const view = await read(hit);
  assert.deepEqual([view.state, view.note], ["rejected", reason]);
});

test("a draft outlasts Escape, and a session that ends in the middle of it", async () => {
  const page = await openFloor("sam");
  const table = floor.tables["C4P-12"];
  await table.lock([2]);
  const { hit } = await table.hit(2, "flush", ["Ks", "Js", "9s", "5s", "3s"]);
  await open(page, hit);
  await page.getByText("Same").waitFor();
  await page.keyboard.press("r");
  await page.fill("#reject-reason", "half a sen");
  await page.keyboard.press("Escape");
  await button(page, /^Approve/).waitFor();
  await page.context().clearCookies();
  await page.getByText("Log in again").waitFor();
  await fillLogin(page, "sam");
  await page.getByText("Log in again").waitFor({ state: "detached" });
  await page.keyboard.press("r");
  await page.waitForSelector("#reject-reason");
  assert.equal(await page.inputValue("#reject-reason"), "half a sen");
});

test("a hit without cards is approved with those that the supervisor sees, if they make its hand", async () => {
  const page = await openFloor("sam");
  const table = floor.tables["C4P-13"];
  await table.lock([4]);
  const { hit } = await table.hit(4, "full-house");
  const kings = ["king of spades", "king of hearts", "king of clubs"];
  const enter = async (cards) => {
    for (const card of cards) {
      await tap(page, card.split(" of ")[1], true);
      await tap(page, card, true);
    }
    await tap(page, "Approve $50.00 with these cards");
    await signAs(page, "sam");
  };
  await open(page, hit);
  await page.getByText("Nothing to read").waitFor();
  await tap(page, "Enter cards…");
  await enter([...kings, "9 of spades", "8 of hearts"]);
  await panel(page).locator(".notice").waitFor();
  assert.equal((await read(hit)).state, "pending");
  await tap(page, "Enter cards…");
  await enter(["8 of hearts", "9 of hearts"]);
  await says(page, "sam approved it");
  await page.getByText("as the supervisor saw them").waitFor();
});

test("the whole approval goes by keyboard", async () => {
  const page = await openFloor("lee");
  await page.waitForSelector(".oldest");
  await page.keyboard.press("j");
  await page.waitForSelector(".hit-place");
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), "H1");
  await page.getByText("Same").waitFor();
  await approveByKeys(page, PEOPLE.lee.pin);
  await says(page, "lee approved it");
  await page.keyboard.press("Escape");
  await page.waitForSelector(".list-place");
});

test("a miscount and a lost table are cleared by someone with a reason", async () => {
  const page = await openFloor("sam");
  await page.getByRole("link", { name: /^Exceptions/ }).tap();
  const table = floor.tables["C4P-03"];
  await table.lock([1, 2]);
  await table.play({ command: "count", chips: 3 });
  const miscount = page.locator(".exception", { hasText: "Dealer counted 3 chips, server accepted 2." });
  await miscount.waitFor();
  await miscount.tap();
  await tap(page, "Counted again: right");
  await tap(page, "Clear this exception");
  await signAs(page, "sam");
  await page.locator(".detail").getByText("sam cleared it").waitFor();
  table.silence();
  const lost = page.locator(".exception", { hasText: "Table lost" });
  await lost.waitFor();
  await page.getByRole("link", { name: /^Tables/ }).tap();
  await page.locator(".tile.lost", { hasText: "C4P-03" }).waitFor();
  await table.beat();
  await page.locator(".tile.locked", { hasText: "C4P-03" }).waitFor();
  await table.play({ command: "close" });
  await page.locator(".tile.open", { hasText: "C4P-03" }).waitFor();
});

test("a late hit goes by its dry run and a second person", async () => {
  const page = await openFloor("sam");
  await page.getByRole("link", { name: /^Two people/ }).tap();
  await page.getByRole("link", { name: "Record a late hit…" }).tap();
  await tap(page, "C4P-03");
  await tap(page, /^Round 1/);
  await tap(page, "seat 2");
  await tap(page, "Straight flush");
  for (const card of ["9 of clubs", "8 of clubs", "7 of clubs", "6 of clubs", "4 of clubs"])
    await tap(page, card, true);
  await tap(page, "Missed by the dealer");
  await tap(page, "Show the dry run");
  await page.getByText("The cards make Flush.").waitFor();
  assert.equal(await button(page, "Propose late hit").isDisabled(), true);
  await tap(page, "Back", true);
  await tap(page, "4 of clubs", true);
  await tap(page, "5 of clubs", true);
  await tap(page, "Show the dry run");
  await page.getByText("Straight flush: Same as chosen").waitFor();
  const rows = await page.locator(".dry-run tbody").innerText();
  const [, displayed] = /Major displayed at GAME OVER\s+([\d,.]+)/.exec(rows) ?? [];
  assert.ok(displayed, rows);
  assert.match(rows, new RegExp(`The line pays\\s+${displayed.replaceAll(".", "\\.")}`));
  await tap(page, "Propose late hit");
  await signAs(page, "sam");
  await page.locator(".detail").getByText("Waits for a second person").waitFor();
  await page.locator(".detail .dry-run").waitFor();

  const second = await openFloor("lee");
  await second.getByRole("link", { name: /^Two people.*1 wait/ }).tap();
  await second.locator(".exception", { hasText: "Late hit" }).tap();
  await second.locator(".detail .dry-run").waitFor();
  await tap(second, "Approve this change");
  await signAs(second, "lee");
  await second.locator(".detail").getByText("Approved").first().waitFor();
  assert.match(await second.locator(".detail").innerText(), new RegExp(displayed.replaceAll(".", "\\.")));
});

test("a correction shows what stays, and the proposer may only withdraw it", async () => {
  const page = await openFloor("sam");
  await page.getByText("All of today").tap();
  await open(page, "C4P-11.2");
  await page.getByRole("link", { name: "Correct hit…" }).tap();
  await page.locator(".dry-run").getByText("What was paid stays paid, seat 5").waitFor();
  await page.fill("#correct-reason", "The camera shows a flush");
  await tap(page, "Propose correction");
  await signAs(page, "sam");
  const detail = page.locator(".detail");
  await detail.getByText("sam can only withdraw it").waitFor();
  await tap(detail, "Withdraw…");
  await page.fill("#decline-note", "Looked at the wrong camera");
  await tap(page, "Withdraw it");
  await signAs(page, "sam");
  await detail.getByText("Declined").first().waitFor();
});

test("a supervisor lets the tablet be notified, and a tap on the notice opens the hit", async () => {
  const page = await openFloor("sam");
  const context = page.context();
  await context.grantPermissions(["notifications"]);
  // Chromium's own push service can't be reached: the browser's subscription is made up, all else is the browser's.
  await page.evaluate(() => {
    let subscription = null;
    const bytes = (text) =>
      Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    const keys = {
      p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
      auth: "BTBZMqHH6r4Tts7J_aSIgg",
    };
    PushManager.prototype.getSubscription = async () => subscription;
    PushManager.prototype.subscribe = async (options) => {
      if (new Uint8Array(options.applicationServerKey).length !== bytes(keys.p256dh).length) throw new Error("no key");
      const endpoint = "https://push.example/tablet/1";
      subscription = {
        endpoint,
        options,
        toJSON: () => ({ endpoint, expirationTime: null, keys }),
        unsubscribe: async () => ((subscription = null), true),
      };
      return subscription;
    };
  });
  const sam = await floor.house.as("sam");
  const subscriptions = async () => (await sam("GET", "/v1/session/push")).subscriptions.length;
  await page.locator(".person summary").tap();
  await tap(page, "Notify this tablet");
  await button(page, "Notices on this tablet: on").waitFor();
  assert.equal(await subscriptions(), 1);

  const worker = context.serviceWorkers().find((one) => one.url().endsWith("/built/floor-worker.js"));
  const notice = { link: "main", table: "C4P-03", level: "mega", hit: "C4P-11.2" };
  // What the push service of the browser does once it has decrypted the message.
  const session = await context.newCDPSession(page);
  const registration = new Promise((done) =>
    session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const found = registrations.find(({ scopeURL }) => scopeURL.endsWith("/floor"));
      if (found) done(found.registrationId);
    }),
  );
  await session.send("ServiceWorker.enable");
  await session.send("ServiceWorker.deliverPushMessage", {
    origin: new URL(page.url()).origin,
    registrationId: await registration,
    data: JSON.stringify(notice),
  });
  const shown = () =>
    worker.evaluate(async () => (await self.registration.getNotifications()).map(({ title, body }) => [title, body]));
  await until(async () => (await shown()).length === 1);
  assert.deepEqual(await shown(), [["A hit waits at C4P-03", "Mega · C4P-11.2 · main"]]);
  // A tap that a program makes up is not trusted: the worker tells the page, and may not bring it to the front.
  await worker.evaluate(async () => {
    const [notification] = await self.registration.getNotifications();
    self.dispatchEvent(new NotificationEvent("notificationclick", { notification }));
  });
  await page.waitForURL(/#hits\/C4P-11\.2$/);
  assert.deepEqual(await shown(), []);

  await page.locator(".person summary").tap();
  await tap(page, "Notices on this tablet: on");
  await button(page, "Notify this tablet").waitFor();
  assert.equal(await subscriptions(), 0);
});

test("an auditor reads everything and is told what only others may do", async () => {
  const table = floor.tables["C4P-03"];
  await table.lock([1, 4]);
  const { hit } = await table.hit(4, "royal-flush", ROYAL);
  const page = await openFloor("ada");
  await open(page, hit);
  await page.getByText("Same").waitFor();
  await says(page, "Your rights do not include this: validate.");
  // A supervisor may sign by PIN on the auditor's tablet; the auditor is no signer.
  assert.ok(await button(page, /^Approve/).isEnabled());
  assert.ok(await button(page, "Reject…").isEnabled());
  assert.equal(await button(page, "ada", true).count(), 0);
  await page.getByRole("link", { name: /^Two people/ }).tap();
  await page.getByText("You have no department").waitFor();
});

test("mute is remembered by the tablet, and the page speaks Spanish", async () => {
  const page = await openFloor("sam", { locale: "es-US" });
  await page.getByText(/premios? espera/).waitFor();
  const sound = page.locator(".sound");
  await sound.getByText(/Sonido sí|Toque para el sonido/).waitFor();
  if (await sound.getByText("Toque para el sonido").isVisible()) await sound.tap();
  await sound.getByText("Sonido sí").waitFor();
  await sound.tap();
  await sound.getByText("Sonido no").waitFor();
  await page.reload();
  await page.locator(".sound").getByText("Sonido no").waitFor();
  assert.equal(await page.locator(".sound").getAttribute("aria-pressed"), "false");
  assert.equal(await page.evaluate(() => document.documentElement.lang), "es-US");
});

test("a server that is gone makes the console stale, and one that is back makes it live", async () => {
  const page = await openFloor("sam");
  await page.waitForSelector(".amounts dd");
  await floor.house.stop();
  await page.getByText(/Stale since \d\d:\d\d:\d\d/).waitFor();
  await floor.house.restart();
  await page.getByText(/Stale since/).waitFor({ state: "detached" });
});
