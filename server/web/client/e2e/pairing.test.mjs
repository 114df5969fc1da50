// The pairing of a screen end to end: its code, the office, what it shows, the end of the pairing, and the code again.

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { LINK } from "../scripts/house.mjs";
import * as foundation from "./foundation.mjs";

const TABLE = "C4P-07";
const SCREEN = "pit-1-north";

let ground;
before(async () => {
  ground = await foundation.startFoundation([TABLE]);
});
afterEach(() => ground.browser.closePages());
after(() => ground?.close());

/** Opens the page of a screen, and returns it with its code. */
async function openScreen() {
  const page = await ground.browser.open({ viewport: { width: 1920, height: 1080 } });
  await page.goto("/sign");
  return { page, code: await codeOf(page) };
}

/** Waits for the code of a screen. */
async function codeOf(page) {
  const code = page.locator(".screen-code");
  await code.waitFor();
  return (await code.innerText()).replace(/\s/g, "");
}

/** Waits until a screen shows the amounts of a link. */
const shows = (page) => page.locator(".stage-box:not(.message) .amount").first().waitFor();

async function office(view = "screens", name = "max") {
  const size = { viewport: { width: 1440, height: 900 } };
  const page = await foundation.openAs(ground.browser, name, `/office/${view}`, size);
  await page.waitForSelector("#content h1");
  return page;
}

const button = (page, name) => foundation.button(page, name, true);
const says = (page, text) => foundation.seen(page.locator("#content"), text);
const dialog = (page) => page.locator("dialog[open]");

async function fillPairing(page, code, name) {
  if ((await dialog(page).count()) === 0) await button(page, "Pair a screen…").click();
  await page.getByLabel("Code on the screen").fill(code);
  await page.getByLabel("Name of the screen").fill(name);
}

const send = (page) => button(dialog(page), "Pair the screen").click();
const refused = (page, text) => dialog(page).getByRole("alert").getByText(text).waitFor();

test("a screen is paired, says what it shows, and shows a code again once it is unpaired", async () => {
  const { page: screen, code } = await openScreen();
  assert.match(code, /^[2-9ACDEFGHJKLMNPQRTVWXY]{6}$/);
  const manager = await office();
  await says(manager, "No screen is paired yet");
  // A wrong code, and names that are none, are refused where they were typed.
  await fillPairing(manager, code === "222222" ? "333333" : "222222", SCREEN);
  await send(manager);
  await refused(manager, /shows a new one after ten minutes/);
  for (const name of ["<img src=x onerror=alert(1)>", "x'; DROP TABLE screen; --"]) {
    await fillPairing(manager, code, name);
    await send(manager);
    await dialog(manager).getByRole("alert").waitFor();
    assert.equal(await manager.getByLabel("Code on the screen").inputValue(), code);
  }
  await fillPairing(manager, code.toLowerCase(), SCREEN);
  await send(manager);
  await shows(screen);
  await says(manager, "As in the journal");
  const row = manager.getByRole("row", { name: new RegExp(SCREEN) });
  const { levels } = await (await ground.house.as("ada"))("GET", `/v1/links/${LINK}/meters`);
  const [top] = levels;
  const cents = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2 }).format(Number(top.amount));
  await row.getByText(`$${cents}`).waitFor();

  // After a reload it comes back without a code.
  await screen.reload();
  await shows(screen);
  assert.equal(await screen.locator(".screen-code").count(), 0);

  await row.getByRole("link", { name: SCREEN }).click();
  await says(manager, "What it showed");
  await manager
    .getByRole("row")
    .filter({ hasText: `$${cents}` })
    .first()
    .waitFor();
  await button(manager, "Unpair…").click();
  await button(dialog(manager), "Unpair the screen").click();
  await says(manager, "No screen is paired yet");
  const next = await codeOf(screen);
  assert.notEqual(next, code);

  // Its past stays provable, and both acts are recorded.
  await manager.goto(`/office/screens/${SCREEN}`);
  await says(manager, `${SCREEN} is not paired`);
  await manager
    .getByRole("row")
    .filter({ hasText: `$${cents}` })
    .first()
    .waitFor();
  const { acts } = await (await ground.house.as("ada"))("GET", "/v1/acts");
  const done = acts.filter(({ subject, act }) => subject === SCREEN && act.startsWith("screen_"));
  assert.deepEqual(done.map(({ act, name }) => [act, name]).sort(), [
    ["screen_paired", "max"],
    ["screen_unpaired", "max"],
  ]);
});

test("a screen takes the place of another one only if the manager says so", async () => {
  const first = await openScreen();
  const second = await openScreen();
  const manager = await office();
  await fillPairing(manager, first.code, "bar");
  await send(manager);
  await shows(first.page);
  await dialog(manager).waitFor({ state: "detached" });
  await fillPairing(manager, second.code, "bar");
  await send(manager);
  await refused(manager, /choose another name/);
  await dialog(manager).getByLabel("It takes the place").check();
  await send(manager);
  await shows(second.page);
  await codeOf(first.page);
});

test("an amount that the link never had is a finding", async () => {
  const key = "ab".repeat(32);
  const ask = () =>
    fetch(`${ground.house.url}/v1/pairings`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ key }),
    }).then((answer) => answer.json());
  const { code } = await ask();
  const max = await ground.house.as("max");
  await max("PUT", "/v1/screens/lobby", { code, links: [LINK] });
  const shown = [{ link: LINK, batch: 1, levels: [{ level: "mega", amount: "99999.99" }] }];
  const tell = () =>
    fetch(`${ground.house.url}/v1/shown`, {
      method: "PUT",
      headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
      body: JSON.stringify({ shown }),
    });
  // A new token is good within a second.
  let told;
  await foundation.until(async () => (told = await tell()).status !== 401);
  assert.equal((await told.json()).shown[0].difference, true);
  const auditor = await office("screens", "ada");
  const row = auditor.getByRole("row", { name: /lobby/ });
  await row.getByText("Difference").waitFor();
  await row.getByText("$99,999.99").waitFor();
  assert.equal(await button(auditor, "Pair a screen…").count(), 0);
});

test("a sign by its address needs no pairing, in Spanish a screen says what to do", async () => {
  const sign = await ground.browser.open({ viewport: { width: 1920, height: 1080 } });
  await sign.goto(`/sign/${LINK}`);
  await shows(sign);
  assert.equal(await sign.evaluate(() => localStorage.length), 0);
  const screen = await ground.browser.open({ viewport: { width: 1080, height: 1920 } });
  await screen.goto("/sign?locale=es-MX");
  await codeOf(screen);
  await screen.getByText("Vincular una pantalla").waitFor();
});
