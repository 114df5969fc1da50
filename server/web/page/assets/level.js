// One level of a link: its name, its amount, and for a while the amounts won of it.

import { cents, dollars } from "./money.js";
import { stateWord, undone } from "./hits.js";
import { Odometer, set } from "./odometer.js";
import { element, say, words } from "./text.js";

const SHOWN_MS = 12_000;
const WAITING_MAX = 4;
const ACCENTS = ["mega", "major", "minor", "meter"];

/** The accent of a level: by its name, or by its place among the others. */
export function accentOf(name, index, count) {
  if (ACCENTS.includes(name)) return name;
  return count === 1 ? "meter" : ACCENTS[index % ACCENTS.length];
}

/** "payment pending", "payment validated", "paid". */
function payment(state) {
  const word = stateWord(state);
  return word === "paid" ? word : `payment ${word}`;
}

/** A level and its element. */
export class Level {
  #odometer = new Odometer();
  #off = element("span", "level-off");
  #won = element("p", "won");
  #prize = element("div", "amount prize");
  #waiting = [];
  #shown = null;
  #timer = 0;

  constructor(name, accent) {
    this.name = name;
    this.accent = accent;
    this.#won.setAttribute("role", "status");
    this.#prize.setAttribute("aria-hidden", "true");
    const heading = element("h3", "level-name", "", element("span", "", words(name)), this.#off);
    const stage = element("div", "stage", "", this.#odometer.node, this.#prize);
    this.node = element("article", "level", "", heading, this.#won, stage);
    this.node.dataset.accent = accent;
  }

  /** Takes a confirmed amount. */
  confirm(amount) {
    const value = cents(amount);
    if (value !== null) this.#odometer.confirm(value);
  }

  /** Says whether the level is off: it takes nothing, and only rounds that were locked before can win it. */
  disable(isOff) {
    this.node.classList.toggle("is-off", isOff);
    say(this.#off, isOff ? "off" : "");
  }

  /** Shows what was won, after what is shown already. */
  celebrate(hit) {
    if (this.#shown?.hit === hit.hit || this.#waiting.some((it) => it.hit === hit.hit)) return;
    if (this.#waiting.length < WAITING_MAX) this.#waiting.push(hit);
    if (!this.#shown) this.#next();
  }

  /** A hit of this level has a new state: said where it is shown, ended where it is won no more. */
  changed(hit) {
    if (undone(hit.state)) this.#waiting = this.#waiting.filter((it) => it.hit !== hit.hit);
    if (this.#shown?.hit !== hit.hit) return;
    if (undone(hit.state)) this.#next();
    else this.#write(hit);
  }

  #next() {
    clearTimeout(this.#timer);
    this.node.classList.remove("is-won");
    this.#shown = this.#waiting.shift() ?? null;
    if (!this.#shown) {
      say(this.#won, "");
      return;
    }
    this.#write(this.#shown);
    // Reading the width ends the earlier animation, so that it begins anew.
    void this.node.offsetWidth;
    this.node.classList.add("is-won");
    this.#timer = setTimeout(() => this.#next(), SHOWN_MS);
  }

  #write(hit) {
    const amount = cents(hit.due) ?? 0n;
    set(this.#prize, amount);
    say(this.#won, `WON — table ${hit.table} — ${dollars(amount)} — ${payment(hit.state)}`);
  }
}
