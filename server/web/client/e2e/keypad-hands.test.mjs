// What a dealer meets at the keypad whose badge, cards or table are not right.

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { button as key, seen, startFoundation } from "./foundation.mjs";
import { coinIn, pick, setBadge } from "./keypad-house.mjs";

let foundation;

before(async () => {
  foundation = await startFoundation(["H-1", "H-2", "H-3"]);
});
afterEach(() => foundation.browser.closePages());
after(() => foundation?.close());

/** Opens a table on a tablet without a badge, and with the token of the table if it has one. */
async function openTablet(table) {
  const page = await foundation.browser.open({ viewport: { width: 1024, height: 768 } });
  const token = foundation.house.tokens[table];
  await page.goto(`/table/${table}?locale=en-US${token ? `#token=${token}` : ""}`);
  return page;
}

test("a badge that is missing is asked for, and the hand that was keyed stays", async () => {
  const page = await openTablet("H-1");
  await coinIn(page, [2, 3]);
  await key(page, /^Royal flush/).click();
  await key(page, "seat 3, Wager").click();
  await pick(page, "As Ks Qs Js Ts");
  await key(page, "Enter your badge for royal flush…").click();
  await page.getByLabel(/Badge of the dealer/).fill("d-12");
  await key(page, "Use this badge").click();
  await seen(page, "5 of 5 cards");
  await key(page, "Key royal flush").click();
  await seen(page, "Royal flush, seat 3");
});

test("cards that make another hand: it is named, and keyed by one tap, or the cards are changed", async () => {
  const page = await openTablet("H-2");
  await setBadge(page);
  await coinIn(page, [1, 2]);
  for (const cards of ["8s 8h 8d Kc 2h", "8s 8h 8d Kc 3h"]) {
    await key(page, /^Four of a kind/).click();
    await key(page, "seat 2, Wager").click();
    await pick(page, cards);
    await key(page, "Key four of a kind").click();
    await seen(page, "Not counted: Four of a kind, seat 2.");
    await seen(page, "These cards make: three of a kind.");
    if (cards.endsWith("2h")) {
      await key(page, "Change…").click();
      await seen(page, "5 of 5 cards");
      await key(page, "Cancel").click();
    }
  }
  await key(page, "Key three of a kind").click();
  await seen(page, "Three of a kind, seat 2");
  assert.equal(await page.getByText("Not counted").count(), 0);
});

test("a table that no link has is said where its token is asked for", async () => {
  const page = await openTablet("H-99");
  await seen(page, "No link has a table H-99");
  await page.goto("/table/H-3?locale=en-US");
  await seen(page, "This tablet has no token for H-3");
});
