// One link's feed: received, missed, and requested again.

const STALE_MS = 3000;
const ANSWER_MS = 4000;
const WATCH_MS = 200;
const BACKOFF_MS = [500, 1000, 2000, 4000, 5000];

/** "120.3" as [120, 3]. */
function place(position) {
  return String(position).split(".").map(Number);
}

/** Whether a position is behind another one or the same. */
function notAfter(left, right) {
  const [batch, index] = place(left);
  const [thanBatch, thanIndex] = place(right);
  return batch < thanBatch || (batch === thanBatch && index <= thanIndex);
}

/**
 * Connects to a link's feed and stays connected.
 *
 * `hear` takes each message that is new: a snapshot first, then only what isn't in it. `stale` is told when nothing
 * was heard for STALE_MS, with the time something last was or null; only a snapshot ends that.
 */
export class Feed {
  #link;
  #hear;
  #stale;
  #socket = null;
  #began = 0;
  #failures = 0;
  #retry = 0;
  #watch = 0;
  #heard = Date.now();
  #heardAt = null;
  #isStale = false;
  #fresh = false;
  #batch = -1;
  #contained = "0.0";
  #position = null;
  #seal = null;

  constructor(link, { hear, stale }) {
    this.#link = link;
    this.#hear = hear;
    this.#stale = stale;
    this.#watch = setInterval(() => this.#look(), WATCH_MS);
    this.#connect();
  }

  /** Ends it for good. */
  close() {
    clearInterval(this.#watch);
    clearTimeout(this.#retry);
    this.#drop();
  }

  #connect() {
    const address = new URL(`/v1/links/${encodeURIComponent(this.#link)}/feed`, location.href);
    address.protocol = location.protocol.replace("http", "ws");
    if (this.#position !== null) address.searchParams.set("after", this.#position);
    // A server whose database was set back recognises by it what it had sent.
    if (this.#seal !== null) address.searchParams.set("seal", this.#seal);
    const socket = new WebSocket(address);
    socket.onmessage = (message) => this.#take(message.data);
    socket.onclose = () => this.#again();
    this.#socket = socket;
    this.#began = Date.now();
    this.#fresh = false;
  }

  /** Lets go of the socket without waiting for its end: a dead network may never tell it. */
  #drop() {
    if (!this.#socket) return;
    this.#socket.onmessage = null;
    this.#socket.onclose = null;
    this.#socket.close();
    this.#socket = null;
    this.#fresh = false;
  }

  #again() {
    this.#drop();
    const wait = BACKOFF_MS[Math.min(this.#failures, BACKOFF_MS.length - 1)];
    this.#failures += 1;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#connect(), wait);
  }

  #look() {
    const now = Date.now();
    if (!this.#isStale && now - this.#heard > STALE_MS) {
      this.#isStale = true;
      this.#stale(this.#heardAt);
    }
    if (!this.#socket) return;
    const silent = this.#fresh && now - this.#heard > STALE_MS;
    const unanswered = !this.#fresh && now - this.#began > ANSWER_MS;
    if (silent || unanswered) this.#again();
  }

  #take(data) {
    let message;
    try {
      message = JSON.parse(data);
    } catch {
      this.#again();
      return;
    }
    const opens = message.type === "snapshot";
    if (!this.#fresh && !opens) return;
    this.#heard = Date.now();
    this.#heardAt = new Date();
    if (!this.#isNew(message)) return;
    this.#hear(message);
    if (opens) {
      this.#failures = 0;
      this.#isStale = false;
    }
  }

  /** Whether a message says what no earlier one of this connection did; remembers how far it went. */
  #isNew(message) {
    switch (message.type) {
      case "snapshot":
        if (this.#fresh && message.batch < this.#batch) return false;
        this.#fresh = true;
        this.#batch = message.batch;
        this.#contained = message.position;
        this.#position = message.position;
        this.#seal = message.seal ?? null;
        return true;
      case "meters":
        if (message.batch <= this.#batch) return false;
        this.#batch = message.batch;
        this.#seal = message.seal ?? null;
        return true;
      case "hit":
      case "hit_changed":
      case "paid":
      case "link_state":
      case "table_state":
        // Missed messages follow the snapshot, which already includes them.
        if (notAfter(message.position, this.#contained)) return false;
        this.#position = message.position;
        return true;
      default:
        return false;
    }
  }
}
