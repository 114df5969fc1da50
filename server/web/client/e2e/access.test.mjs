// Every page and its main states, looked at with axe; and each view of the office that a role may see.

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { startDouble } from "../scripts/feed-double.mjs";
import { LINK, PEOPLE } from "../scripts/house.mjs";
import { STILL, audit } from "./axe.mjs";
import * as foundation from "./foundation.mjs";
import { coinIn, pick, setBadge } from "./keypad-house.mjs";

const { ROYAL, STRAIGHT_FLUSH, button: key, seen } = foundation;
const TABLES = ["A-1", "A-2", "A-3", "A-4", "A-5"];
const TABLET = { viewport: { width: 1180, height: 820 } };
const DESK = { viewport: { width: 1440, height: 900 } };
let ground;
let hits;

before(async () => {
  ground = await foundation.startFoundation(TABLES);
  const { tables } = ground;
  await Promise.all(["A-1", "A-2", "A-3"].map((name) => tables[name].beat()));
  await tables["A-1"].lock([1, 3, 5], [1, 2, 3, 5]);
  await tables["A-2"].lock([2, 4]);
  await tables["A-2"].play({ command: "count", chips: 1 });
  await tables["A-3"].lock([1, 2]);
  hits = {
    oldest: (await tables["A-1"].hit(3, "royal-flush", ROYAL)).hit,
    second: (await tables["A-2"].hit(4, "straight-flush", STRAIGHT_FLUSH)).hit,
    decided: (await tables["A-3"].hit(1, "full-house", ["Ks", "Kd", "Kc", "9s", "9d"])).hit,
  };
});
afterEach(() => ground.browser.closePages());
after(() => ground?.close());

const open = (size) => ground.browser.open({ ...size, ...STILL });
const openAs = (name, address, size) => foundation.openAs(ground.browser, name, address, { ...size, ...STILL });

test("the front page, plain and of a demo", async () => {
  const page = await open(DESK);
  await page.goto("/");
  await page
    .getByRole("link", { name: new RegExp(LINK) })
    .first()
    .waitFor();
  await audit(page, "front");
  await foundation.openDemo(page, "A-1");
  await audit(page, "front of a demo");
});

test("the login: empty, refused, with a second factor, with a code", async () => {
  const page = await open(TABLET);
  await page.goto("/floor");
  await page.waitForSelector("#login-name");
  await audit(page, "login");
  await page.fill("#login-name", "sam");
  await page.fill("#login-password", "wrong");
  const codes = ["wrong_login", "second_factor_missing"];
  await page.route("**/v1/login", (route) => {
    const body = JSON.stringify({ status: 401, code: codes.shift(), detail: "refused" });
    return route.fulfill({ status: 401, contentType: "application/problem+json", body });
  });
  await page.click("form.login .button.go");
  await page.locator('.login [role="alert"]').waitFor();
  await audit(page, "login refused");
  await page.click("form.login .button.go");
  await page.waitForSelector("#login-code");
  await audit(page, "login with a second factor");
  await key(page, /I have a code/).click();
  await page.waitForSelector("#login-first");
  await audit(page, "login with a code");
});

test("the sign: amounts, a win, stale, unknown, two links", async () => {
  const double = await startDouble();
  try {
    const page = await open({ viewport: { width: 1280, height: 720 } });
    for (const [link, selector] of [
      ["normal", ".amount"],
      ["normal?theme=neon", ".amount"],
      ["normal?theme=heritage", ".amount"],
      ["normal+single", ".half .amount"],
      ["pending", ".tag.pending"],
      ["celebration", ".celebration .amount"],
      ["stale", ".stale-mark"],
      ["nosuch", ".message .line"],
    ]) {
      await page.goto(`${double.url}/sign/${link}`);
      await page.locator(selector).first().waitFor();
      await audit(page, `sign ${link}`);
    }
  } finally {
    double.close();
  }
});

