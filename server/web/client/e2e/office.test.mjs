// The office and the front page end to end: a real server, a real browser, people of different roles.

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { LINK, PASSWORD } from "../scripts/house.mjs";
import * as foundation from "./foundation.mjs";

const TABLE = "C4P-07";
const DESK = { viewport: { width: 1440, height: 900 } };
/** Longest wait for the zoom of a drag before it is dragged again. */
const ZOOM_WAIT_MS = 3_000;
let ground;
before(async () => {
  ground = await foundation.startFoundation([TABLE]);
  const table = ground.tables[TABLE];
  await table.beat();
  await table.lock([1, 3, 5]);
  await table.hit(3, "royal-flush", foundation.ROYAL);
});
afterEach(() => ground.browser.closePages());
after(() => ground?.close());

const open = () => ground.browser.open(DESK);

/** Opens a view of the office as a person. */
async function office(name, view) {
  const page = await foundation.openAs(ground.browser, name, `/office/${view}`, DESK);
  await page.waitForSelector("#content h1");
  return page;
}

const content = (page) => page.locator("#content");
const button = (page, name) => foundation.button(page, name, true);
const says = (page, text) => foundation.seen(content(page), text);

test("a link is opened step by step, and plays once its first values are accepted", async () => {
  const page = await office("max", "links");
  await page.getByRole("link", { name: "Open a link…" }).click();
  await page.getByLabel("Find").fill("657a-five-card-b");
  await button(page, "Next: wager and seeds").click();
  await says(page, "Choose a paytable first.");
  await page.locator(".choices label").first().click();
  await page.getByRole("heading", { name: /Paytable B/ }).waitFor();
  await button(page, "Next: wager and seeds").click();
  await page.getByLabel("Ceiling of mega").fill("25000.00");
  // The draft outlives a reload.
  await page.reload();
  assert.equal(await page.getByLabel("Ceiling of mega").inputValue(), "25000.00");
  await button(page, "Next: returns").click();
  const plot = page.locator("svg.plot[role=img]");
  await plot.waitFor();
  assert.match(await plot.getAttribute("aria-label"), /the whole wager at \$/);
  await button(page, "Next: values to confirm").click();
  await says(page, "The source prints every value");
  await button(page, "Next: open").click();
  await page.getByLabel("Name of the link").fill("no good name");
  await button(page, "Open link no good name").click();
  await page.locator('[role="alert"]').waitFor();
  assert.equal(await page.getByLabel("Name of the link").inputValue(), "no good name");
  await page.getByLabel("Name of the link").fill("second");
  await button(page, "Open link second").click();
  await says(page, "Accept the first values");
  const levels = page.locator('input[name]:not([type="checkbox"])');
  for (const level of await levels.all()) await level.fill("1.00");
  await button(page, "Accept the first values").click();
  await page.locator('[role="alert"]').waitFor();
  assert.equal(await levels.first().inputValue(), "1.00");
  const shown = await page.locator("td.figure .big").allInnerTexts();
  assert.equal(await levels.first().getAttribute("aria-invalid"), "true");
  // As the page prints them: "$10,000.00".
  for (const [index, level] of (await levels.all()).entries()) await level.fill(shown[index]);
  await button(page, "Accept the first values").click();
  await page.locator(".head-side").getByText("Open", { exact: true }).waitFor();
});

test("a manager suspends and resumes a link, an auditor is told who may", async () => {
  const page = await office("max", `links/${LINK}`);
  await button(page, "Suspend…").click();
  await page.getByLabel("Reason").fill("shift change");
  await page.keyboard.press("Escape");
  await button(page, "Suspend…").click();
  assert.equal(await page.getByLabel("Reason").inputValue(), "shift change");
  await button(page, "Suspend the link").click();
  await says(page, "shift change");
  await button(page, "Resume…").click();
  await button(page, "Resume the link").click();
  await button(page, "Suspend…").waitFor();
  const auditor = await office("ada", "links");
  await says(auditor, LINK);
  assert.equal(await auditor.getByText("Open a link…").count(), 0);
  assert.equal(await auditor.getByText("Devices and tokens").count(), 0);
  await auditor.goto("/office/people");
  await says(auditor, "Administrator may do this.");
});

