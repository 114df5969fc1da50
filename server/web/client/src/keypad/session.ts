// The session of a tablet at its table: what is kept, who owns it, and the steps that dealer and server make.

import { computed, signal } from "@preact/signals";
import { NoAnswer, Problem, type Schema } from "../api/client.js";
import { beat, follow, loadTerms, send } from "./loops.js";
import { EMPTY, type Kept, append, decided, dismissed } from "./outbox.js";
import { type Chips, NO_CHIPS, chipsAfter, chipsOf, wagersOf } from "./round.js";
import type { Command, Play } from "./state.js";
import {
  type Database,
  type Device,
  NEW_DEVICE,
  Superseded,
  claim,
  openStore,
  owns,
  readDevice,
  save,
  saveDevice,
} from "./store.js";
import { type TabLock, holdTable } from "./tabs.js";
import { readTable } from "./wire.js";

/** Silence of the server after which the progressive is unplayable. */
const UNPLAYABLE_MS = 3_000;

/** What the address of a page may have behind its hash. */
type Offer = Readonly<{ token: string | null; badge: string | null }>;

export type Phase = "starting" | "elsewhere" | "open" | "noDisk";

function newChips(table: string): Chips {
  try {
    return { ...NO_CHIPS, ...(JSON.parse(sessionStorage.getItem(`chips ${table}`) ?? "") as Partial<Chips>) };
  } catch {
    return NO_CHIPS;
  }
}

export class Session {
  readonly phase = signal<Phase>("starting");
  readonly kept = signal<Kept>(EMPTY);
  readonly device = signal<Device>(NEW_DEVICE);
  readonly chips = signal<Chips>(NO_CHIPS);
  readonly link = signal<Schema<"Link"> | null>(null);
  /** Null before the table was read. */
  readonly play = computed<Play | null>(() => this.kept.value.table?.play ?? null);
  /** Time of the server's last answer, once one failed to come. */
  readonly silentSince = signal<number | null>(null);
  /** The server's words, if it answered that it can't serve now. */
  readonly trouble = signal<Problem | null>(null);
  readonly retryAt = signal<number | null>(null);
  /** The server refused the token. */
  readonly credential = signal<Problem | null>(null);
  /** A tap that the disk did not take. */
  readonly tapLost = signal(false);
  readonly now = signal(Date.now());
  readonly unplayable = computed(
    () => this.silentSince.value !== null && this.now.value - this.silentSince.value > UNPLAYABLE_MS,
  );

  /** Number of outcomes that were taken: tells a state that was read before one. */
  outcomes = 0;
  #lastHeard = Date.now();
  #database: Database | null = null;
  #owner = 0;
  #lock: TabLock | null = null;
  #run: AbortController | null = null;
  #queue: Promise<unknown> = Promise.resolve();
  #waiting = new Set<() => void>();
  #tapping = false;

  constructor(readonly table: string) {}

