// Themes of the house: a manager makes one with a logo in the office, gives it to a link, and the sign that runs takes it
// over. What is wrong is said where the person looks, and nothing that was typed is lost.

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { LINK } from "../scripts/house.mjs";
import { WAIT_MS, fillLogin, openAs, startFoundation } from "./foundation.mjs";

let ground;
before(async () => {
  ground = await startFoundation([]);
});
afterEach(() => ground.browser.closePages());
after(() => ground?.close());

/** A PNG of one colour, drawn by the browser itself. */
async function drawPng(page, width, height) {
  const bytes = await page.evaluate(
    async ([width, height]) => {
      const canvas = Object.assign(document.createElement("canvas"), { width, height });
      const context = canvas.getContext("2d");
      context.fillStyle = "#d9a94a";
      context.fillRect(0, 0, width, height);
      context.fillStyle = "#101820";
      context.fillRect(width / 4, height / 4, width / 2, height / 2);
      const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
      return [...new Uint8Array(await blob.arrayBuffer())];
    },
    [width, height],
  );
  return Buffer.from(bytes);
}

/** Opens a view of the office as a manager. */
const open = (path) => openAs(ground.browser, "max", path, { viewport: { width: 1440, height: 900 } });

/** The preview of a page, once it shows amounts. */
async function preview(page) {
  const frame = page.frameLocator(".preview-frame iframe");
  await frame.locator(".amount").first().waitFor();
  return frame;
}

const choose = (page, kind, name, mimeType, buffer) =>
  page.locator(`[data-picture=${kind}] input[type=file]`).setInputFiles({ name, mimeType, buffer });

test("a theme with a logo goes from the office to a sign that runs", async () => {
  const sign = await ground.browser.open({ viewport: { width: 1920, height: 1080 } });
  await sign.goto(`/sign/${LINK}`);
  await sign.locator(".amount").first().waitFor();
  await sign.evaluate(() => (window.notReloaded = true));

  const page = await open("/office/themes/new/make");
  await page.locator('[name="theme"]').fill("crown-room");
  await page.locator('[name="name"]').fill("Crown Room");
  await page.locator('[name="levels[0].name"]').fill("Grand");
  await page.locator('[name="levels[0].colour"]').fill("#ffd98a");
  await page.locator('[name="colours.ground"]').fill("#2a1030");
  const shown = await preview(page);
  await shown.locator(".name", { hasText: "Grand" }).waitFor();
  assert.equal(await shown.locator(".link-name").innerText(), "CROWN ROOM");
  await page.getByRole("radio", { name: "Pending" }).check({ force: true });
  await shown.locator(".tag.pending").waitFor();
  await page.getByRole("radio", { name: "Not live" }).check({ force: true });
  await shown.locator(".stale-mark").waitFor();
  await page.getByRole("button", { name: "Save the theme" }).click();
  await page.waitForURL("**/office/themes/crown-room");

  await choose(page, "logo", "logo.png", "image/png", await drawPng(page, 640, 160));
  await page.locator("[data-picture=logo] img").waitFor();
  await page.getByRole("radio", { name: "Amounts" }).check({ force: true });
  await (await preview(page)).locator("img.logo").waitFor();

  await page.goto(`/office/links/${LINK}`);
  const card = page.locator(".card", { has: page.getByRole("heading", { name: "On the signs" }) });
  await card.getByRole("button", { name: "Change…" }).click();
  await page.locator("dialog[open] select[name=theme]").selectOption("crown-room");
  await page.locator("dialog[open] button[type=submit]").click();

  await sign.locator("img.logo").waitFor();
  assert.equal(await sign.locator("img.logo").evaluate((logo) => logo.naturalWidth), 640);
  await sign.locator(".name", { hasText: "Grand" }).waitFor();
  const groundOf = () => document.documentElement.style.getPropertyValue("--ground-centre");
  assert.equal(await sign.evaluate(groundOf), "#2a1030");

  // A change of the theme alone reaches the sign too.
  await page.goto("/office/themes/crown-room");
  await page.locator('[name="levels[0].name"]').fill("Royal");
  await page.getByRole("button", { name: "Save the theme" }).click();
  await sign.locator(".name", { hasText: "Royal" }).waitFor();
  assert.equal(await sign.evaluate(() => window.notReloaded), true);

  // A theme in use is not deleted, and the reason is in the question.
  await page.getByRole("button", { name: "Delete…" }).click();
  await page.getByRole("button", { name: "Delete the theme" }).click();
  await page.locator("dialog[open] [role=alert]", { hasText: LINK }).waitFor();
});

