// What each page weighs with all that it loads, compressed.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch } from "../scripts/browser.mjs";
import { TABLES } from "../scripts/house.mjs";
import { VIEWS, WEIGHT_MOST, loadView, weightOf } from "../scripts/pages.mjs";
import { startFoundation } from "./foundation.mjs";

let ground;
let browser;
before(async () => {
  ground = await startFoundation();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await ground?.close();
});

test("each page is light enough, in its heaviest views", async (t) => {
  for (const view of VIEWS) {
    const token = view.name === "keypad" ? ground.house.tokens[TABLES[0]] : "";
    const { files } = await loadView(browser, ground.url, view, { token });
    const { gzip } = weightOf(files);
    t.diagnostic(`${view.name}: ${gzip} bytes by gzip`);
    assert.ok(files.size > 1, `${view.name} was loaded`);
    assert.ok(gzip <= WEIGHT_MOST, `${view.name} weighs ${gzip} bytes`);
  }
});
