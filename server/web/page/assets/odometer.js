// One amount that climbs like an odometer.
//
// The displayed amount follows the server's with a fixed delay: every confirmed amount is reached
// exactly CLIMB_MS after its arrival, on straight lines from one to the next. The display is never
// ahead of the last confirmed amount, and never below one for longer than CLIMB_MS, however often
// new ones arrive. A lower amount is taken immediately.

import { dollars, parts } from "./money.js";
import { element, say, still } from "./text.js";

const CLIMB_MS = 700;
/** Between two cents the last digit rolls: what is shown is kept in thousandths of a cent. */
const FINE = 1000n;
/** A digit rests for the first part of its cent and rolls in what is left of it. */
const REST = 0.4;

/** Confirmed amounts and when each has to be reached. */
export class Climb {
  #points = [];

  /** Takes a confirmed amount in cents. */
  confirm(cents, now) {
    const value = cents * FINE;
    const last = this.#points.at(-1);
    if (!last || value < last.value || still()) {
      this.#points = [{ at: now, value }];
    } else if (value > last.value) {
      this.#pass(now);
      if (!this.moving(now)) this.#points = [{ at: now, value: last.value }];
      this.#points.push({ at: now + CLIMB_MS, value });
    }
  }

  /** Whether the last confirmed amount isn't reached yet. */
  moving(now) {
    return this.#points.length > 1 && this.#points.at(-1).at > now;
  }

  /** Forgets what was reached, also while a hidden page draws nothing. */
  #pass(now) {
    while (this.#points.length > 1 && this.#points[1].at <= now) this.#points.shift();
  }

  /** What is shown at a time, in thousandths of a cent. */
  at(now) {
    this.#pass(now);
    const [from, to] = this.#points;
    if (!to) return from.value;
    const gone = Math.min(Math.max((now - from.at) / (to.at - from.at), 0), 1);
    return from.value + ((to.value - from.value) * BigInt(Math.floor(gone * 1000))) / 1000n;
  }
}

/** One digit: it and the one that follows it, of which the cell shows a window. */
class Digit {
  constructor() {
    this.now = element("span", "", "0");
    this.next = element("span", "", "1");
    this.strip = element("span", "strip", "", this.now, this.next);
    this.node = element("span", "digit", "", this.strip);
    this.rolled = 0;
  }

  show(digit, rolled) {
    say(this.now, String(digit));
    say(this.next, String((digit + 1) % 10));
    if (rolled === this.rolled) return;
    this.rolled = rolled;
    this.strip.style.transform = rolled === 0 ? "" : `translateY(${-50 * rolled}%)`;
  }
}

const moving = new Set();
let frame = 0;

function step() {
  const now = performance.now();
  for (const odometer of moving) odometer.draw(now);
  frame = moving.size > 0 ? requestAnimationFrame(step) : 0;
}

/** The element of one amount. */
export class Odometer {
  #climb = new Climb();
  #digits = [];
  #shape = "";

  constructor() {
    this.node = element("div", "amount");
    this.node.setAttribute("role", "img");
  }

  /** Takes a confirmed amount in cents. */
  confirm(cents) {
    this.#climb.confirm(cents, performance.now());
    this.node.setAttribute("aria-label", dollars(cents));
    moving.add(this);
    if (frame === 0) frame = requestAnimationFrame(step);
  }

  /** Shows what is due at a time. */
  draw(now) {
    const fine = this.#climb.at(now);
    if (!this.#climb.moving(now)) moving.delete(this);
    const amount = parts(fine / FINE);
    this.#lay(amount);
    const figures = amount.dollars.replaceAll(",", "") + amount.cents;
    let rolled = Math.max(0, Number(fine % FINE) / Number(FINE) - REST) / (1 - REST);
    for (let place = figures.length - 1; place >= 0; place -= 1) {
      const digit = Number(figures[place]);
      this.#digits[place].show(digit, rolled);
      if (digit !== 9) rolled = 0;
    }
  }

  /** Lays the cells out anew where their number changed. */
  #lay(amount) {
    const shape = amount.dollars.replace(/\d/g, "0");
    if (shape === this.#shape) return;
    this.#shape = shape;
    this.#digits = [];
    const cell = () => {
      const digit = new Digit();
      this.#digits.push(digit);
      return digit.node;
    };
    const whole = [...shape].map((it) => (it === "0" ? cell() : element("span", "comma", it)));
    const small = element("span", "cents", "", element("span", "point", "."), cell(), cell());
    const unit = element("span", "unit", "$");
    this.node.replaceChildren(unit, element("span", "whole", "", ...whole), small);
    fit(this.node, amount.dollars);
  }
}

/** A still amount in the same setting, for what was won. */
export function set(node, cents) {
  const amount = parts(cents);
  const whole = element("span", "whole");
  for (const it of amount.dollars) whole.append(element("span", it === "," ? "comma" : "digit", it));
  const small = element("span", "cents", "", element("span", "point", "."));
  for (const it of amount.cents) small.append(element("span", "digit", it));
  node.replaceChildren(element("span", "unit", "$"), whole, small);
  fit(node, amount.dollars);
}

/** Tells the style sheet how wide an amount is in digits: see `.amount` in level.css. */
function fit(node, whole) {
  const digits = whole.replaceAll(",", "").length;
  const commas = whole.length - digits;
  node.style.setProperty("--digits", String(digits));
  node.style.setProperty("--commas", String(commas));
}
