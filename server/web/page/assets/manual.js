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
const named = decoded(location.pathname.split("/")[2] ?? "");

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

/** Heads of tables of sentences. A narrow screen shows their rows as blocks; tables of pays stay tables. */
const PROSE = new Set(["Source", "Notes", "Not in the source", "Level"]);
/** Columns of a table of pays that a narrow screen shows side by side, at most. */
const COLUMNS_NARROW = 3;

/**
 * A table. A cell that is a heading of the page leads there. A row of one cell is the head of the rows below it, and the
 * last cell of a short row is for all columns that are left.
 */
function table(rows, headings) {
  const [head, ...others] = rows;
  const isProse = head.some((text) => PROSE.has(text));
  const cell = (text, column, cells) => {
    const made = headings.has(text)
      ? element("td", "", "", link(text, `#${anchor(text)}`))
      : element("td", "", text);
    made.dataset.head = column === 0 ? "" : head[column] ?? "";
    const isLast = column === cells.length - 1;
    if (isLast && cells.length < head.length) made.colSpan = head.length - column;
    else if (column > 0) made.dataset.column = String(column);
    return made;
  };
  const row = (cells) => {
    if (cells.length > 1 || head.length === 1) return element("tr", "", "", ...cells.map(cell));
    const below = element("th", "", cells[0]);
    below.scope = "rowgroup";
    below.colSpan = head.length;
    return element("tr", "below", "", below);
  };
  const titles = head.map((text, column) => {
    const made = element("th", "", text);
    if (column > 0) made.dataset.column = String(column);
    return made;
  });
  const body = element("tbody", "", "", ...others.map(row));
  const made = element("table", isProse ? "prose" : "pays", "", element("thead", "", "", element("tr", "", "", ...titles)), body);
  // A narrow screen shows it above the blocks.
  if (isProse && head[0]) made.dataset.head = head[0];
  const box = element("div", "wide", "", made);
  return isProse || head.length <= COLUMNS_NARROW ? [box] : [choice(head.slice(1), made), box];
}

/** The buttons for the column that a narrow screen shows beside the lines. */
function choice(names, of) {
  const buttons = names.map((name, index) => {
    const made = element("button", "", name.replace("Paytable ", ""));
    made.type = "button";
    made.setAttribute("aria-label", name);
    made.addEventListener("click", () => choose(index));
    return made;
  });
  const choose = (chosen) => {
    buttons.forEach((button, index) => button.setAttribute("aria-pressed", String(index === chosen)));
    for (const cell of of.querySelectorAll("[data-column]")) {
      cell.classList.toggle("unchosen", Number(cell.dataset.column) !== chosen + 1);
    }
  };
  choose(0);
  const made = element("div", "choice", "", ...buttons);
  made.setAttribute("role", "group");
  made.setAttribute("aria-label", "Table shown");
  return made;
}

/** Lines that are aligned in columns, as tables: an empty line is between two tables, and two spaces between two cells. */
function aligned(text, heading, headings) {
  const blocks = text.trimEnd().split(/\n\n+/).map((block) => block.split("\n").map((line) => line.trim().split(/ {2,}/)));
  return blocks.flatMap((rows) => {
    const columns = Math.max(...rows.map((cells) => cells.length));
    const lines = rows.map(([line]) => line).filter((line) => line !== heading);
    if (columns === 1) return lines.map((line) => element("p", "line", line));
    // Facts have no head: each of their lines begins with its name.
    const isFacts = rows[0][0] === "Source";
    const whole = isFacts ? [[], ...rows] : rows;
    const made = table(whole.map((cells) => padded(cells, columns)), headings);
    if (isFacts) {
      const facts = made.at(-1).firstElementChild;
      facts.className = "facts";
      facts.tHead.remove();
    }
    return made;
  });
}

/** A row with so many cells. */
function padded(cells, columns) {
  return [...cells, ...Array(columns - cells.length).fill("")];
}

/** A part of the page: its heading, its table and its lines. */
function section(part, headings) {
  const heading = element("h2", "", part.heading);
  heading.id = anchor(part.heading);
  const made = [heading];
  if (part.table) made.push(...table(part.table, headings));
  if (part.columns) made.push(...aligned(part.columns, part.heading, headings));
  return element("section", "", "", ...made);
}

