// The session of a screen: keeps its key, asks for its pairing, and says every ten seconds what it shows.

import { signal } from "@preact/signals";
import {
  type Answer,
  type PairingAnswer,
  SHOW_MS,
  type ScreenState,
  type ShownLink,
  afterAsking,
  isRefused,
  isUnpaired,
  keptKey,
  keyOf,
} from "./pairing.js";

/** Place of the key in the browser's storage. */
const KEY_NAME = "meterhouse.screen.key";
/** Longest wait for an answer. */
const ANSWER_WAIT_MS = 5_000;

/** Session of a screen without a link in its address, until `close`. */
export class ScreenSession {
  readonly state = signal<ScreenState>({ kind: "starting" });
  readonly #shown: () => ShownLink[];
  readonly #unpaired: () => void;
  #key: string;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  /** `shown` says what the screen shows, and `unpaired` follows when it was paired and is no more. */
  constructor(shown: () => ShownLink[], unpaired: () => void) {
    this.#shown = shown;
    this.#unpaired = unpaired;
    this.#key = keptKey(readStored()) ?? this.#newKey();
    void this.#ask();
  }

  /** The screen's token, once it is paired. */
  get token(): string {
    return this.#key;
  }

  /** Asks if it is still paired: the server ended a feed of the screen. */
  check(): void {
    if (this.state.peek().kind === "paired") this.#after(0, () => this.#verify());
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #newKey(): string {
    this.#key = keyOf(crypto.getRandomValues(new Uint8Array(32)));
    try {
      localStorage.setItem(KEY_NAME, this.#key);
    } catch {
      // A browser that keeps nothing asks for a name after each start.
    }
    return this.#key;
  }

  #after(ms: number, act: () => Promise<void>): void {
    clearTimeout(this.#timer);
    if (!this.#closed) this.#timer = setTimeout(() => void act(), ms);
  }

  #read(): Promise<Answer> {
    return send("POST", "/v1/pairings", { key: this.#key });
  }

  async #ask(): Promise<void> {
    const answer = await this.#read();
    const next = afterAsking(this.state.peek(), Date.now(), answer);
    if (next.newKey) this.#newKey();
    if (next.state !== null && !this.#closed) this.state.value = next.state;
    if (next.askMs === null) this.#after(SHOW_MS / 4, () => this.#report());
    else this.#after(next.askMs, () => this.#ask());
  }

  async #report(): Promise<void> {
    const { status } = await send("PUT", "/v1/shown", { shown: this.#shown() }, this.#key);
    if (isRefused(status)) await this.#verify();
    else this.#after(SHOW_MS, () => this.#report());
  }

  /** Ends the session if the screen is unpaired or has other links, and goes on reporting if not. */
  async #verify(): Promise<void> {
    if (isUnpaired(this.state.peek(), await this.#read())) {
      this.close();
      this.#unpaired();
    } else this.#after(SHOW_MS, () => this.#report());
  }
}

function readStored(): string | null {
  try {
    return localStorage.getItem(KEY_NAME);
  } catch {
    return null;
  }
}

async function send(method: string, path: string, body: unknown, token?: string): Promise<Answer> {
  try {
    const response = await fetch(path, {
      method,
      headers: { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) },
      body: JSON.stringify(body),
      credentials: "omit",
      signal: AbortSignal.timeout(ANSWER_WAIT_MS),
    });
    const retry = Number.parseInt(response.headers.get("retry-after") ?? "", 10);
    return {
      status: response.status,
      body: response.ok ? ((await response.json()) as PairingAnswer) : null,
      retrySeconds: Number.isNaN(retry) ? null : retry,
    };
  } catch {
    return { status: 0, body: null, retrySeconds: null };
  }
}
