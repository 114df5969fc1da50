// The manual: tables as printed on wide and narrow screens, and the search in a page and in all.

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { startFoundation, until } from "./foundation.mjs";

let ground;
before(async () => {
  ground = await startFoundation([]);
});
afterEach(() => ground.browser.closePages());
after(() => ground?.close());

const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 390, height: 844 };

/** Opens a page of the manual, and waits for its parts. */
async function open(game, viewport) {
  const page = await ground.browser.open({ viewport });
  await page.goto(`/manual/${game}`);
  await page.locator("main h1").waitFor();
  return page;
}

/** The texts of the shown rows of a part's table, cell by cell. */
const rows = (page, id) =>
  page
    .locator(`section:has(#${id}) table tr`)
    .evaluateAll((found) =>
      found.map((row) =>
        [...row.cells].filter((it) => getComputedStyle(it).display !== "none").map((it) => it.textContent),
      ),
    );

test("no page scrolls sideways, and no table is cut", async () => {
  const list = await open("", WIDE);
  const links = list.locator("#games a");
  const games = await links.evaluateAll((found) => found.map((it) => it.pathname.split("/")[2]));
  assert.equal(games.length, 13);
  const titles = await links.allTextContents();
  assert.deepEqual(
    titles,
    [...titles].sort((one, other) => one.localeCompare(other)),
  );
  for (const viewport of [WIDE, NARROW]) {
    for (const game of games) {
      const page = await open(game, viewport);
      const cut = await page.evaluate(() =>
        [document.documentElement, ...document.querySelectorAll(".wide")]
          .filter((it) => it.scrollWidth > it.clientWidth)
          .map((it) => it.closest("section")?.querySelector("h2").textContent ?? "the page"),
      );
      assert.deepEqual(cut, [], `${game} at ${viewport.width}`);
      await page.context().close();
    }
  }
});

test("a narrow screen shows one paytable as a table", async () => {
  const page = await open("crazy-4-poker", NARROW);
  const id = "queens-up-wager-massachusetts";
  assert.deepEqual((await rows(page, id)).slice(0, 2), [
    ["Hand", "Paytable A"],
    ["Four-of-a-kind", "50 to 1"],
  ]);
  await page.locator(`section:has(#${id})`).getByRole("button", { name: "Paytable D" }).click();
  const shown = await rows(page, id);
  assert.deepEqual(shown[3], ["Three-of-a-kind", "7 to 1"]);
  assert.deepEqual(
    shown.find(([first]) => first === "The house keeps"),
    ["The house keeps", "6.78%"],
  );
});

test("a table is drawn as printed, and what is computed has a head of its own", async () => {
  const page = await open("crazy-4-poker", WIDE);
  const cover = await rows(page, "cover-all-bonus-wager-massachusetts");
  assert.deepEqual(cover[0].slice(0, 3), ["Highest Hand", "6 players", "5 players"]);
  assert.deepEqual(cover[1].slice(0, 3), ["4 Aces", "100 to 1", "125 to 1"]);
  const heads = cover.filter((cells) => cells.length === 1);
  assert.deepEqual(heads, [["Not in the printed table"], ["Computed by Meterhouse"]]);
  const progressive = await rows(page, "pa-657a-five-card-a");
  assert.ok(
    progressive.some(([hand, pays]) => hand === "royal-flush" && pays === "100% of meter"),
    progressive.join("\n"),
  );
});

test("a search finds words in their order, and a link shows what it hid", async () => {
  const page = await open("four-card-frenzy", WIDE);
  const box = page.getByRole("searchbox");
  const status = page.locator(".found");
  const shown = () => page.locator("section:visible h2").allTextContents();
  await box.fill("three aces");
  await until(async () => /of 1\d parts/.test(await status.textContent()));
  assert.deepEqual(await shown(), ["Four Card Bonus Wager", "Four Card Bonus Wager read as queens-or-better"]);
  assert.ok((await page.evaluate(() => CSS.highlights.get("found").size)) >= 2);
  await page.locator(".contents a", { hasText: "Prime Wager" }).click();
  await page.locator("#prime-wager").waitFor();
  await box.fill("pa-684a-four-card-bonus-c");
  await until(async () => (await shown()).includes("Four Card Bonus Wager") && (await shown()).length === 2);

  const list = await open("", WIDE);
  await list.getByRole("searchbox").fill("lo ball");
  const hits = list.locator("main ul:visible a");
  await until(async () => (await hits.count()) > 0);
  const found = await hits.allTextContents();
  assert.equal(found[0], "Cajun Stud: Lo Ball Wager");
  assert.ok(
    found.every((it) => it.startsWith("Cajun Stud")),
    found.join("\n"),
  );
  await list.getByRole("searchbox").fill("ma-queens-up-c");
  await until(async () => (await list.locator(".found").textContent()) === "1 part");
});

test("a game is found by its title", async () => {
  const page = await open("touchdown-roulette", WIDE);
  assert.equal(await page.locator("main h1").textContent(), "Touchdown Roulette");
});
