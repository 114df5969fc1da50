// The last hits of a link: shares of a level on top, fixed pays smaller below.

import { cents, dollars, written } from "./money.js";
import { element, moment, words } from "./text.js";

/** As many as a snapshot brings: the last 25 have to be at hand. */
const KEPT = 25;
/** Shares of a level stay while fixed pays come; the style sheet shows as many as there is room for. */
const JACKPOTS_KEPT = 4;

const STATES = {
  pending: "pending",
  validated_by_rule: "validated",
  validated: "validated",
  paid: "paid",
};

/** Whether a hit is won no more; why is not told here. */
export const undone = (state) => state === "undone";

/** A hit's state in a word. */
export const stateWord = (state) => STATES[state] ?? words(state).toLowerCase();

/** Whether a hit pays a share of a level. */
export const isJackpot = (hit) => hit.level !== null && hit.level !== undefined;

/** "seat 3", or the dealer's hand. */
const whose = (hit) => (hit.seat === null || hit.seat === undefined ? "dealer" : `seat ${hit.seat}`);

/** "Straight flush, 10%"; a bonus of the draw has no hand. */
function handText(hit) {
  const what = words(hit.hand ?? hit.kind);
  const share = isJackpot(hit) && hit.percent !== 100 && hit.percent !== null;
  return share ? `${what}, ${hit.percent}%` : what;
}

function row(hit, accent) {
  const time = element("time", "hit-time", moment(hit.at));
  time.dateTime = hit.at;
  const meta = element("span", "hit-meta", "", time, element("span", "", `${hit.table} ${whose(hit)}`));
  const envy = cents(hit.envy_due ?? "0");
  if (envy > 0n) meta.append(element("span", "hit-envy", `envy ${dollars(envy)}`));
  if (hit.resettled) meta.append(element("span", "hit-resettled", "resettled"));
  const made = element(
    "li",
    isJackpot(hit) ? "hit jackpot" : "hit",
    "",
    element("span", "hit-hand", handText(hit)),
    element("span", "hit-amount", written(hit.due)),
    meta,
    element("span", "hit-state", stateWord(hit.state)),
  );
  made.dataset.state = stateWord(hit.state);
  if (accent) made.dataset.accent = accent;
  return made;
}

/** The list of a link's hits and its element. */
export class Hits {
  #hits = [];
  #accents = new Map();
  #jackpots = element("ol", "hit-list jackpots");
  #others = element("ol", "hit-list others");
  #none = element("p", "hit-none", "no hit yet");

  constructor() {
    const heading = element("h3", "hits-title", "Last hits");
    this.node = element("div", "hits", "", heading, this.#jackpots, this.#others, this.#none);
  }

  /** Begins again with what a snapshot has, newest first. */
  replace(hits, accents) {
    this.#accents = accents;
    this.#hits = hits.slice(0, KEPT);
    this.#draw();
  }

  /** Takes a new hit. */
  add(hit) {
    this.#hits = [hit, ...this.#hits.filter((it) => it.hit !== hit.hit)];
    const jackpots = this.#hits.filter(isJackpot).slice(0, JACKPOTS_KEPT);
    this.#hits = this.#hits.filter((it, index) => index < KEPT || jackpots.includes(it));
    this.#draw();
  }

  /** Takes a hit's new state, and its new amount where an earlier hit was taken back. One that is won no more goes. */
  change(name, state, due) {
    const hit = this.find(name);
    if (!hit) return;
    hit.state = state;
    if (undone(state)) this.#hits = this.#hits.filter((it) => it !== hit);
    if (due !== null && due !== undefined) {
      hit.due = due;
      hit.resettled = true;
    }
    this.#draw();
  }

  /** A hit by its name. */
  find(name) {
    return this.#hits.find((it) => it.hit === name);
  }

  #draw() {
    const jackpots = this.#hits.filter(isJackpot);
    const others = this.#hits.filter((it) => !isJackpot(it));
    this.#jackpots.replaceChildren(...jackpots.map((it) => row(it, this.#accents.get(it.level))));
    this.#others.replaceChildren(...others.map((it) => row(it)));
    this.#jackpots.hidden = jackpots.length === 0;
    this.#others.hidden = others.length === 0;
    this.#none.hidden = this.#hits.length > 0;
  }
}
