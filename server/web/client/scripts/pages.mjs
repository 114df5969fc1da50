// The pages with their heaviest views, and how one is loaded with a cold cache: what it weighs, and when it is usable.

import { brotliCompressSync, gzipSync } from "node:zlib";
import { LINK, PASSWORD, TABLES } from "./house.mjs";

/** Most bytes of a page with its fonts, compressed by gzip. */
export const WEIGHT_MOST = 200_000;
/** Most time until a page is usable, with the CPU slowed four times. */
export const START_MOST_MS = 1_000;
const CPU_RATE = 4;

/** The form that opens a link, with the paytable as its regulation prints it. */
const paytable = (locale) => `/office/links/new/open?locale=${locale}`;
/** What the tab has of that form. */
const DRAFT = { "meterhouse-open-link": JSON.stringify({ paytable: "pa-657a-five-card-c" }) };

/** Name of a view, its address, what has to be on it, and who is logged in. */
export const VIEWS = [
  ["front", "/", ".front a"],
  ...["gold", "neon", "heritage"].map((theme) => [`sign, ${theme}`, `/sign/${LINK}?theme=${theme}`, ".amount"]),
  ["keypad", `/table/${TABLES[0]}`, ".seat"],
  ["login", "/floor", "#login-name"],
  ["floor", "/floor", ".amounts dd", "sam"],
  ["floor in Spanish", "/floor?locale=es-US", ".amounts dd", "sam"],
  ["office", "/office/links", "#content h1", "max"],
  ["office, a link", `/office/links/${LINK}`, "#content table", "max"],
  ["office, a history", `/office/history/${LINK}/mega`, "svg.plot", "max"],
  ["office, a paytable", paytable("en-US"), ".printed", "max"],
  ["office, a paytable in Spanish", paytable("es-US"), ".printed", "max"],
  ["manual", "/manual/crazy-4-poker", "main table"],
].map(([name, address, selector, person]) => ({ name, address, selector, person }));

/** Runs in the page before its own script: keeps the time of the first frame that has a selector. */
function watchStart(selector) {
  const look = () => {
    if (!document.querySelector(selector)) return;
    observer.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => (window.usableAt = performance.now())));
  };
  const observer = new MutationObserver(look);
  observer.observe(document, { subtree: true, childList: true });
}

/** Logs a person in, as the browser of this context. */
function logIn(context, url, name) {
  return context.request.post(`${url}/v1/login`, { data: { name, password: PASSWORD } });
}

/**
 * Loads a view in a browser of its own; `slow` slows its CPU. Resolves with the milliseconds until it was usable, and the
 * bodies of its files by their paths; answers of the API are no part of it.
 */
export async function loadView(browser, url, { address, selector, person }, { slow = false, token = "" } = {}) {
  const context = await browser.newContext({ viewport: { width: 1920, height: 1080 }, locale: "en-US" });
  try {
    if (person) await logIn(context, url, person);
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send("Network.setCacheDisabled", { cacheDisabled: true });
    if (slow) await session.send("Emulation.setCPUThrottlingRate", { rate: CPU_RATE });
    await page.addInitScript((kept) => Object.assign(sessionStorage, kept), DRAFT);
    await page.addInitScript(watchStart, selector);
    const files = new Map();
    const bodies = [];
    page.on("response", (answer) => {
      const { pathname } = new URL(answer.url());
      if (pathname.startsWith("/v1/") || !answer.ok()) return;
      bodies.push(
        answer.body().then(
          (body) => files.set(pathname, body),
          () => {},
        ),
      );
    });
    await page.goto(`${url}${address}${token && `#token=${token}`}`);
    const usableAt = await (await page.waitForFunction(() => window.usableAt)).jsonValue();
    await page.evaluate(() => document.fonts.ready.then(() => {}));
    await Promise.all(bodies);
    return { usableAt, files };
  } finally {
    await context.close();
  }
}

const sum = (files, size) => [...files.values()].reduce((all, body) => all + size(body), 0);

/** Returns the bytes of files as they are, by gzip and by Brotli, each file by itself. */
export function weightOf(files) {
  return {
    plain: sum(files, (body) => body.length),
    gzip: sum(files, (body) => Math.min(body.length, gzipSync(body).length)),
    brotli: sum(files, (body) => Math.min(body.length, brotliCompressSync(body).length)),
  };
}
