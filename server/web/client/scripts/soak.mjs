// Watches one sign for minutes in front of a real server: memory and elements must not grow. Then the server is stopped
// from outside, or not, and the time until the stale mark is printed.
//
//   node scripts/soak.mjs http://127.0.0.1:PORT [SECONDS] [PID OF THE SERVER TO STOP]

import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { startProxy } from "./static.mjs";

const [server, seconds = "60", pid] = process.argv.slice(2);
const built = join(dirname(fileURLToPath(import.meta.url)), "../../page/built");
const proxy = await startProxy(built, server);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"],
});
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  page.on("pageerror", (error) => console.error("FAULT", String(error)));
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  await page.goto(`${proxy.url}/sign/main`);
  for (let sample = 0; sample < 4; sample += 1) {
    await page.waitForTimeout((Number(seconds) * 1000) / 4);
    await session.send("HeapProfiler.collectGarbage");
    const { metrics } = await session.send("Performance.getMetrics");
    const value = (name) => metrics.find((row) => row.name === name).value;
    const shown = await page.evaluate(() =>
      [...document.querySelectorAll(".amount")].map((row) => row.getAttribute("aria-label")).join(" "),
    );
    console.log(
      `${(value("JSHeapUsedSize") / 1e6).toFixed(2)} MB, ${value("Nodes")} nodes, ${value("JSEventListeners")} listeners, ${shown}`,
    );
  }
  if (pid) {
    process.kill(Number(pid), "SIGKILL");
    const began = Date.now();
    await page.waitForSelector(".stale-mark", { timeout: 10_000 });
    console.log(`stale mark after ${Date.now() - began} ms: ${await page.textContent(".stale-mark")}`);
    const other = await browser.newPage();
    await other.goto(`${proxy.url}/sign/main`);
    await other.waitForSelector(".message", { timeout: 10_000 });
    console.log(`a new page says: ${await other.textContent(".message .line")}`);
  }
} finally {
  await browser.close();
  proxy.close();
}
