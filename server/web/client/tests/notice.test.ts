// Notices of hits that wait: what the worker shows, and what the browser and the API call a subscription.

import { describe, expect, test } from "vitest";
import { bytesOf, isOfKey, nameOf, requestOf } from "../src/floor/push-keys.js";
import { addressOf, noticeOf, readMessage, showsConsole } from "../src/worker/notice.js";

const KEY = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";

describe("a notice", () => {
  const message = { link: "main", table: "C4P-07", level: "mega", hit: "C4P-07.2" };

  test("names table, level, hit and link", () => {
    const { title, options } = noticeOf(readMessage(JSON.stringify(message)), "en-US");
    expect(title).toBe("A hit waits at C4P-07");
    expect(options).toMatchObject({ body: "Mega · C4P-07.2 · main", tag: "main C4P-07.2", data: { hit: "C4P-07.2" } });
    expect(noticeOf({ ...message, level: null }, "es-MX")).toMatchObject({
      title: "Un premio espera en C4P-07",
      options: { body: "C4P-07.2 · main" },
    });
  });

  test("is shown whatever came", () => {
    for (const text of ["", "{", "null", "[]", '"x"', '{"hit":7}', '{"link":"main","table":"T1"}']) {
      expect(readMessage(text), text).toBeNull();
    }
    expect(noticeOf(null, "en")).toMatchObject({
      title: "Something waits on the floor",
      options: { data: { hit: null } },
    });
  });

  test("opens its hit in the console", () => {
    expect([addressOf("C4P-07.2.1"), addressOf("a/b"), addressOf(null)]).toEqual([
      "/floor#hits/C4P-07.2.1",
      "/floor#hits/a%2Fb",
      "/floor",
    ]);
    const shows = [
      "https://floor.example/floor?locale=es#hits",
      "https://floor.example/floors",
      "https://floor.example/",
    ];
    expect(shows.map(showsConsole)).toEqual([true, false, false]);
  });
});

describe("a subscription", () => {
  test("is named by the SHA-256 of its endpoint", async () => {
    expect(await nameOf("test")).toBe("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08");
  });

  test("is sent with its keys, and not without", () => {
    const endpoint = "https://push.example/1";
    const keys = { p256dh: KEY, auth: "BTBZMqHH6r4Tts7J_aSIgg" };
    expect(requestOf({ endpoint, keys })).toEqual({ endpoint, ...keys });
    expect([requestOf({ endpoint }), requestOf({ keys }), requestOf({ endpoint, keys: { auth: "x" } })]).toEqual([
      null,
      null,
      null,
    ]);
  });

  test("is of the key that it was made with", () => {
    const applicationServerKey = bytesOf(KEY).buffer;
    expect(bytesOf(KEY).length).toBe(65);
    expect(isOfKey({ applicationServerKey }, KEY)).toBe(true);
    expect(isOfKey({ applicationServerKey }, KEY.replace("BCV", "BDV"))).toBe(false);
    expect(isOfKey({ applicationServerKey: null }, KEY)).toBe(false);
  });
});