test("the keypad: without a token, idle, locked, its panels, pending, refused, silent", async () => {
  const page = await open({ viewport: { width: 1024, height: 768 } });
  const address = "/table/A-4?locale=en-US";
  await page.goto(address);
  await seen(page, "This tablet has no token for A-4");
  await audit(page, "keypad without a token");
  await page.goto(`${address}#token=${ground.house.tokens["A-4"]}`);
  await setBadge(page);
  await key(page, /^seat 2,/).click();
  await audit(page, "keypad idle, with a chip");
  await key(page, /^seat 2,/).click();
  await coinIn(page, [1, 3]);
  await audit(page, "keypad locked");
  for (const [opens, back] of [
    ["Fold…", "Back"],
    ["Void…", "Back"],
    ["Count chips…", "Back"],
    ["Key all cards…", "Back"],
    [/^This tablet/, "Back"],
  ]) {
    await key(page, opens).click();
    await key(page, back).first().waitFor();
    await audit(page, `keypad ${opens}`);
    await key(page, back).first().click();
  }
  await key(page, /^Royal flush/).click();
  await key(page, "seat 3, Wager").click();
  await pick(page, "As Ks Qs Js");
  await audit(page, "keypad hand");
  await pick(page, "Ts");
  await key(page, "Key royal flush").click();
  await seen(page, "Pending: wait for the floor");
  await audit(page, "keypad pending");
  await key(page, "Pressed by mistake…").click();
  await audit(page, "keypad taking a hit back");
  await key(page, "Take it back").click();
  await seen(page, "2 wagers accepted");
  await key(page, /^Flush/).click();
  await key(page, "seat 1, Wager").click();
  await pick(page, "2s Ks Qs Js 9h");
  await key(page, "Key flush").click();
  await seen(page, "Not counted: Flush, seat 1.");
  await audit(page, "keypad refused");
  await page.context().setOffline(true);
  await seen(page, "Take no progressive chips");
  await audit(page, "keypad unplayable");
});

test("the floor: hits, one hit, its signature, rejection and payment", async () => {
  const page = await openAs("sam", "/floor", TABLET);
  await page.locator(".oldest").waitFor();
  await audit(page, "floor list");
  await page.click(`[data-hit="${hits.oldest}"]`);
  await seen(page, "Same");
  await audit(page, "floor hit");
  await key(page, "Reject…").click();
  await page.waitForSelector("#reject-reason");
  await audit(page, "floor rejection");
  await page.keyboard.press("Escape");
  await page.goto(`/floor#hits/${hits.decided}`);
  await key(page, /^Approve/).click();
  await page.waitForSelector(".pin");
  await audit(page, "floor signature");
  for (const digit of PEOPLE.sam.pin) await page.keyboard.press(digit);
  await seen(page.locator(".decision"), "sam approved it");
  await audit(page, "floor approved");
  await page.goto("/floor#today");
  await page.locator(`[data-hit="${hits.decided}"]`).waitFor();
  await audit(page, "floor today");
});

test("the floor: tables, exceptions, changes by two people and their forms", async () => {
  const page = await openAs("sam", "/floor#tables", TABLET);
  await page.locator(".tile").first().waitFor();
  await audit(page, "floor tables");
  await page.goto("/floor#exceptions");
  await page.locator(".exception").first().click();
  await page.locator(".detail h2").first().waitFor();
  await audit(page, "floor exceptions");
  await page.goto("/floor#two-people");
  await page.getByRole("link", { name: "Record a late hit…" }).click();
  await key(page, "A-1").waitFor();
  await audit(page, "floor late hit");
  await page.locator(".person summary, .person button").first().click();
  await audit(page, "floor person");
});

/** Views of the office that a role opens. */
const VIEWS = {
  max: [
    "links",
    `links/${LINK}`,
    "links/new/open",
    `history/${LINK}/mega`,
    "proposals",
    `proposals/${LINK}/new?change=adjust`,
    `reconciliation/${LINK}`,
    "reports",
    "reports/last-hits",
    "reports/alterations",
    "reports/large-wins",
    "reports/displayed",
    "reports/liability",
    "reports/lifetime",
    "reports/variance",
    "reports/closings",
    "exceptions",
    "slips",
    "tables",
    "tables/A-1",
    "screens",
    "themes",
    "themes/new/make",
    "audit",
    "evidence",
    "verification",
    "health",
    "me",
    "nowhere",
  ],
  ada: ["links", "history", "proposals", "audit", "audit?part=attempts", "evidence", "verification", "people"],
  root: ["links", "people", "people/max", "devices", "audit", "health", "me"],
};

for (const [name, views] of Object.entries(VIEWS))
  test(`the office, as ${name}: each view opens without a notice`, async () => {
    const page = await openAs(name, `/office/${views[0]}`, DESK);
    for (const view of [...views, ...(name === "max" ? [`hits/${hits.oldest}`] : [])]) {
      await page.goto(`/office/${view}`);
      await page.waitForSelector("#content h1");
      await page.waitForFunction(() => document.querySelector("#content .loading") === null);
      assert.equal(await page.locator('#content [role="alert"]').count(), 0, `${name} sees a notice at ${view}`);
      await audit(page, `office ${view}`);
    }
  });

test("the questions of the office", async () => {
  for (const [name, view, opens, field] of [
    ["max", `links/${LINK}`, "Suspend…", "Reason"],
    ["root", "devices", "Make a token…", "Owner"],
  ]) {
    const page = await openAs(name, `/office/${view}`, DESK);
    await key(page, opens).click();
    await page.getByLabel(field).waitFor();
    await audit(page, `office ${opens}`);
  }
});
