// The session of one link: joins the socket and the feed's reducer, keeps the state in signals, and passes news to the
// win scenes. Times are those of performance.now(), which no change of the system's clock moves.

import { batch, signal } from "@preact/signals";
import type { FeedMessage, LinkLevel, LinkView } from "../api/feed.js";
import { type FeedState, INITIAL, type Liveness, disconnected, liveness, receive } from "../feed/reducer.js";
import { FeedSocket, feedAddress } from "../feed/socket.js";
import type { Scenes } from "./scenes.js";

/** Interval of the look at the time since the last message: a mark is there within 3 s. */
const WATCH_MS = 100;
/** Interval at which a link's ceilings and hands are read again, besides at each snapshot. */
const LINK_MS = 600_000;

export type Problem = "unknown_link" | "no_connection" | null;

/** What the parts of the sign read of a session. */
export type ShownSession = Pick<SignSession, "link" | "feed" | "live" | "levels" | "problem">;

/** Session of one link, until `close`. */
export class SignSession {
  readonly feed = signal<FeedState>(INITIAL);
  readonly live = signal<Liveness>({ kind: "waiting" });
  readonly levels = signal<readonly LinkLevel[]>([]);
  /** Reason why there is nothing to show; null as soon as there was a snapshot. */
  readonly problem = signal<Problem>(null);

  readonly link: string;
  readonly #scenes: Scenes;
  readonly #startedAt = performance.now();
  readonly #socket: FeedSocket;
  readonly #watch: ReturnType<typeof setInterval>;
  readonly #refresh: ReturnType<typeof setInterval>;

  /** `pass` is the token of a paired screen, and what follows once the server does not take it any more. */
  constructor(link: string, scenes: Scenes, pass?: { token: string; refused(): void }) {
    this.link = link;
    this.#scenes = scenes;
    this.#socket = new FeedSocket({
      address: () => feedAddress(location.href, link, this.feed.peek().position, this.feed.peek().seal),
      message: (message) => this.#receive(message),
      closed: (opened) => this.#closed(opened),
      ...pass,
    });
    this.#watch = setInterval(() => this.#look(), WATCH_MS);
    this.#refresh = setInterval(() => void this.#readLink(), LINK_MS);
  }

  close(): void {
    this.#socket.close();
    clearInterval(this.#watch);
    clearInterval(this.#refresh);
  }

  #receive(message: FeedMessage): void {
    const now = performance.now();
    const step = receive(this.feed.peek(), message, now);
    batch(() => {
      this.feed.value = step.state;
      this.#scenes.take(this.link, step.news, now);
      if (message.type === "snapshot") this.problem.value = null;
    });
    this.#look();
    if (message.type === "snapshot") void this.#readLink();
  }

  #closed(opened: boolean): void {
    this.feed.value = disconnected(this.feed.peek());
    // A refused WebSocket gives no reason to a script: the link itself is asked for it.
    if (!opened && this.feed.peek().position === null) void this.#readLink();
  }

  async #readLink(): Promise<void> {
    // A link that exists and sends no snapshot is one whose feed was refused, or can't be made now.
    let problem: Problem = "no_connection";
    try {
      const response = await fetch(`/v1/links/${encodeURIComponent(this.link)}`, {
        signal: AbortSignal.timeout(5_000),
      });
      if (response.ok) this.levels.value = ((await response.json()) as LinkView).levels;
      else if (response.status === 404 || response.status === 400) problem = "unknown_link";
    } catch {
      // No answer at all: the same message.
    }
    if (this.feed.peek().position === null) this.problem.value = problem;
  }

  #look(): void {
    const next = liveness(this.feed.peek(), this.#startedAt, performance.now());
    const shown = this.live.peek();
    const same =
      next.kind === shown.kind && (next.kind !== "stale" || (shown.kind === "stale" && next.since === shown.since));
    if (!same) this.live.value = next;
  }
}