test("a form goes by keyboard alone: found by Tab, left by Escape, which keeps what was typed, sent by Enter", async () => {
  const page = await office("max", "links");
  /** Presses Tab until the focus is on what has this name. */
  const tabTo = async (role, name) => {
    const wanted = page.getByRole(role, { name, exact: true });
    for (let presses = 0; presses < 60; presses += 1) {
      if (await wanted.evaluateAll(([found]) => found !== undefined && found === document.activeElement)) return;
      await page.keyboard.press("Tab");
    }
    throw new Error(`Tab does not reach ${name}`);
  };
  await tabTo("link", LINK);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: LINK }).waitFor();
  /** Opens the question of a button: a key pressed before it is open would go to the page behind it. */
  const ask = async (name) => {
    await tabTo("button", name);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
  };
  await ask("Suspend…");
  await tabTo("textbox", "Reason");
  await page.keyboard.type("by keyboard");
  await page.keyboard.press("Escape");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Suspend…");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  await tabTo("button", "Suspend the link");
  await page.keyboard.press("Enter");
  await says(page, "by keyboard");
  await ask("Resume…");
  await tabTo("button", "Resume the link");
  await page.keyboard.press("Enter");
  await button(page, "Suspend…").waitFor();
});

test("a table joins, and the list says so", async () => {
  const page = await office("max", "tables");
  await button(page, "Let a table join…").click();
  await page.getByLabel("Name of the table").fill("C4P-31");
  await page.getByLabel("Link", { exact: true }).selectOption(LINK);
  await page.getByLabel("Game").selectOption("crazy-4-poker");
  const confirm = page.locator(".ask .check input");
  if (await confirm.count()) await confirm.check();
  await button(page, "Let the table join").click();
  await says(page, "Table C4P-31 has joined its link");
  await page.getByRole("link", { name: "Open the table" }).click();
  await page.getByRole("heading", { level: 1, name: "Table C4P-31" }).waitFor();
});

test("two people of two departments adjust a meter", async () => {
  const first = await office("max", `proposals/${LINK}/new?change=adjust`);
  await first.getByLabel("Amount in dollars").fill("-1,50");
  await first.getByLabel("Reason").fill("variance");
  await button(first, "Propose the change").click();
  await first.locator('[role="alert"]').waitFor();
  assert.equal(await first.getByLabel("Reason").inputValue(), "variance");
  await first.getByLabel("Amount in dollars").fill("1.50");
  await button(first, "Propose the change").click();
  await says(first, "You proposed it.");
  assert.equal(await button(first, "Approve the adjustment").count(), 0);
  const second = await office("mia", "proposals");
  await second.clock.install();
  await second.getByRole("link", { name: "Adjust a balance" }).click();
  await says(second, "Nothing is written.");
  const card = second.locator(".card", { has: second.getByRole("heading", { name: "Dry run" }) });
  assert.match(await card.innerText(), /Mega, Meter\s+10,000\.00\s+\+1\.50\s+10,001\.50/);
  assert.match(await card.innerText(), /Mega after approval\s+\$10,001\.50[^]*Signs show the new amount immediately/);
  // A balance falls after the person looked, while the page's own clock stands: the approval shows the dry run again first.
  await second.clock.pauseAt(new Date(Date.now() + 1_000));
  const other = `/v1/links/${LINK}/proposals/${crypto.randomUUID()}`;
  const change = { change: "adjust", level: "mega", account: "meter", amount: "-0.09", reason: "variance" };
  await (
    await ground.house.as("max")
  )("PUT", other, change);
  await (
    await ground.house.as("lee")
  )("PUT", `${other}/approval`, { decision: "approve" });
  await button(second, "Approve the adjustment").click();
  await says(second, "The books have moved since.");
  await second.clock.resume();
  await card.getByText("10,001.41").first().waitFor();
  await button(second, "Approve the adjustment").click();
  await says(second, "What it did");
  assert.match(await content(second).innerText(), /9,999\.91\s+10,001\.41/);
  // The first person's page follows by itself.
  await says(first, "Approved");
});

