// The worker that keeps the keypad: which requests it answers, from where, and how long it waits.

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  CACHE_WAIT_MS,
  PAGE_WAIT_MS,
  cacheOf,
  fileAnswer,
  keptAddress,
  outdated,
  pageAnswer,
} from "../src/worker/shell.js";
import { filesOf, shellOf } from "../workers.js";

const SHELL = {
  build: "b1",
  page: "/built/keypad.html",
  files: { "/built/keypad.html": "", "/built/keypad-x.js": "" },
};
const HOST = "https://floor.example";
const kept = (url: string, mode = "cors", method = "GET") =>
  keptAddress(SHELL, `${HOST}/table/`, { method, mode, url: new URL(url, HOST).href });

describe("requests", () => {
  test("each table has the page, and the page its files", () => {
    expect(kept("/table/C4P-07?locale=es-US", "navigate")).toBe("/built/keypad.html");
    expect(kept("/built/keypad-x.js")).toBe("/built/keypad-x.js");
  });

  test("all else is left to the network: the API, other pages, other files, other hosts, what changes something", () => {
    for (const path of [
      "/v1/tables/C4P-07",
      "/v1/links/main",
      "/built/floor-x.js",
      "/built/keypad-x.js?1",
      "/assets/icon.png",
    ])
      expect(kept(path), path).toBeNull();
    expect(kept("/floor", "navigate")).toBeNull();
    expect(kept("/v1/table/", "navigate")).toBeNull();
    expect(kept("https://elsewhere.example/built/keypad-x.js")).toBeNull();
    expect(kept("/table/C4P-07", "navigate", "POST")).toBeNull();
    expect(kept("/built/toString")).toBeNull();
  });

  test("the caches of other builds are outdated, those of other pages are not", () => {
    const names = ["keypad b0", "keypad b1", "floor b0", "keypads b0"];
    expect(outdated(names, "keypad", "b1")).toEqual(["keypad b0"]);
    expect(cacheOf("keypad", "b1")).toBe("keypad b1");
  });
});

const answer = (text: string, status = 200) => new Response(text, { status });
const never = () => new Promise<never>(() => {});
const fails = () => Promise.reject(new TypeError("no network"));

describe("answers", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const textOf = async (asked: Promise<Response>, ms = 0) => {
    const text = asked.then(
      (response) => response.text(),
      (error: unknown) => String(error),
    );
    await vi.advanceTimersByTimeAsync(ms);
    return text;
  };

  test("the server's page wins if it comes in time", async () => {
    const late = () => new Promise<Response>((done) => setTimeout(done, PAGE_WAIT_MS - 1, answer("new")));
    expect(
      await textOf(
        pageAnswer(late, async () => answer("kept")),
        PAGE_WAIT_MS,
      ),
    ).toBe("new");
    // Not a refusal, but an answer that the page has to show.
    expect(
      await textOf(
        pageAnswer(
          async () => answer("gone", 404),
          async () => answer("kept"),
        ),
      ),
    ).toBe("gone");
  });

  test("the kept page is shown if the server is away, late, or in trouble", async () => {
    const page = async () => answer("kept");
    expect(await textOf(pageAnswer(fails, page))).toBe("kept");
    expect(await textOf(pageAnswer(never, page), PAGE_WAIT_MS)).toBe("kept");
    expect(await textOf(pageAnswer(async () => answer("bad gateway", 502), page))).toBe("kept");
  });

  test("a cache that is empty, fails or hangs leaves the page to the network", async () => {
    const late = () => new Promise<Response>((done) => setTimeout(done, 60_000, answer("late")));
    for (const cache of [async () => undefined, fails, never]) {
      expect(await textOf(pageAnswer(late, cache), 60_000)).toBe("late");
      expect(
        await textOf(
          pageAnswer(async () => answer("bad gateway", 502), cache),
          CACHE_WAIT_MS,
        ),
      ).toBe("bad gateway");
      expect(await textOf(pageAnswer(fails, cache), PAGE_WAIT_MS + CACHE_WAIT_MS)).toBe("TypeError: no network");
      expect(
        await textOf(
          fileAnswer(async () => answer("file"), cache),
          CACHE_WAIT_MS,
        ),
      ).toBe("file");
    }
    expect(await textOf(fileAnswer(fails, async () => answer("kept")))).toBe("kept");
  });
});

describe("the build", () => {
  const files = {
    "keypad.html": '<script src="/built/keypad-1.js"></script><link href="/built/keypad-2.css">',
    "keypad-1.js": 'import "./shared-3.js"; location.href = "/built/floor.html"',
    "shared-3.js": "export {}",
    "keypad-2.css": "@font-face { src: url(/built/plex-4.woff2) }",
    "plex-4.woff2": new Uint8Array([1, 2]),
    "floor.html": "",
    "floor-5.js": "",
  };

  test("a page's files are those that it names, directly or through others", () => {
    expect(filesOf("keypad.html", files)).toEqual([
      "keypad-1.js",
      "keypad-2.css",
      "keypad.html",
      "plex-4.woff2",
      "shared-3.js",
    ]);
  });

  test("the build changes with each file of the page, and with no other", async () => {
    const { build, files: listed } = await shellOf("keypad.html", files, "/built/");
    const changed = async (change: object) =>
      (await shellOf("keypad.html", { ...files, ...change }, "/built/")).build !== build;
    expect(await changed({ "floor-5.js": "other" })).toBe(false);
    expect(await changed({ "shared-3.js": "export { }" })).toBe(true);
    expect(await changed({ "plex-4.woff2": new Uint8Array([1, 3]) })).toBe(true);
    expect(listed["/built/shared-3.js"]).toMatch(/^sha256-.{43}=$/);
  });
});
