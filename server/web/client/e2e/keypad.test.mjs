// The keypad end to end: rounds by buttons and by cards, cuts, crashes, two tabs and two tablets.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { button as key, decide, seen, startFoundation, until } from "./foundation.mjs";
import { coinIn, fold, openBonusLink, pick, setBadge, startMortalBrowser, startNetwork } from "./keypad-house.mjs";

const TABLES = ["K-1", "K-2", "K-3", "K-4", "K-5", "K-6", "K-7", "K-8", "K-9", "K-11", "K-12", "K-13", "K-14", "K-15"];
const BONUS = "K-10";
let house;
let browser;
let network;
let foundation;

before(async () => {
  foundation = await startFoundation(TABLES);
  ({ house, browser } = foundation);
  await openBonusLink(house, BONUS);
  network = await startNetwork(foundation.url);
});
afterEach(async () => {
  network.lose = () => null;
  await browser.closePages();
});
after(async () => {
  network?.close();
  await foundation?.close();
});

const address = (table, url = "") => `${url}/table/${table}?locale=en-US`;
const withToken = (table, url) => `${address(table, url)}#token=${house.tokens[table]}`;

/** Opens a table on a tablet of its own. The dealer has a badge, unless it is null. */
async function openTablet(table, { badge, url, script } = {}) {
  const page = await browser.open({ viewport: { width: 1024, height: 768 } });
  if (script) await page.addInitScript(script);
  await page.goto(withToken(table, url));
  if (badge !== null) await setBadge(page, badge);
  return page;
}

/** Reads the table as its controller. */
const readTable = (table) => house.atTable(table, "GET", "");

test("a round to a jackpot by buttons: lit on acceptance, folded, keyed, validated, paid, over", async () => {
  const page = await openTablet("K-1");
  assert.equal(new URL(page.url()).hash, "", "the token is out of the address");
  await coinIn(page, [1, 3, 5]);
  await key(page, "seat 3, Accepted").waitFor();
  await fold(page, 5);
  await key(page, "seat 5, Folded").waitFor();

  await key(page, /^Royal flush/).click();
  await key(page, "seat 3, Wager").click();
  await pick(page, "As Ks Qs Js Ts");
  await key(page, "Key royal flush").click();
  await seen(page, "Pending: wait for the floor");
  const { round } = await readTable("K-1");
  assert.equal(round.hits.length, 1);
  assert.ok(await key(page, /^GAME OVER/).isDisabled());

  await decide(house, round.hits[0].hit, { decision: "approve" });
  await seen(page, "Validated");
  await seen(page, "The cage pays it by slip.");
  const cash = await house.as("cash");
  await cash("PUT", `/v1/hits/${round.hits[0].hit}/payouts/1/payment`, { document: "JP-000001" });
  await seen(page, "Left to do: envy from the rack, then GAME OVER.");
  await key(page, "GAME OVER", true).click();
  await seen(page, "Last round: Royal flush, seat 3");
  const over = await readTable("K-1");
  assert.deepEqual([over.round, over.last_sequence], [null, 4]);
});

test("a round by its cards, with a card that is never used twice", async () => {
  const page = await openTablet("K-2");
  await coinIn(page, [1, 2]);
  await key(page, "Key all cards…").click();
  await pick(page, "As Js 9s 5s 3s");
  // A used card is greyed; a tap on it says who has it.
  await key(page, /The ace of spades is already with seat 1/).click({ force: true });
  await seen(page, "The ace of spades is already with seat 1.");
  await page.keyboard.type("ks");
  await page.keyboard.type("ks");
  await seen(page, "The king of spades is already in this hand.");
  await page.keyboard.type("10d9c5d");
  await pick(page, "3h");
  await key(page, "Settle the round").click();
  await seen(page, "Flush, seat 1");
  const { round, last_sequence } = await readTable("K-2");
  assert.deepEqual(
    round.hits.map(({ hand, seat, due }) => [hand, seat, due]),
    [["flush", 1, "40.00"]],
  );
  assert.equal(last_sequence, 2);
});