test("two people adopt a reading of a doubtful print, and let the table pay its print again", async () => {
  const [link, table] = ["adopts", "pa-684a-four-card-bonus-a"];
  await ground.house.openLink(link);
  const first = await office("max", `links/${link}`);
  await says(first, "No table is adopted");
  await first.getByRole("link", { name: "Adopt a table of fixed wagers…" }).click();
  await first.getByLabel("Table of fixed wagers").fill("pa-684a");
  await first.getByLabel("Reading").fill("queens");
  await first.getByLabel("Reason").fill("the regulator's letter");
  // The letter is marked, and nothing was sent.
  await button(first, "Propose the change").click();
  await says(first, "Write the letter that chooses the reading.");
  assert.equal(await first.locator('[role="alert"]').count(), 0);
  assert.equal(await first.evaluate(() => document.activeElement.name), "letter");
  const isWrong = async (label) => (await first.getByLabel(label).getAttribute("aria-invalid")) === "true";
  const refused = async (label) => {
    await button(first, "Propose the change").click();
    await foundation.until(() => isWrong(label));
    await first.locator('[role="alert"]').waitFor();
  };
  await first.getByLabel("Regulator's letter").fill("PGCB-2026-118");
  await refused("Table of fixed wagers");
  await first.getByLabel("Table of fixed wagers").fill(table);
  await refused("Reading");
  assert.equal(await isWrong("Table of fixed wagers"), false);
  await first.getByLabel("Reading").fill("queens-or-better");
  await button(first, "Propose the change").click();
  await says(first, "You proposed it.");
  const second = await office("mia", "proposals");
  await second.getByRole("link", { name: "Adopt a table of fixed wagers" }).click();
  await says(second, "It pays by the reading queens-or-better.");
  await says(second, /The wager returns 95\.\d+%\./);
  const card = (name) => second.locator(".card", { has: second.getByRole("heading", { name }) });
  const after = /queens-or-better\s+PGCB-2026-118\s+95\.\d+%/;
  await foundation.until(async () => after.test(await card("Dry run").innerText()));
  assert.match(await card("Dry run").innerText(), /Now\s+not adopted/);
  await button(second, "Approve: adopt the table").click();
  await says(second, "What it did");
  assert.match(await card("What it did").innerText(), after);
  await second.goto(`/office/reports/alterations?link=${link}`);
  await says(second, /queens-or-better, PGCB-2026-118, 95\.\d+%/);

  await first.goto(`/office/links/${link}`);
  await button(first, "Let it pay its print again…").click();
  await first.getByRole("dialog").getByLabel("Reason").fill("the letter was withdrawn");
  await button(first, "Propose the change").click();
  await says(first, "It pays its print.");
  assert.match(first.url(), new RegExp(`/office/proposals/${link}/`));
});

test("the history draws the hit, and zooms down to single entries", async () => {
  const page = await office("mia", `history/${LINK}/mega`);
  const plot = page.locator("svg.plot[role=img]");
  await plot.waitFor();
  await page.waitForSelector(".plot .mark");
  assert.match(await plot.getAttribute("aria-label"), /one hit in view/);
  await says(page, "Books agree, difference 0.00");
  await says(page, "Seed, from the house");
  assert.match(
    await page.locator(".sum").first().innerText(),
    /10,000\.27[^]*−10,000\.27[^]*\+10,000\.00[^]*10,000\.00/,
  );
  // The times that are shown have whole seconds, and may stay the same. A plot that is drawn anew ends a drag.
  await foundation.until(async () => {
    const box = await plot.boundingBox();
    // To the left, out of the plot: from its first instant on.
    await page.mouse.move(box.x + box.width * 0.8, box.y + 150);
    await page.mouse.down();
    await page.mouse.move(box.x - 20, box.y + 150, { steps: 4 });
    await page.mouse.up();
    const zoomed = page.waitForURL(/from=.*until=/, { timeout: ZOOM_WAIT_MS });
    return zoomed.then(
      () => true,
      () => false,
    );
  });
  await says(page, "Entries of the journal");
  await page
    .locator("tr", { hasText: `${TABLE}.1` })
    .filter({ hasText: "Coin-in" })
    .first()
    .waitFor();
});

test("the books balance, and a report comes as CSV and PDF", async () => {
  const page = await office("ada", `reconciliation/${LINK}`);
  await says(page, "Balanced: every difference is 0.00");
  for (const [name, start] of [
    ["CSV", "link,from"],
    ["PDF", "%PDF"],
  ]) {
    const download = page.waitForEvent("download");
    await button(page, name).click();
    const stream = await (await download).createReadStream();
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    assert.ok(Buffer.concat(chunks).toString("latin1").startsWith(start), `${name} begins with ${start}`);
  }
});

