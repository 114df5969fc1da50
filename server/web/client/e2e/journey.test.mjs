// A newcomer's way through the demo, from its one address: a royal flush at the keypad, the sign, the floor, the books.

import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { PROGRAM, makeDataFolder } from "../scripts/house.mjs";
import { endProcess, startProcess } from "../scripts/process.mjs";
import { servePages } from "../scripts/static.mjs";
import { Browser, SCENE_WAIT_MS, button, seen } from "./foundation.mjs";

/** Rounds a second of the other tables: few, so that the visitor's page is quick on a small machine. */
const SPEED = "5";

const folder = makeDataFolder();
let browser;
let demo;
let pages;
let address;

before(async () => {
  browser = await Browser.start();
  const args = ["demo", "--data-dir", folder, "--listen", "127.0.0.1:0", "--speed", SPEED, "--seed", "7"];
  const { child, found } = await startProcess(PROGRAM, args, /^page\s+(\S+)/);
  demo = child;
  pages = await servePages(found);
  address = new URL("/", pages.url).href;
});

after(async () => {
  await browser?.close();
  pages?.close();
  if (demo) await endProcess(demo, "SIGINT");
  rmSync(folder, { recursive: true, force: true });
});

/** Takes a picture of a page into the folder that PICTURES names, if it names one. */
async function picture(page, name) {
  if (process.env.PICTURES) await page.screenshot({ path: join(process.env.PICTURES, `${name}.png`) });
}

/** Follows a link or button of the front page that opens a page of its own. */
async function opened(front, door) {
  const [page] = await Promise.all([front.context().waitForEvent("page"), door.click()]);
  await page.waitForLoadState();
  return page;
}

test("a newcomer plays a royal flush, sees it celebrated, approves it and finds it in the books", async () => {
  const front = await browser.open({ viewport: { width: 1440, height: 900 } });
  front.context().setDefaultTimeout(SCENE_WAIT_MS);
  await front.goto(address);
  const keypad = await opened(front, front.getByRole("link", { name: "Open the keypad" }));
  await picture(front, "front");

  // The dealer's part.
  await button(keypad, "This tablet: d-12").waitFor();
  for (const seat of [1, 3, 5]) await button(keypad, new RegExp(`^seat ${seat},`)).click();
  await button(keypad, /^COIN IN/).click();
  await seen(keypad, "3 wagers accepted");
  await picture(keypad, "keypad-locked");
  const sign = await opened(front, front.getByRole("link", { name: "Open the sign" }));
  await sign.setViewportSize({ width: 1920, height: 1080 });
  await sign.locator(".amount").first().waitFor();
  await picture(sign, "sign");
  await button(keypad, /^Royal flush/).click();
  await button(keypad, "seat 3, Wager").click();
  for (const rank of ["ace", "king", "queen", "jack", "10"])
    await keypad.getByRole("button", { name: `${rank} of spades`, exact: true }).click();
  await button(keypad, "Key royal flush").click();
  await seen(keypad, "Pending: wait for the floor");
  await picture(keypad, "keypad-pending");

  // The sign says so, and celebrates nothing yet.
  await sign.locator(".plate").waitFor();
  assert.match(await sign.locator(".plate").innerText(), /PRACTICE-1/i);
  assert.equal(await sign.locator(".celebration").count(), 0);
  await picture(sign, "sign-pending");

  // The supervisor's part.
  const floor = await opened(front, button(front, "Open as supervisor Sam"));
  await floor.waitForURL("**/floor**");
  await floor.setViewportSize({ width: 1180, height: 820 });
  await floor.locator('[data-hit="PRACTICE-1.2"]').click();
  await seen(floor, "Same");
  await picture(floor, "floor-hit");
  await button(floor, /^Approve \$10,000\.27/).click();
  for (const digit of "4071") await floor.locator(`.pin-key:text-is("${digit}")`).click();
  await floor.locator(".decision").getByText("Validated").first().waitFor();
  await sign.locator(".celebration").waitFor();
  // The amount has counted up.
  await sign.locator(".celebration .amount.pulse").waitFor();
  await sign.locator(".celebration .hand-of-cards").first().waitFor();
  await picture(sign, "sign-celebration");
  await button(floor, "Mark paid…").click();
  await floor.getByRole("textbox").first().fill("JP-000001");
  await button(floor, /^Mark \$.* paid$/).click();
  await seen(floor, /Document JP-000001/);
  await seen(keypad, "Left to do: envy from the rack, then GAME OVER.");
  await picture(keypad, "keypad-envy-left");
  await sign.locator(".tag.won").waitFor();
  await picture(sign, "sign-won");
  // The envy of the other players is paid with GAME OVER, and the hit with it.
  await keypad.getByRole("button", { name: "GAME OVER", exact: true }).click();
  await seen(keypad, "Last round: Royal flush, seat 3");
  await sign.locator(".tag.paid").waitFor();
  await picture(sign, "sign-paid");

  // The books.
  const office = await opened(front, button(front, "Open as manager Max"));
  await office.waitForURL("**/office**");
  await office.setViewportSize({ width: 1440, height: 900 });
  await office.goto(`${address}office/history/practice/mega`);
  await seen(office, "Books agree, difference 0.00");
  await seen(office, "$10,000.27");
  await picture(office, "office-history");
  await office.getByRole("link", { name: "To the demo’s front page" }).click();
  await office.getByRole("link", { name: "Open the keypad" }).waitFor();

  // A front page that was left open does not say that all is well.
  await endProcess(demo, "SIGINT");
  await seen(front, "Demo does not answer");
});
