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

function address(game, under = "") {
  return `${under}/manual/${encodeURIComponent(game)}`;
}

/** The address of a heading within its page. */
function anchor(heading) {
  return heading.toLowerCase().replaceAll(" ", "-").replace(/[^\p{L}\p{N}-]/gu, "");
}

/** A table; a cell that is a heading of the page leads there. On a narrow screen each cell shows its column's head. */
function table(rows, headings) {
  const [head, ...others] = rows;
  const cell = (text, column) => {
    const made = headings.has(text)
      ? element("td", "", "", link(text, `#${anchor(text)}`))
      : element("td", "", text);
    made.dataset.head = column === 0 ? "" : head[column] ?? "";
    return made;
  };
  const titles = element("tr", "", "", ...head.map((text) => element("th", "", text)));
  const body = others.map((cells) => element("tr", "", "", ...cells.map(cell)));
  const made = element("table", "", "", element("thead", "", "", titles), element("tbody", "", "", ...body));
  return element("div", "wide", "", made);
}

/** A part of the page: its heading, its table and its lines. */
function section(part, headings) {
  const heading = element("h2", "", part.heading);
  heading.id = anchor(part.heading);
  const made = [heading];
  if (part.table) made.push(table(part.table, headings));
  if (part.columns) made.push(element("pre", "wide", part.columns));
  return element("section", "", "", ...made);
}

/** The links to all parts: folded where they would fill the screen. */
function contents(parts) {
  const items = parts.map((it) => element("li", "", "", link(it.heading, `#${anchor(it.heading)}`)));
  const made = element("details", "contents", "", element("summary", "", "Contents"), element("ul", "", "", ...items));
  made.open = matchMedia("(min-width: 48rem)").matches;
  return made;
}

/** True if a part has all words of a search. */
function finds(part, words) {
  const cells = (part.table ?? []).flat();
  const text = [part.heading, part.columns ?? "", ...cells].join(" ").toLowerCase();
  return words.every((word) => text.includes(word));
}

/** A search box; `search` gets the words and returns the sentence below the box, or nothing. */
function searchBox(label, search) {
  const box = element("input", "search");
  box.type = "search";
  box.placeholder = label;
  box.setAttribute("aria-label", label);
  const found = element("p", "found");
  found.setAttribute("role", "status");
  box.addEventListener("input", async () => {
    const typed = box.value;
    const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
    const says = await search(words).catch(failure);
    // An answer to an earlier text comes too late.
    if (box.value === typed) found.textContent = says ?? "";
  });
  return element("div", "searching", "", box, found);
}

function show(found) {
  document.title = `${found.title}: Meterhouse manual`;
  const headings = new Set(found.parts.map((it) => it.heading));
  const sections = found.parts.map((part) => section(part, headings));
  const search = searchBox("Search this page", async (words) => {
    const hits = found.parts.map((part) => finds(part, words));
    hits.forEach((hit, index) => { sections[index].hidden = !hit; });
    return words.length === 0 ? "" : `${hits.filter(Boolean).length} of ${hits.length} parts`;
  });
  page.replaceChildren(element("h1", "", found.title), search, contents(found.parts), ...sections);
  // The part that the address names exists only now.
  const named = document.getElementById(decoded(location.hash.slice(1)));
  named?.scrollIntoView();
}

/** The list of games, where no game is named, with a search in all their pages. */
function list(found) {
  if (found.length === 0) {
    notice.textContent = "this server has no paytable";
    return;
  }
  const all = element("ul", "", "", ...found.map((it) => element("li", "", "", link(it.title, address(it.game)))));
  const hits = element("ul");
  let pages;
  const search = searchBox("Search all games", async (words) => {
    all.hidden = words.length > 0;
    hits.hidden = words.length === 0;
    if (words.length === 0) return "";
    pages ??= Promise.all(found.map((it) => read(address(it.game, "/v1"))));
    const parts = (await pages.catch((error) => {
      pages = undefined;
      throw error;
    })).flatMap((game) => game.parts.filter((part) => finds(part, words)).map((part) => ({ game, part })));
    hits.replaceChildren(...parts.map(({ game, part }) => {
      const text = `${game.title}: ${part.heading}`;
      return element("li", "", "", link(text, `${address(game.game)}#${anchor(part.heading)}`));
    }));
    return `${parts.length} parts`;
  });
  page.replaceChildren(element("h1", "", "Games"), search, all, hits);
}

/** The sentence for an answer that didn't come. */
function failure(error) {
  console.warn(error);
  // Without an answer there is no text from the server, only the browser's.
  return error instanceof TypeError || error.name === "TimeoutError"
    ? "this server isn't answering: load this page again in a moment"
    : error.message;
}

async function start() {
  try {
    const found = (await read("/v1/manual")).games;
    games.replaceChildren(...found.map((it) => link(it.title, address(it.game), it.game === wanted)));
    if (wanted) show(await read(address(wanted, "/v1")));
    else list(found);
  } catch (error) {
    notice.textContent = failure(error);
  }
}

start();
