// Sends one request until it is answered. The API takes a repeat of the same write as the same write, so that it counts once.

import { Problem, isPassing } from "../api/client.js";
import { waitAfter } from "../staff/wait.js";

/** Wait before the second attempt, and the longest one. */
const WAITS = { firstMs: 1_000, mostMs: 5_000 };

/** What a person sees of a request that is on its way. */
export interface Attempt {
  /** Attempts that were sent so far. */
  attempts: number;
  firstSentAt: number;
  /** Time of the next attempt; null while one is on its way. */
  nextAt: number | null;
  /** What came instead of an answer the last time. */
  error: unknown;
}

export interface Clock {
  now(): number;
  /** Calls `act` after a wait; returns what ends the wait. */
  after(milliseconds: number, act: () => void): () => void;
}

export const browserClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, act) {
    const timer = setTimeout(act, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** Returns if no answer can be taken for one yet: nothing came, the server asks for a repeat, or a login is missing. */
function isOpen(error: unknown, bearer: boolean): boolean {
  // The login stands over the page; the request goes on after it. A signature that has expired needs the person again.
  if (error instanceof Problem && error.code === "unauthenticated") return !bearer;
  return isPassing(error);
}

/** A request that is sent until it is answered, and that a person may send at once. */
export class Sender<Answer> {
  #wake: (() => void) | null = null;
  readonly #request: () => Promise<Answer>;
  readonly #bearer: boolean;
  readonly #clock: Clock;
  readonly #seen: (attempt: Attempt) => void;

  constructor(
    request: () => Promise<Answer>,
    options: { bearer: boolean; clock?: Clock; seen: (attempt: Attempt) => void },
  ) {
    this.#request = request;
    this.#bearer = options.bearer;
    this.#clock = options.clock ?? browserClock;
    this.#seen = options.seen;
  }

  /** Sends until an answer comes; a refusal is thrown. */
  async run(): Promise<Answer> {
    const firstSentAt = this.#clock.now();
    let last: unknown = null;
    for (let attempts = 1; ; attempts += 1) {
      this.#seen({ attempts, firstSentAt, nextAt: null, error: last });
      try {
        return await this.#request();
      } catch (error) {
        if (!isOpen(error, this.#bearer)) throw error;
        last = error;
        await this.#pause(attempts, firstSentAt, error);
      }
    }
  }

  /** Ends the wait for the next attempt. */
  now(): void {
    this.#wake?.();
  }

  #pause(attempts: number, firstSentAt: number, error: unknown): Promise<void> {
    const wait = waitAfter(attempts, error, WAITS);
    this.#seen({ attempts, firstSentAt, nextAt: this.#clock.now() + wait, error });
    return new Promise((done) => {
      const stop = this.#clock.after(wait, done);
      this.#wake = () => {
        stop();
        done();
      };
    });
  }
}

/** Runs an action once at a time: calls during a run ask for one more run after it. */
export function coalesced(act: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let again = false;
  async function loop(): Promise<void> {
    do {
      again = false;
      await act();
    } while (again);
  }
  return () => {
    if (running) {
      again = true;
      return running;
    }
    running = loop().finally(() => (running = null));
    return running;
  };
}
