// The page: the open links, and a section for each.

import { Section } from "./section.js";
import { say } from "./text.js";

const ASK_MS = 5000;
const ANSWER_MS = 4000;

const sections = new Map();
const links = document.getElementById("links");
const notice = document.getElementById("notice");
const noticeTitle = document.getElementById("notice-title");
const noticeHint = document.getElementById("notice-hint");

/** A sign may be for some links only: `/?link=main&link=hand-bonus`. */
const wanted = new URLSearchParams(location.search).getAll("link");

function tell(title, hint) {
  say(noticeTitle, title);
  say(noticeHint, hint);
}

function show(found) {
  const open = found.filter((it) => wanted.length === 0 || wanted.includes(it.link));
  const names = new Set(open.map((it) => it.link));
  for (const [name, section] of sections) {
    if (names.has(name)) continue;
    section.close();
    sections.delete(name);
  }
  for (const link of open) {
    if (sections.has(link.link)) continue;
    const section = new Section(link);
    sections.set(link.link, section);
    links.append(section.node);
  }
  // The style sheet divides the screen by this number.
  document.documentElement.dataset.links = String(sections.size);
  notice.hidden = sections.size > 0;
  if (wanted.length > 0) tell("this link is not open", `this sign is for ${wanted.join(", ")}`);
  else tell("no link is open yet", "it appears here by itself as soon as one is opened");
}

async function allLinks() {
  const links = [];
  for (let after = ""; ; ) {
    const path = `/v1/links?limit=200${after}`;
    const answer = await fetch(path, { cache: "no-store", signal: AbortSignal.timeout(ANSWER_MS) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    const page = await answer.json();
    links.push(...page.links);
    if (!page.more) return links;
    after = `&after=${encodeURIComponent(page.next)}`;
  }
}

async function ask() {
  try {
    show(await allLinks());
  } catch (error) {
    // Each section detects that it is stale; only an empty page has to say so here.
    tell("no answer", "this server isn't answering; asking again every few seconds");
    console.warn(error);
  }
  setTimeout(ask, ASK_MS);
}

/** How wide this system's digits are, for the style sheet: amounts fill their place with any font. */
function measureDigits() {
  const probe = document.createElement("span");
  probe.className = "probe";
  probe.textContent = "0".repeat(10);
  document.body.append(probe);
  const size = Number.parseFloat(getComputedStyle(probe).fontSize);
  const width = probe.getBoundingClientRect().width / 10 / size;
  probe.remove();
  if (width > 0) document.documentElement.style.setProperty("--digit", width.toFixed(4));
}

measureDigits();
ask();