test("a reload in the middle redraws the open round and its hit", async () => {
  const page = await openTablet("K-3");
  await coinIn(page, [2, 4]);
  await key(page, /^Straight flush/).click();
  await key(page, "seat 4, Wager").click();
  await key(page, "Key without cards").click();
  await seen(page, "Pending: wait for the floor");
  await page.reload();
  await seen(page, "Straight flush, seat 4");
  await seen(page, "Pending: wait for the floor");
  await key(page, "seat 2, Accepted").waitFor();

  await key(page, "Pressed by mistake…").click();
  await key(page, "Take it back").click();
  await seen(page, "2 wagers accepted");
  await key(page, "Void…").click();
  await key(page, "Misdeal").click();
  await seen(page, "Last round: void, all chips returned");
  assert.equal((await readTable("K-3")).last_sequence, 4);
});

test("a cut network: taps are kept, sent in order when it is back, and count once", async () => {
  const page = await openTablet("K-4");
  await coinIn(page, [1, 5]);
  await page.context().setOffline(true);
  await seen(page, "Take no progressive chips");
  await key(page, "Show the open round").click();
  assert.ok(await key(page, /^COIN IN/).isDisabled());
  await fold(page, 1);
  await key(page, "seat 1, Folding").waitFor();
  await key(page, /^Flush/).click();
  await key(page, "seat 5, Wager").click();
  await key(page, "Key without cards").click();
  await seen(page, "2 commands wait");
  assert.equal((await readTable("K-4")).last_sequence, 1);
  await page.context().setOffline(false);
  await seen(page, "Flush, seat 5");
  const { round, last_sequence } = await readTable("K-4");
  assert.equal(last_sequence, 3);
  assert.deepEqual(round.folded, [1]);
  assert.equal(round.hits.length, 1);
});

test("a server that stops and comes back: the round stays, and waiting commands count once", async () => {
  const page = await openTablet("K-15");
  await coinIn(page, [1, 6]);
  await house.stop();
  await seen(page, "Take no progressive chips");
  await seen(page, "The open round stays as it is");
  await key(page, "Show the open round").click();
  await fold(page, 6);
  await key(page, "GAME OVER", true).click();
  await seen(page, "2 commands wait");
  await house.restart();
  await seen(page, "Last round: no hand won");
  await seen(page, "All sent");
  const over = await readTable("K-15");
  assert.deepEqual([over.round, over.last_sequence], [null, 3]);
  // The books are checked before the next coin-in, which waits for that.
  await coinIn(page, [1]);
});