  async start(offered: Offer): Promise<void> {
    this.chips.value = newChips(this.table);
    this.chips.subscribe((chips) => sessionStorage.setItem(`chips ${this.table}`, JSON.stringify(chips)));
    setInterval(() => this.#tick(), 500);
    addEventListener("online", () => this.wake());
    try {
      this.#database = await openStore();
      this.device.value = await readDevice(this.#database, this.table);
      await this.take(offered);
    } catch {
      this.phase.value = "noDisk";
      return;
    }
    // Without the permission the browser may clear the storage when its disk is full; the keypad works all the same.
    void navigator.storage?.persist?.().catch(() => false);
    this.#lock = holdTable(
      this.table,
      () => void this.#open(),
      () => this.#close(),
    );
  }

  /** Takes the token and the badge of an address. The badge of the dealer who is at the table stays. */
  async take({ token, badge }: Offer): Promise<void> {
    if (token) await this.setDevice({ token });
    if (badge && this.device.value.badge === null) await this.setDevice({ badge });
  }

  async #open(): Promise<void> {
    try {
      const { owner, kept } = await claim(this.#database as Database, this.table);
      this.#owner = owner;
      this.kept.value = kept;
      // The other tab may have got a token or a badge since.
      this.device.value = await readDevice(this.#database as Database, this.table);
    } catch {
      this.phase.value = "noDisk";
      return;
    }
    const { last } = this.kept.value;
    if (this.chips.value.dealt.length === 0) this.chips.value = chipsAfter(last?.dealt ?? [], {});
    this.#run?.abort();
    const run = new AbortController();
    this.#run = run;
    this.#lastHeard = Date.now();
    this.phase.value = "open";
    for (const loop of [beat, send, follow, loadTerms]) void loop(this, run.signal);
  }

  #close(): void {
    this.#run?.abort();
    this.#run = null;
    this.phase.value = "elsewhere";
    this.wake();
  }

  /** Stops this tab if another one has opened the table since: where there are no Web Locks, nothing else tells it. */
  async checkOwner(): Promise<void> {
    const database = this.#database;
    const owner = this.#owner;
    const held = database === null || (await owns(database, this.table, owner).catch(() => true));
    if (!held && owner === this.#owner && this.phase.value === "open") this.#close();
  }

  takeOver(): void {
    this.#lock?.take();
  }

  #tick(): void {
    this.now.value = Date.now();
    // A network that swallows requests reports nothing: silence counts from the last answer.
    if (this.phase.value === "open" && this.device.value.token !== null && this.credential.value === null)
      if (this.now.value - this.#lastHeard > this.beatEvery() + UNPLAYABLE_MS)
        this.silentSince.value ??= this.#lastHeard;
  }

  /** Returns the time between two heartbeats: three within the silence that the link allows. */
  beatEvery(): number {
    return ((this.link.value?.settings?.silence_seconds_max ?? 5) * 1_000) / 3;
  }

  heard(): void {
    this.#lastHeard = Date.now();
    this.silentSince.value = null;
    if (this.kept.value.entries.length === 0) this.trouble.value = null;
    this.retryAt.value = null;
  }

  /** Notes that a request got no answer that helps. */
  failed(error: unknown): void {
    this.trouble.value = error instanceof Problem ? error : null;
    if (error instanceof NoAnswer || error instanceof Problem) this.silentSince.value ??= this.#lastHeard;
  }

  /** Waits until something changes, or for a time; never longer than the run. */
  changed(run: AbortSignal, ms?: number): Promise<void> {
    return new Promise((done) => {
      const timer = ms === undefined ? undefined : setTimeout(finish, ms);
      const waiting = this.#waiting;
      function finish() {
        clearTimeout(timer);
        waiting.delete(finish);
        run.removeEventListener("abort", finish);
        done();
      }
      waiting.add(finish);
      run.addEventListener("abort", finish);
    });
  }

  /** Ends each wait: a command came, the network is back, or the dealer wants it now. */
  wake(): void {
    for (const finish of [...this.#waiting]) finish();
  }

  /**
   * Makes a step of the outbox: what is kept next is on the disk before it is shown or sent. Returns false if the step is
   * impossible, or the disk did not take it.
   */
  step(next: (kept: Kept) => Kept | null): Promise<boolean> {
    const made = this.#queue.then(async () => {
      const after = next(this.kept.value);
      if (after === null || this.phase.value !== "open") return false;
      if (after === this.kept.value) return true;
      await save(this.#database as Database, this.table, this.#owner, after);
      this.kept.value = after;
      this.wake();
      return true;
    });
    this.#queue = made.catch(() => {});
    return made.catch((error: unknown) => {
      if (error instanceof Superseded) this.#close();
      return false;
    });
  }

  /** Takes a tap: numbers the command, keeps it, and lets it be sent. A second tap before the first is kept does nothing. */
  async tap(command: Command): Promise<boolean> {
    if (this.#tapping) return false;
    this.#tapping = true;
    try {
      return await this.#keep(command);
    } finally {
      this.#tapping = false;
    }
  }

  async #keep(command: Command): Promise<boolean> {
    const badge = this.device.value.badge;
    const whole = { ...command, ...(badge === null ? {} : { by: badge }), at: new Date().toISOString() };
    const taken = await this.step((kept) => append(kept, whole));
    this.tapLost.value = !taken;
    return taken;
  }

  /** Locks the bets of the chips that lie on the felt. */
  async coinIn(amount: string): Promise<void> {
    const { dealt, players } = this.chips.value;
    const wagers = wagersOf(this.chips.value, amount);
    if (await this.tap({ command: "coin_in", wagers, dealt: [...dealt] }))
      this.chips.value = chipsAfter(dealt, players);
  }

  /** Lays the chips of a refused coin-in on the felt again. */
  chipsBack(command: Command): void {
    if (command.command === "coin_in") this.chips.value = chipsOf(command.wagers, command.dealt);
  }

  /** Ends a contradiction as the dealer decided, against the table as the server has it now. */
  async decide(choice: "again" | "drop"): Promise<boolean> {
    const token = this.device.value.token;
    if (token === null) return false;
    try {
      const table = await readTable(this.table, token);
      this.heard();
      return await this.step((kept) => decided(kept, choice, table));
    } catch (error) {
      this.failed(error);
      return false;
    }
  }

  dismiss(sequence: number): Promise<boolean> {
    return this.step((kept) => dismissed(kept, sequence));
  }

  async setDevice(change: Partial<Device>): Promise<void> {
    const next = { ...this.device.value, ...change };
    await saveDevice(this.#database as Database, this.table, next);
    this.device.value = next;
    if (change.token !== undefined) this.credential.value = null;
    this.wake();
  }
}
