// A thin layer over WebSocket: connects, connects again after a delay, and passes messages on. It decides nothing.

import { type FeedMessage, parseMessage } from "../api/feed.js";

const BACKOFF_FIRST_MS = 500;
const BACKOFF_MAX_MS = 10_000;
/** Subprotocol of a page that offers its token beside it, and the beginning of the one that carries the token. */
const TEXT_PROTOCOL = "meterhouse.v1.json";
const TOKEN_PROTOCOL = "meterhouse.token.";
/** Code with which the server ends a connection whose token is no longer valid. */
const REFUSED = 1008;
/** Silence after which a connection is given up. Longer than a stale mark takes: the server may only wait for its database. */
const SILENCE_MS = 6_000;

/** Returns the delay before attempt `failures`: doubled each time, at least half of it, the rest by chance. */
export function backoff(failures: number, random: number): number {
  const full = Math.min(BACKOFF_FIRST_MS * 2 ** Math.min(failures, 10), BACKOFF_MAX_MS);
  return full / 2 + (full / 2) * random;
}

/**
 * Returns the feed's address, with the place to resume after and the seal of what was shown. Without an audience it is the
 * players' feed.
 */
export function feedAddress(
  page: string,
  link: string,
  position: string | null,
  seal: string | null,
  audience?: "floor",
): string {
  const address = new URL(`/v1/links/${encodeURIComponent(link)}/feed`, page);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  if (position !== null) address.searchParams.set("after", position);
  if (seal !== null) address.searchParams.set("seal", seal);
  if (audience) address.searchParams.set("audience", audience);
  return address.href;
}

export interface FeedListener {
  /** Returns the address of the next attempt. */
  address(): string;
  message(message: FeedMessage): void;
  /** Called when a connection ended; `opened` is false if it never came to a message. */
  closed(opened: boolean): void;
  /** Token with which the feed is opened, and ends: a browser can send none in a header. */
  token?: string;
  /** Called when the server says that the token is no longer valid. */
  refused?(): void;
}

/** Connection to a feed that connects again until it is closed. */
export class FeedSocket {
  #socket: WebSocket | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #opened = false;
  readonly #listener: FeedListener;

  constructor(listener: FeedListener) {
    this.#listener = listener;
    this.#connect();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#drop();
  }

  #connect(): void {
    const { token } = this.#listener;
    const protocols = token === undefined ? [] : [TEXT_PROTOCOL, TOKEN_PROTOCOL + token];
    const socket = new WebSocket(this.#listener.address(), protocols);
    socket.onmessage = (event) => this.#receive(event.data);
    socket.onclose = (event) => {
      if (event.code === REFUSED) this.#listener.refused?.();
      this.#retry();
    };
    this.#socket = socket;
    this.#opened = false;
    this.#watch();
  }

  /** Gives a connection up that stays silent: a dead network reports no end. */
  #watch(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#retry(), SILENCE_MS);
  }

  #drop(): void {
    if (!this.#socket) return;
    this.#socket.onmessage = null;
    this.#socket.onclose = null;
    this.#socket.close();
    this.#socket = null;
  }

  #retry(): void {
    this.#drop();
    this.#listener.closed(this.#opened);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#connect(), backoff(this.#failures, Math.random()));
    this.#failures += 1;
  }

  #receive(data: unknown): void {
    const message = typeof data === "string" ? parseMessage(data) : null;
    if (message === null) {
      this.#retry();
      return;
    }
    this.#watch();
    if (message === undefined) return;
    if (message.type === "snapshot") {
      this.#opened = true;
      this.#failures = 0;
    }
    this.#listener.message(message);
  }
}
