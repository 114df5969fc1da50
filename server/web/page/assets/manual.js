// The manual: a page for each game, as the server makes it from its paytables.

/** An element with a class, a text and children. */
function element(name, className = "", content = "", ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (content) made.textContent = content;
  made.append(...children);
  return made;
}

const ANSWER_MS = 10_000;

const games = document.getElementById("games");
const page = document.getElementById("page");
const notice = document.getElementById("notice");

/** A part of an address as it was written; as it stands where that can't be read. */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The game that this address names; none at `/manual`. */
const wanted = decoded(location.pathname.split("/")[2] ?? "");

async function read(path) {
  const answer = await fetch(path, { cache: "no-store", signal: AbortSignal.timeout(ANSWER_MS) });
  const body = await answer.json().catch(() => ({}));
  if (["unknown_game", "invalid_name"].includes(body.code)) throw new Error("there is no such game: choose one above");
  if (!answer.ok) throw new Error(`${body.title ?? answer.status}: load this page again in a moment`);
  return body;
}

function link(text, href, isHere = false) {
  const made = element("a", "", text);
  made.href = href;
  if (isHere) made.setAttribute("aria-current", "page");
  return made;
}

function address(game) {
  return `/manual/${encodeURIComponent(game)}`;
}

/** A table; a cell that is a heading of the page leads there. */
function table(rows, headings) {
  const row = (cells, name) => {
    const made = cells.map((cell) => {
      if (name === "td" && headings.has(cell)) return element(name, "", "", link(cell, `#${cell}`));
      return element(name, "", cell);
    });
    return element("tr", "", "", ...made);
  };
  const [head, ...others] = rows;
  const body = element("tbody", "", "", ...others.map((cells) => row(cells, "td")));
  const made = element("table", "", "", element("thead", "", "", row(head, "th")), body);
  return element("div", "wide", "", made);
}

function show(found) {
  document.title = `${found.title}: Meterhouse manual`;
  const headings = new Set(found.parts.map((it) => it.heading));
  const parts = found.parts.flatMap((part) => {
    const heading = element("h2", "", part.heading);
    heading.id = part.heading;
    const made = [heading];
    if (part.table) made.push(table(part.table, headings));
    if (part.columns) made.push(element("pre", "wide", part.columns));
    return made;
  });
  page.replaceChildren(element("h1", "", found.title), ...parts);
  // The part that the address names exists only now.
  const named = document.getElementById(decoded(location.hash.slice(1)));
  named?.scrollIntoView();
}

/** The list of games, where no game is named. */
function list(found) {
  if (found.length === 0) {
    notice.textContent = "this server has no paytable";
    return;
  }
  const items = found.map((it) => element("li", "", "", link(it.title, address(it.game))));
  page.replaceChildren(element("h1", "", "Games"), element("ul", "", "", ...items));
}

async function start() {
  try {
    const found = (await read("/v1/manual")).games;
    games.replaceChildren(...found.map((it) => link(it.title, address(it.game), it.game === wanted)));
    if (wanted) show(await read(`/v1/manual/${encodeURIComponent(wanted)}`));
    else list(found);
  } catch (error) {
    // Without an answer there is no text from the server, only the browser's.
    notice.textContent = error instanceof TypeError || error.name === "TimeoutError"
      ? "this server isn't answering: load this page again in a moment"
      : error.message;
    console.warn(error);
  }
}

start();