test("an administrator admits a person, whose code is shown once", async () => {
  const page = await office("root", "people");
  await button(page, "Admit a person…").click();
  await page.getByLabel("Name", { exact: true }).fill("zoe");
  await page.getByLabel("Role").selectOption("auditor");
  await button(page, "Admit the person").click();
  await says(page, "Code for zoe");
  const code = await page.locator(".secret").innerText();
  await button(page, "Put away").click();
  assert.equal(await page.locator(".secret").count(), 0);
  const zoe = await open();
  await zoe.goto("/office/links");
  await zoe.getByRole("button", { name: /I have a code/ }).click();
  await zoe.fill("#login-name", "zoe");
  await zoe.fill("#login-first", code);
  await zoe.fill("#login-password", "short");
  await button(zoe, "Set the password").click();
  await zoe.locator('.login [role="alert"]').waitFor();
  await zoe.fill("#login-password", PASSWORD);
  await button(zoe, "Set the password").click();
  await zoe.getByRole("heading", { level: 1, name: "Links" }).waitFor();
  await page.getByRole("link", { name: "zoe" }).click();
  await button(page, "End the access…").click();
  await page.getByLabel("Reason").fill("left the house");
  await button(page, "End the access").click();
  await says(page, "Access ended");
  await page.goto("/office/people/root");
  await says(page, "This is you.");
  await page.goto("/office/devices");
  await button(page, "Make a token…").click();
  await page.getByLabel("Owner").fill("spare");
  await page.getByLabel("Table").selectOption(TABLE);
  await button(page, "Make the token").click();
  await says(page, "Token of spare");
});

test("an unknown address says so, and back goes back", async () => {
  const page = await office("max", "nowhere");
  await says(page, "There is no such view");
  await page.getByRole("link", { name: "Links" }).click();
  await page.getByRole("heading", { level: 1, name: "Links" }).waitFor();
  await page.goBack();
  await says(page, "There is no such view");
  for (const [view, text] of [
    ["reconciliation/nope", "There is no link nope"],
    ["history/nope", "There is no link nope"],
    ["links/nope", "There is no link nope"],
    ["hits/nope.1", "There is no hit nope.1"],
    ["tables/nope", "There is no table nope"],
  ]) {
    await page.goto(`/office/${view}`);
    await says(page, text);
    assert.equal(await page.locator(".head-side .button").count(), 0, view);
  }
});

test("the audit log says what was decided, and about which hit", async () => {
  const { hits } = await (await ground.house.as("sam"))("GET", "/v1/hits?state=pending");
  await foundation.decide(ground.house, hits[0].hit, { decision: "approve" });
  const page = await office("ada", "audit?act=request");
  const row = page.locator("tr", { hasText: "Decision about hit" }).first();
  await row.getByText("approved").waitFor();
  await row.getByRole("link").click();
  await page.getByRole("heading", { level: 1, name: /^Hit / }).waitFor();
});

test("the office speaks Spanish, also where the server refuses", async () => {
  const login = await open();
  await login.goto("/office/links?locale=es-US");
  await login.fill("#login-name", "mia");
  await login.fill("#login-password", "not mia's");
  await login.click("form.login .button.go");
  await login.locator('.login [role="alert"]', { hasText: "no es correcto" }).waitFor();
  const page = await office("mia", "links?locale=es-US");
  await page.getByRole("heading", { level: 1, name: "Enlaces" }).waitFor();
  await page.goto(`/office/proposals/${LINK}/new?change=adjust&locale=es-US`);
  await page.locator('input[inputmode="decimal"], form input:not([type="hidden"])').last().fill("1,50");
  await page.locator("textarea").fill("varianza");
  await page.locator('form button[type="submit"]').click();
  await says(page, "Escriba el importe en dólares con un punto");
  await page.getByRole("link", { name: "Conciliación" }).click();
  await says(page, "Cuadra: cada diferencia es 0.00");
});

test("the front page lists the signs, and a demo logs its people in", async () => {
  const page = await open();
  await page.goto("/");
  await page
    .getByRole("link", { name: new RegExp(LINK) })
    .first()
    .waitFor();
  await foundation.openDemo(page, TABLE);
  const keypad = page.getByRole("link", { name: "Open the keypad" });
  assert.equal(await keypad.getAttribute("href"), `/table/${TABLE}#token=a-token&badge=d-12`);
  const door = button(page, "Open as manager Max");
  const [office] = await Promise.all([page.context().waitForEvent("page"), door.click()]);
  await office.waitForURL("**/office/links");
  await office.getByRole("heading", { level: 1, name: "Links" }).waitFor();
});
