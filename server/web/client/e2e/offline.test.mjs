// The keypad without a server: it opens from the tablet with its round and its outbox, and follows a new program.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { BUILT, startProxy } from "../scripts/static.mjs";
import { button as key, seen, startFoundation, until } from "./foundation.mjs";
import { coinIn, fold, setBadge } from "./keypad-house.mjs";

let house;
let browser;
let foundation;

before(async () => {
  foundation = await startFoundation(["W-1", "W-2", "W-3"]);
  ({ house, browser } = foundation);
});
afterEach(() => browser.closePages());
after(() => foundation?.close());

/** Opens a table on a tablet, and waits until the tablet keeps the page. */
async function openTablet(table, url = foundation.url) {
  const page = await browser.open({ viewport: { width: 1024, height: 768 } });
  await page.goto(`${url}/table/${table}?locale=en-US#token=${house.tokens[table]}`);
  await setBadge(page);
  await key(page, /^This tablet/).click();
  await seen(page, "This page opens without the server.");
  await key(page, "Back", true).click();
  return page;
}

/** Returns the addresses in the only cache of a page's address. */
const cached = (page) =>
  page.evaluate(async () => {
    const [name] = await caches.keys();
    const requests = await (await caches.open(name)).keys();
    return requests.map(({ url }) => new URL(url).pathname);
  });

/** Returns the names of the caches of a page's address. */
const cacheNames = (page) => page.evaluate(() => caches.keys());

/** Taps twice while the server is silent. */
async function tapInSilence(page, seat) {
  await seen(page, "Take no progressive chips");
  await key(page, "Show the open round").click();
  await fold(page, seat);
  await key(page, "GAME OVER", true).click();
  await seen(page, "2 commands wait");
}

test("a reload while the server is away shows the round and the taps, which count once when it is back", async () => {
  const page = await openTablet("W-1");
  await coinIn(page, [1, 6]);
  const addresses = await cached(page);
  assert.ok(addresses.includes("/built/keypad.html"));
  assert.deepEqual(
    addresses.filter((address) => !/^\/built\/[^/]+\.(html|js|css|woff2)$/.test(address)),
    [],
  );
  await house.stop();
  await tapInSilence(page, 6);
  await page.reload();
  await seen(page, "Take no progressive chips");
  await seen(page, "The open round stays as it is");
  await seen(page, "2 commands wait");
  await key(page, "Show the open round").click();
  await key(page, "seat 1, Accepted").waitFor();
  // Another address of the same tablet opens too, and says what it is about.
  const other = await page.context().newPage();
  await other.goto(`${foundation.url}/table/W-2?locale=en-US`);
  await seen(other, "This tablet has no token for W-2");
  await other.close();

  await house.restart();
  await seen(page, "Last round: no hand won");
  await seen(page, "All sent");
  const over = await house.atTable("W-1", "GET", "");
  assert.deepEqual([over.round, over.last_sequence], [null, 3]);
});

test("a reload while the network is away does the same", async () => {
  const page = await openTablet("W-2");
  await coinIn(page, [2, 4]);
  await page.context().setOffline(true);
  await tapInSilence(page, 2);
  await page.reload();
  await seen(page, "The open round stays as it is");
  await seen(page, "2 commands wait");
  await page.context().setOffline(false);
  await seen(page, "Last round: no hand won");
  assert.equal((await house.atTable("W-2", "GET", "")).last_sequence, 3);
});

test("a page that could not be kept at its load is kept some seconds later", async () => {
  const proxy = await startProxy(BUILT, house.url);
  try {
    // Only the worker asks for the page by this address.
    proxy.refused = "/built/keypad.html";
    const page = await openTablet("W-3", proxy.url);
    assert.equal(proxy.refused, null);
    assert.ok((await cached(page)).includes("/built/keypad.html"));
  } finally {
    proxy.close();
  }
});

/** Builds the pages with a keypad that says that it is another one. */
async function buildChanged(folder) {
  const change = {
    name: "change",
    transform: (code, id) =>
      id.endsWith("/keypad/main.tsx") ? `${code}\ndocument.documentElement.dataset.changed = "";` : null,
  };
  const root = join(dirname(fileURLToPath(import.meta.url)), "..");
  await build({ root, logLevel: "warn", plugins: [change], build: { outDir: folder, emptyOutDir: true } });
}

test("a new program's page is taken over at the next load, also for the time without a server", async () => {
  const folder = mkdtempSync(join(tmpdir(), "meterhouse-pages-"));
  const proxy = await startProxy(BUILT, house.url);
  try {
    await buildChanged(folder);
    const page = await openTablet("W-3", proxy.url);
    const before = await cacheNames(page);
    assert.equal(before.length, 1);
    assert.equal(await page.locator("html[data-changed]").count(), 0);

    proxy.folder = folder;
    await page.reload();
    await page.locator("html[data-changed]").waitFor({ state: "attached" });
    await until(async () => {
      const names = await cacheNames(page);
      return names.length === 1 && names[0] !== before[0];
    });
    await house.stop();
    await page.reload();
    await page.locator("html[data-changed]").waitFor({ state: "attached" });
    await seen(page, "Take no progressive chips");
    await house.restart();
    await key(page, /^seat 1,/).waitFor();
  } finally {
    proxy.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