test("a browser that is killed after an acknowledged tap loses nothing and counts nothing twice", async () => {
  const profile = mkdtempSync(join(tmpdir(), "meterhouse-profile-"));
  let tablet = await startMortalBrowser(profile);
  try {
    let page = await tablet.page();
    await page.goto(withToken("K-5", network.url));
    await setBadge(page);
    await coinIn(page, [1, 2]);
    // The request of the first kill never arrives, the one of the second arrives and its answer is lost.
    for (const [lose, seat, number] of [
      ["request", 1, 2],
      ["answer", 2, 3],
    ]) {
      network.lose = () => lose;
      await fold(page, seat);
      await seen(page, "1 command waits");
      if (lose === "answer") await until(async () => (await readTable("K-5")).last_sequence === number);
      await tablet.kill();
      network.lose = () => null;
      tablet = await startMortalBrowser(profile);
      page = await tablet.page();
      await page.goto(address("K-5", network.url));
      await key(page, `seat ${seat}, Folded`).waitFor();
      await seen(page, "All sent");
      const { round, last_sequence } = await readTable("K-5");
      assert.equal(last_sequence, number);
      assert.ok(round.folded.includes(seat));
    }
  } finally {
    await tablet.kill();
    // Processes of the killed browser may still write for a moment.
    rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
});

test("a network that loses requests and answers: each tap counts once, in its order", async () => {
  const page = await openTablet("K-13", { url: network.url });
  // Of five requests one is lost, and the answer of another one.
  let requests = 0;
  network.lose = () => [null, "answer", null, "request", null][requests++ % 5];
  const rounds = 5;
  for (let round = 1; round <= rounds; round += 1) {
    await coinIn(page, [1, 2]);
    if (round === 3) await page.reload();
    await fold(page, 1);
    await key(page, "seat 1, Folded").waitFor();
    await key(page, "GAME OVER", true).click();
    await key(page, /^seat 2, No chip/).waitFor();
  }
  await seen(page, "All sent");
  assert.ok(requests > 3 * rounds, "commands were sent again");
  assert.equal((await readTable("K-13")).last_sequence, 3 * rounds);
});

test("envy for a hand without a wager, and a hit that the floor rejects", async () => {
  const page = await openTablet("K-14");
  await key(page, "Players", true).click();
  await key(page, "seat 4, Empty").click();
  // The player of seats 1 and 3 gets one envy.
  await key(page, "Same player", true).click();
  await key(page, "seat 1, Empty").click();
  await key(page, "seat 3, Empty").click();
  await key(page, "Own hand", true).click();
  await coinIn(page, [1, 2, 3]);
  await key(page, "seat 3, Accepted, player A").waitFor();
  await key(page, /^Straight flush/).click();
  assert.ok(await key(page, /^seat 5, Empty/).isDisabled());
  await key(page, "seat 4, Envy only").click();
  await pick(page, "9d 8d 7d 6d 5d");
  await key(page, "Key straight flush for envy").click();
  await seen(page, "Envy for straight flush, seat 4");
  await seen(page, "Envy from the rack, in this order: seat 3, seat 2");
  const { round } = await readTable("K-14");
  assert.equal(round.hits[0].kind, "envy");
  await decide(house, round.hits[0].hit, { decision: "reject", note: "four cards only" });
  await seen(page, "Rejected");
  await seen(page, "Nothing is due.");
  // The round may be voided beside the hand.
  await key(page, "Void…").click();
  await key(page, "Wrong number of cards").click();
  await seen(page, "Last round: void, all chips returned");
});

test("two tabs: the second says so, takes over on request, and the first one stops", async () => {
  const first = await openTablet("K-6");
  await coinIn(first, [3]);
  const second = await first.context().newPage();
  await second.goto(address("K-6"));
  await seen(second, "The table is open in another tab");
  await key(second, "Take over here").click();
  await key(second, "seat 3, Accepted").waitFor();
  await seen(first, "The table is open in another tab");
  await key(second, "GAME OVER", true).click();
  await seen(second, "Last round: no hand won");
  assert.equal((await readTable("K-6")).last_sequence, 2);
  // A hidden tab does not wait for the table: it would take it from the dealer.
  const forgotten = await first.context().newPage();
  await forgotten.addInitScript(() => Object.defineProperty(document, "visibilityState", { value: "hidden" }));
  await forgotten.goto(address("K-6"));
  await seen(forgotten, "The table is open in another tab");
  const { held, pending } = await forgotten.evaluate(() => navigator.locks.query());
  assert.deepEqual([held.length, pending.length], [1, 1], "only the first tab waits");
  // Once the tab is closed, the other one goes on by itself.
  await second.close();
  await seen(first, "Last round: no hand won");
});

test("two tabs without Web Locks, as over plain HTTP: the newer one commands, and the older one stops", async () => {
  const first = await openTablet("K-11", { script: "delete Navigator.prototype.locks" });
  await coinIn(first, [3]);
  const second = await first.context().newPage();
  await second.goto(address("K-11"));
  await key(second, "seat 3, Accepted").waitFor();
  await seen(first, "The table is open in another tab");
  await key(first, "Take over here").click();
  await key(first, "GAME OVER", true).click();
  await seen(first, "Last round: no hand won");
  await seen(second, "The table is open in another tab");
  assert.equal((await readTable("K-11")).last_sequence, 2);
});

test("two tablets: the contradiction is said in words, and the dealer decides what becomes of the tap", async () => {
  const one = await openTablet("K-7");
  const other = await openTablet("K-7", { badge: "d-13" });
  await coinIn(one, [1, 2]);
  await key(other, "seat 2, Accepted").waitFor();
  await other.context().setOffline(true);
  await fold(other, 2);
  await seen(other, "1 command waits");
  await fold(one, 1);
  await key(one, "seat 1, Folded").waitFor();
  await other.context().setOffline(false);
  await seen(other, "Another device has keyed at this table");
  await seen(other, "Your “Fold, seat 2” was not counted.");
  await key(other, "It is still right: send it").click();
  await key(other, "seat 2, Folded").waitFor();
  const { round, last_sequence } = await readTable("K-7");
  assert.equal(last_sequence, 3);
  assert.deepEqual(round.folded, [1, 2]);
});

test("with a keyboard alone: chips, COIN IN, a hand by typed cards, GAME OVER", async () => {
  const page = await openTablet("K-12");
  await seen(page, "Royal flush");
  await page.keyboard.type("13");
  await key(page, "seat 3, Chip").waitFor();
  await page.keyboard.press("c");
  await seen(page, "2 wagers accepted");
  await page.keyboard.press("f");
  await page.keyboard.press("1");
  await key(page, "Fold seat 1").focus();
  await page.keyboard.press("Enter");
  await key(page, "seat 1, Folded").waitFor();
  // One wager is left, so its seat is chosen.
  await key(page, /^Three of a kind/).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Three of a kind" }).waitFor();
  await page.keyboard.type("8s8h8dKc2h");
  await page.keyboard.press("Enter");
  await seen(page, "Three of a kind, seat 3");
  const { round } = await readTable("K-12");
  await decide(house, round.hits[0].hit, { decision: "approve" });
  await seen(page, "Pay it from the rack.");
  await page.keyboard.press("g");
  await seen(page, "Last round: Three of a kind, seat 3");
});

test("a refused command is said in the server's words until it is read, and the next number goes on", async () => {
  const page = await openTablet("K-8");
  await coinIn(page, [1, 2, 3]);
  await key(page, "Count chips…").click();
  await key(page, "2", true).click();
  await key(page, "Report 2 chips").click();
  await seen(page, "2 chips counted, 3 wagers accepted. Call the floor.");
  await key(page, /^Flush/).click();
  await key(page, "seat 1, Wager").click();
  await pick(page, "As Ks Qs Js 9h");
  await key(page, "Key flush").click();
  await seen(page, "Not counted: Flush, seat 1.");
  await page.reload();
  await seen(page, "Not counted: Flush, seat 1.");
  await key(page, "OK", true).click();
  await key(page, "GAME OVER", true).click();
  await seen(page, "Last round: no hand won");
  assert.equal((await readTable("K-8")).last_sequence, 4);
});

test("a wrong token is refused, and the device can forget a right one", async () => {
  const page = await openTablet("K-9", { badge: null });
  await seen(page, "Royal flush");
  await key(page, /^This tablet/).click();
  await key(page, "Forget the token…").click();
  await key(page, "Forget the token", true).click();
  await seen(page, "This tablet has no token for K-9");
  await page.getByLabel("Token of the controller").fill(house.tokens["K-8"]);
  await key(page, "Use this token").click();
  await seen(page, "This token is not for this table.");
  await page.getByLabel("Token of the controller").fill("nonsense");
  await key(page, "Use this token").click();
  await seen(page, "The server does not know this token");
  await page.goto(withToken("K-9"));
  await seen(page, "Royal flush");
  assert.equal(new URL(page.url()).hash, "", "the token is out of the address");
});

test("a Hand Bonus: wagers on the dealer's hand, the Magic Card and the lucky position of the round", async () => {
  const page = await openTablet(BONUS);
  for (const seat of [1, 2, 3, 4, 5, 6]) await key(page, `seat ${seat}, Empty`).click();
  await key(page, "Dealer's hand", true).click();
  await key(page, "seat 1, Chip").click();
  await key(page, /^COIN IN/).click();
  await seen(page, "7 wagers accepted");
  await key(page, /^Magic Card/).click();
  await key(page, "Key magic card, Dealer").click();
  await seen(page, "Magic Card, Dealer");
  await key(page, "Key another hand").click();
  await key(page, /^Lucky Bonus/).click();
  await key(page, /^Key lucky bonus, /).click();
  await seen(page, /^Lucky Bonus, (seat \d|Dealer)$/);
  const { round } = await readTable(BONUS);
  assert.deepEqual(round.dealer_seats, [1]);
  assert.deepEqual(
    round.hits.map(({ kind, dealer }) => [kind, dealer]),
    [
      ["magic_card", true],
      ["lucky_bonus", round.lucky_position.dealer],
    ],
  );
  await key(page, "GAME OVER", true).click();
  await seen(page, "Last round: Lucky Bonus");
});
