// The win scenes of a sign: one state machine for all its links, and the timer that moves it on.

import { signal } from "@preact/signals";
import { NO_WINS, type WinNews, type WinState, advance, nextAt, takeNews } from "../wins/machine.js";

/** Scenes of a sign, until `close`. */
export class Scenes {
  readonly wins = signal<WinState>(NO_WINS);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Takes news of a link that came at `now`. */
  take(link: string, news: readonly WinNews[], now: number): void {
    if (news.length === 0) return;
    this.wins.value = news.reduce((wins, one) => takeNews(wins, link, one, now), this.wins.peek());
    this.#schedule();
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  /** Wakes for the next step of the scene; a new one replaces the timer. */
  #schedule(): void {
    clearTimeout(this.#timer);
    const at = nextAt(this.wins.peek());
    if (at === null) return;
    this.#timer = setTimeout(
      () => {
        this.wins.value = advance(this.wins.peek(), performance.now());
        this.#schedule();
      },
      Math.max(0, at - performance.now()) + 1,
    );
  }
}