test("what is wrong is said at its field, and nothing is lost", async () => {
  const page = await open("/office/themes/new/make");
  const html = "<img src=x onerror=alert(1)>";
  await page.locator('[name="theme"]').fill("night-room");
  for (const field of ["name", "locale", "levels[0].name", "levels[1].name", "colours.text", "levels[2].colour"])
    await page.locator(`[name="${field}"]`).fill(html);
  await page.getByRole("button", { name: "Save the theme" }).click();
  for (const field of ["name", "locale", "levels[0].name", "levels[1].name", "colours.text", "levels[2].colour"]) {
    await page.locator(`[data-field="${field}"] .wrong-text`).waitFor();
    assert.equal(await page.locator(`[name="${field}"]`).inputValue(), html);
  }
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("name")), "name");
  // The text is a text wherever it is shown.
  const shown = await preview(page);
  assert.equal(await shown.locator("img").count(), 0);

  for (const field of ["name", "locale", "levels[0].name", "levels[1].name", "levels[2].colour"])
    await page.locator(`[name="${field}"]`).fill("");
  await page.locator('[name="colours.text"]').fill("#888888");
  await page.locator('[data-field="colours.text"] .contrast.low').waitFor();
  await page.getByRole("button", { name: "Save the theme" }).click();
  await page.locator(".theme-side [role=alert]", { hasText: "needs 7.00:1" }).waitFor();
  await page.locator('[data-field="colours.text"] .wrong-text').waitFor();

  // A reload and a lost session keep what was typed.
  await page.locator('[name="name"]').fill("Night Room");
  await page.reload();
  await page.locator('[name="name"]').waitFor();
  assert.equal(await page.locator('[name="name"]').inputValue(), "Night Room");
  await page.locator('[name="colours.text"]').fill("");
  await page.context().clearCookies();
  await page.getByRole("button", { name: "Save the theme" }).click();
  await page.locator(".login-cover input[type=password]").waitFor();
  assert.equal(await page.locator('[name="name"]').inputValue(), "Night Room");
  await fillLogin(page, "max");
  await page.locator(".login-cover").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Save the theme" }).click();
  await page.waitForURL("**/office/themes/night-room", { timeout: WAIT_MS });
  assert.equal(await page.locator('[name="name"]').inputValue(), "Night Room");
});

test("a file that is no picture is refused where it was chosen", async () => {
  const manager = await ground.house.as("max");
  await manager("PUT", "/v1/themes/file-room", { base: "neon" });
  const page = await open("/office/themes/file-room");
  const logo = page.locator("[data-picture=logo]");
  await logo.waitFor();
  await page.locator('[name="name"]').fill("File Room");
  const png = await drawPng(page, 64, 64);
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  for (const [name, type, file, told] of [
    ["logo.svg", "image/svg+xml", svg, "no PNG, JPEG or WebP"],
    ["logo.png", "image/png", png.subarray(0, 60), "can't be read as a picture"],
    ["logo.png", "image/png", Buffer.alloc(4 * 1024 * 1024 + 1), "too large"],
  ]) {
    await choose(page, "logo", name, type, file);
    await logo.locator("[role=alert]", { hasText: told }).waitFor();
  }
  await choose(page, "logo", "logo.png", "image/png", png);
  await logo.locator("img").waitFor();
  assert.equal(await logo.locator("[role=alert]").count(), 0);
  await choose(page, "background", "hall.png", "image/png", png);
  await page.locator("[data-picture=background] .hint", { hasText: "shown at" }).waitFor();
  await (await preview(page)).locator("img.ground-picture").waitFor();
  assert.equal(await page.locator('[name="name"]').inputValue(), "File Room");
});

test("a sign goes on with the last good theme", async () => {
  const manager = await ground.house.as("max");
  await manager("PUT", "/v1/themes/last-room", { base: "heritage", levels: [{ name: "First" }] });
  await manager("PUT", `/v1/links/${LINK}/presentation`, { theme: "last-room" });
  const sign = await ground.browser.open({ viewport: { width: 1080, height: 1920 } });
  await sign.goto(`/sign/${LINK}`);
  await sign.locator(".name", { hasText: "First" }).waitFor();
  let asked = 0;
  await sign.route("**/v1/themes/**", (route) => {
    asked += 1;
    return route.abort();
  });
  await manager("PUT", "/v1/themes/last-room", { base: "heritage", levels: [{ name: "Second" }] });
  await sign.waitForRequest("**/v1/themes/last-room");
  assert.equal(await sign.locator(".name", { hasText: "First" }).count(), 1);
  assert.ok(asked > 0);
  await sign.unroute("**/v1/themes/**");
  await sign.locator(".name", { hasText: "Second" }).waitFor();
});
