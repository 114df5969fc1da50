// One link: its title, its levels, its hits, and a mark if its data is stale.

import { Feed } from "./feed.js";
import { Hits, isJackpot, undone } from "./hits.js";
import { Level, accentOf } from "./level.js";
import { written } from "./money.js";
import { clock, counted, element, say } from "./text.js";

/** A win that was missed is still shown when it is no older than this. */
const RECENT_MS = 15_000;

/** Tables that are named when their progressive is unavailable; of more, how many. */
const LOST_NAMED = 3;

/** "C4P-01, C4P-02", or "C4P-01, C4P-02, C4P-03 and 4 more". */
function listed(names) {
  const named = names.slice(0, LOST_NAMED).join(", ");
  return names.length > LOST_NAMED ? `${named} and ${names.length - LOST_NAMED} more` : named;
}

/** "Crazy 4 Poker, Five-Card …" as its game and the rest. */
function headline(title) {
  const comma = title.indexOf(", ");
  return comma < 0 ? [title, ""] : [title.slice(0, comma), title.slice(comma + 2)];
}

/** A link and its element. */
export class Section {
  #title = element("h2", "title");
  #subtitle = element("p", "subtitle");
  #wager = element("span", "fact");
  #tables = element("span", "fact tables");
  #stale = element("p", "mark mark-stale");
  #state = element("p", "mark mark-state");
  #missed = element("p", "mark mark-unavailable");
  #levels = element("div", "levels");
  #hits = new Hits();
  #byName = new Map();
  #celebrated = new Set();
  #disabled = [];
  #unavailable = new Set();
  #feed;

  constructor(link) {
    const facts = element("p", "facts", "", this.#wager, this.#tables);
    const marks = element("div", "marks", "", this.#stale, this.#state, this.#missed);
    marks.setAttribute("role", "status");
    const head = element("header", "head", "", this.#title, facts, this.#subtitle);
    const board = element("div", "board", "", this.#levels, this.#hits.node);
    const inner = element("div", "inner", "", head, marks, board);
    this.node = element("section", "link is-waiting", "", inner);
    this.node.dataset.link = link.link;
    this.#name(link);
    this.#feed = new Feed(link.link, {
      hear: (message) => this.#hear(message),
      stale: (heardAt) => this.#lost(heardAt),
    });
  }

  /** Ends it: the link is gone. */
  close() {
    this.#feed.close();
    this.node.remove();
  }

  #name(link) {
    const [game, rest] = headline(link.title ?? link.link);
    say(this.#title, game);
    say(this.#subtitle, rest);
    say(this.#wager, `${written(link.wager)} wager`);
  }

  #hear(message) {
    switch (message.type) {
      case "snapshot":
        this.#begin(message);
        break;
      case "meters":
        this.#meters(message.levels);
        break;
      case "hit":
        this.#hits.add(message);
        this.#celebrate(message);
        break;
      case "hit_changed":
        this.#change(message);
        break;
      case "link_state":
        this.#stand(message);
        break;
      case "table_state":
        this.#serve(message);
        break;
      default:
        // Single payouts change nothing here: a hit is paid when all of its payouts are, and
        // hit_changed reports that.
        break;
    }
  }

  #begin(snapshot) {
    this.#name(snapshot);
    const tables = snapshot.tables ?? [];
    say(this.#tables, counted(tables.length, "table"));
    this.#tables.title = tables.map((it) => it.table).join(", ");
    this.#unavailable = new Set(tables.filter((it) => it.state !== "in_service").map((it) => it.table));
    this.#miss();
    this.#meters(snapshot.levels);
    this.#stand(snapshot);
    const accents = new Map([...this.#byName].map(([name, level]) => [name, level.accent]));
    this.#hits.replace(snapshot.hits ?? [], accents);
    for (const hit of [...(snapshot.hits ?? [])].reverse()) {
      this.#byName.get(hit.level)?.changed(hit);
      const age = Date.parse(snapshot.at) - Date.parse(hit.at);
      if (age <= RECENT_MS) this.#celebrate(hit);
    }
    this.node.classList.remove("is-waiting", "is-stale");
    say(this.#stale, "");
  }

  #meters(levels) {
    const same = levels.length === this.#byName.size && levels.every((it) => this.#byName.has(it.level));
    if (!same) this.#lay(levels);
    for (const { level, amount } of levels) this.#byName.get(level).confirm(amount);
  }

  #lay(levels) {
    const made = levels.map((it, index) => {
      return new Level(it.level, accentOf(it.level, index, levels.length));
    });
    this.#byName = new Map(made.map((level) => [level.name, level]));
    const [first, ...others] = made.map((level) => level.node);
    this.#levels.replaceChildren(first ?? "", ...(others.length > 0 ? [element("div", "rest", "", ...others)] : []));
  }

  #celebrate(hit) {
    if (!isJackpot(hit) || undone(hit.state) || this.#celebrated.has(hit.hit)) return;
    this.#celebrated.add(hit.hit);
    this.#byName.get(hit.level)?.celebrate(hit);
  }

  #change({ hit: name, state, due }) {
    const hit = this.#hits.find(name);
    this.#hits.change(name, state, due);
    if (hit) this.#byName.get(hit.level)?.changed(hit);
  }

  /** How the link stands; a message that says nothing of levels leaves them as they are. */
  #stand({ state, reason, disabled }) {
    const open = state === "open";
    this.node.classList.toggle("is-closed", !open);
    this.#state.dataset.state = state;
    say(this.#state, open ? "" : `${state.toUpperCase()} — ${reason || "no reason was given"}`);
    this.#disabled = disabled ?? this.#disabled;
    for (const [name, level] of this.#byName) level.disable(this.#disabled.includes(name));
  }

  /** Takes whether a table is in service. */
  #serve({ table, state }) {
    if (state === "unavailable") this.#unavailable.add(table);
    else this.#unavailable.delete(table);
    this.#miss();
  }

  #miss() {
    const names = [...this.#unavailable].sort();
    say(this.#missed, names.length > 0 ? `UNAVAILABLE — ${listed(names)} — no progressive there` : "");
  }

  #lost(heardAt) {
    this.node.classList.add("is-stale");
    say(this.#stale, heardAt ? `STALE — last heard ${clock(heardAt)}` : "STALE — not heard yet");
  }
}
