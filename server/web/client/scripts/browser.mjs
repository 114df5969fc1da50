// The browser of the scripts and the tests: Debian's Chromium, or the one that CHROMIUM names, without a GPU.

import { chromium } from "playwright-core";

export const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
export const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

export function launch() {
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}