/** The links to all parts: folded where they would fill the screen. */
function contents(parts) {
  const items = parts.map((it) => element("li", "", "", link(it.heading, `#${anchor(it.heading)}`)));
  const made = element("details", "contents", "", element("summary", "", "Contents"), element("ul", "", "", ...items));
  made.open = matchMedia("(min-width: 48rem)").matches;
  return made;
}

/** What finds the words of a search in a text: each begins a word, in this order, with at most two other words between. */
function pattern(words) {
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`(?<![\\p{L}\\p{N}])${escaped.join("[\\p{L}\\p{N}]*(?:[^\\p{L}\\p{N}]+[\\p{L}\\p{N}]+){0,2}?[^\\p{L}\\p{N}]+")}`, "giu");
}

/** How well a part answers a search: 2 by its heading, 1 by a cell or a line, 0 not at all. */
function finds(part, words) {
  if (words.length === 0) return 1;
  const found = pattern(words);
  const has = (text) => text.search(found) >= 0;
  if (has(part.heading)) return 2;
  const lines = (part.columns ?? "").split("\n").flatMap((line) => line.trim().split(/ {2,}/));
  return [...(part.table ?? []).flat(), ...lines].some(has) ? 1 : 0;
}

/** Marks the words of a search in these elements, where the browser can. */
function mark(elements, words) {
  if (!CSS.highlights) return;
  const ranges = words.length === 0 ? [] : elements.flatMap((it) => rangesIn(it, pattern(words)));
  CSS.highlights.set("found", new Highlight(...ranges));
}

function rangesIn(within, found) {
  const texts = document.createTreeWalker(within, NodeFilter.SHOW_TEXT);
  const ranges = [];
  while (texts.nextNode()) {
    for (const hit of texts.currentNode.data.matchAll(found)) {
      const range = new Range();
      range.setStart(texts.currentNode, hit.index);
      range.setEnd(texts.currentNode, hit.index + hit[0].length);
      ranges.push(range);
    }
  }
  return ranges;
}

/** "1 part", "2 parts". */
function counted(count) {
  return `${count} ${count === 1 ? "part" : "parts"}`;
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
  const links = contents(found.parts);
  const search = searchBox("Search this page", async (words) => {
    const hits = found.parts.map((part) => finds(part, words));
    // What is found in headings stands first.
    const inHeadings = words.length > 0 ? sections.filter((_, index) => hits[index] === 2) : [];
    const others = sections.filter((it) => !inHeadings.includes(it));
    links.after(...inHeadings, ...others);
    hits.forEach((hit, index) => { sections[index].hidden = hit === 0; });
    mark(sections.filter((it) => !it.hidden), words);
    return words.length === 0 ? "" : `${hits.filter(Boolean).length} of ${counted(hits.length)}`;
  });
  page.replaceChildren(element("h1", "", found.title), search, links, ...sections);
  // A link to a part that a search hides shows it.
  const reveal = () => {
    const named = document.getElementById(decoded(location.hash.slice(1)));
    const part = named?.closest("section");
    if (part) part.hidden = false;
    named?.scrollIntoView();
  };
  page.addEventListener("click", (event) => {
    const leads = event.target.closest("a")?.hash;
    // The address may not change, if the link was followed before.
    if (leads && leads === location.hash) reveal();
  });
  addEventListener("hashchange", reveal);
  // The part that the address names exists only now.
  reveal();
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
    })).flatMap((game) => game.parts.map((part) => ({ game, part, rank: finds(part, words) })));
    const ranked = parts.filter((it) => it.rank > 0).sort((one, other) => other.rank - one.rank);
    hits.replaceChildren(...ranked.map(({ game, part }) => {
      const text = `${game.title}: ${part.heading}`;
      return element("li", "", "", link(text, `${address(game.game)}#${anchor(part.heading)}`));
    }));
    mark([hits], words);
    return counted(ranked.length);
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
    const found = (await read("/v1/manual")).games.sort((one, other) => one.title.localeCompare(other.title));
    // A game may be called by its title too.
    const wanted = found.find((it) => it.game !== named && anchor(it.title) === named)?.game ?? named;
    games.replaceChildren(...found.map((it) => link(it.title, address(it.game), it.game === wanted)));
    if (wanted) show(await read(address(wanted, "/v1")));
    else list(found);
  } catch (error) {
    notice.textContent = failure(error);
  }
}

start();
