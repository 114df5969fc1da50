// The entry of the front page: it leads each role to its place, and in a demo explains what happens.

import { signal } from "@preact/signals";
import { render } from "preact";
import { useEffect } from "preact/hooks";
import { api, dataOf, type Schema } from "../api/client.js";
import "../staff/base.css";
import { pageLocale } from "../staff/staff.js";
import { frontTextsOf } from "../text/front.js";
import { loadProblems } from "../text/problems.js";
import { type Demo, findDemo } from "./demo.js";
import { DemoPage } from "./demo-page.js";
import "./front.css";
import { PlainPage } from "./plain-page.js";

export type Link = Schema<"Link">;

/** Interval of the amounts, and of questions that had no answer. */
const EVERY_MS = 2_000;

/** The demo's offer; null until it is known if there is one. */
const demo = signal<Demo | "none" | "later" | null>(null);
const links = signal<Link[] | null>(null);
const reachable = signal(true);

async function ask(): Promise<void> {
  try {
    if (demo.value === null || demo.value === "later") demo.value = await findDemo();
    links.value = (await dataOf(api.GET("/v1/links"))).links;
    reachable.value = true;
  } catch {
    reachable.value = false;
  } finally {
    setTimeout(() => void ask(), EVERY_MS);
  }
}

function Front() {
  const locale = pageLocale();
  const t = frontTextsOf(locale);
  useEffect(() => {
    document.documentElement.lang = locale;
    void loadProblems(locale);
    void ask();
  }, []);
  const offer = demo.value;
  if (offer === null)
    return (
      <main class="front" aria-busy="true">
        {!reachable.value && <p role="alert">{t.noAnswer}</p>}
      </main>
    );
  const page = { t, locale, links: links.value ?? [], reachable: reachable.value };
  return typeof offer === "object" ? (
    <DemoPage {...page} demo={offer} />
  ) : (
    <PlainPage {...page} known={links.value !== null} />
  );
}

render(<Front />, document.body);
