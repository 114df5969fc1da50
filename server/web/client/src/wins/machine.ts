// The win scenes as a pure state machine: the win on the sign, its step, and the wins that wait. All links of a sign
// share one machine, because only one win has the sign.

/** Facts of a hit that takes a level. `order` counts the hits of the link. */
export interface WinFacts {
  hit: string;
  order: number;
  level: string;
  table: string;
  hand: string;
  /** The hit takes the whole level. */
  whole: boolean;
  cents: bigint;
  state: string;
  cards: readonly string[] | null;
}

/** Time of the full celebration: when a person has validated the hit, or at the hit itself. */
export type CelebrationTime = "validation" | "hit";

export type WinNews =
  | { kind: "presented"; celebration: CelebrationTime }
  | { kind: "appeared"; win: WinFacts }
  | { kind: "changed"; hit: string; state: string; cents: bigint | null; cards: readonly string[] | null }
  /** Hits of at least order `absentFrom` that a snapshot leaves out are undone; with `missing`, all that it leaves out. */
  | { kind: "snapshot"; wins: readonly WinFacts[]; absentFrom: number; missing: boolean };

export type Status = "pending" | "validated" | "paid";
export type SceneStep = "pending" | "celebration" | "won" | "paid" | "leaving" | "undone";

export interface Win extends WinFacts {
  link: string;
  status: Status;
  celebrated: boolean;
  /** It is celebrated as soon as it is there, before its validation. */
  early: boolean;
}

export interface Scene {
  win: Win;
  step: SceneStep;
  /** The time at which the step began. */
  since: number;
}

export interface WinState {
  /** The setting of each link that has one. */
  celebrations: Readonly<Record<string, CelebrationTime>>;
  scene: Scene | null;
  /** Wins that wait, in the order of their turns. */
  waiting: readonly Win[];
}

export const NO_WINS: WinState = { celebrations: {}, scene: null, waiting: [] };

export const CELEBRATION_MS = 20_000;
export const PAID_MS = 15_000;
export const LEAVING_MS = 600;
export const UNDONE_MS = 300;
/** Time that a plate stays before a win with news takes its place, and before the next plate has its turn. */
export const PLATE_LEAST_MS = 3_000;
export const PLATE_TURN_MS = 12_000;
/** Wins that wait at most; of more, the oldest are left out. */
export const WAITING_MAX = 24;

/** Applies news of a link that came at `now`. */
export function takeNews(state: WinState, link: string, news: WinNews, now: number): WinState {
  return advance(apply(state, link, news, now), now);
}

function apply(state: WinState, link: string, news: WinNews, now: number): WinState {
  switch (news.kind) {
    case "appeared":
      return find(state, news.win.hit)
        ? change(state, news.win.hit, news.win, now)
        : add(state, link, news.win, state.celebrations[link] === "hit");
    case "changed":
      return change(state, news.hit, news, now);
    case "presented":
      return { ...state, celebrations: { ...state.celebrations, [link]: news.celebration } };
    case "snapshot":
      return takeSnapshot(state, link, news, now);
  }
}

function takeSnapshot(
  before: WinState,
  link: string,
  news: Extract<WinNews, { kind: "snapshot" }>,
  now: number,
): WinState {
  let state = before;
  const known = [...(state.scene ? [state.scene.win] : []), ...state.waiting].filter((win) => win.link === link);
  for (const win of known) {
    const found = news.wins.find((row) => row.hit === win.hit);
    if (found) state = change(state, win.hit, found, now);
    else if (news.missing || win.order >= news.absentFrom) state = change(state, win.hit, UNDONE, now);
  }
  // Newest first in a snapshot, oldest first in the queue. Wins that were settled before the sign saw them are no news.
  for (const win of [...news.wins].reverse()) {
    if (!find(state, win.hit) && win.state === "pending") state = add(state, link, win, false);
  }
  return state;
}

function find(state: WinState, hit: string): Win | null {
  if (state.scene?.win.hit === hit) return state.scene.win;
  return state.waiting.find((win) => win.hit === hit) ?? null;
}

/** Reads the state of a hit; null for one that is no win any more. */
function readStatus(state: string): Status | null {
  switch (state) {
    case "pending":
      return "pending";
    case "validated":
    case "validated_by_rule":
      return "validated";
    case "paid":
      return "paid";
    default:
      return null;
  }
}

/** Adds a win. One that a snapshot has was there before, and is celebrated when it is validated. */
function add(state: WinState, link: string, facts: WinFacts, early: boolean): WinState {
  const status = readStatus(facts.state);
  if (status === null) return state;
  const win = { ...facts, link, status, celebrated: false, early };
  return { ...state, waiting: [...state.waiting, win].slice(-WAITING_MAX) };
}

type Change = Pick<Extract<WinNews, { kind: "changed" }>, "state" | "cents" | "cards">;

const UNDONE: Change = { state: "undone", cents: null, cards: null };

function change(state: WinState, hit: string, news: Change, now: number): WinState {
  const status = readStatus(news.state);
  const scene = state.scene;
  if (scene?.win.hit === hit) {
    if (status === null) {
      return isGoing(scene.step) ? state : { ...state, scene: { ...scene, step: "undone", since: now } };
    }
    return { ...state, scene: { ...scene, win: updated(scene.win, status, news) } };
  }
  const waiting = state.waiting.flatMap((win) => {
    if (win.hit !== hit) return [win];
    return status === null ? [] : [updated(win, status, news)];
  });
  return { ...state, waiting };
}

function updated(win: Win, status: Status, { cents, cards }: Change): Win {
  return { ...win, status, state: status, cents: cents ?? win.cents, cards: cards ?? win.cards };
}

function isGoing(step: SceneStep): boolean {
  return step === "leaving" || step === "undone";
}

/** Returns if a win that waits has something to show beyond its plate. */
function hasNews(win: Win): boolean {
  return win.status === "paid" || (!win.celebrated && (win.early || win.status === "validated"));
}

/** Returns the step that a win on a plate is to be in by its status. */
function stepOf(win: Win): SceneStep {
  if (win.status === "pending" && (win.celebrated || !win.early)) return "pending";
  if (!win.celebrated) return "celebration";
  return win.status === "paid" ? "paid" : "won";
}

/** Moves the scene on to what is due at `now`. */
export function advance(before: WinState, now: number): WinState {
  let state = before;
  // Each pass moves by one step; an old clock can be at most a whole scene behind.
  for (let pass = 0; pass < 2 * WAITING_MAX; pass += 1) {
    const next = move(state, now);
    if (next === state) return state;
    state = next;
  }
  return state;
}

function move(state: WinState, now: number): WinState {
  const scene = state.scene;
  if (!scene) return present(state, now);
  const { win, step, since } = scene;
  if (isPlate(step) && stepOf(win) !== step) return enter(state, win, now);
  const lasts = lasting(state, step);
  if (lasts === null || now - since < lasts) return state;
  switch (step) {
    case "celebration":
      return enter(state, { ...win, celebrated: true }, now);
    case "paid":
      return { ...state, scene: { ...scene, step: "leaving", since: now } };
    case "leaving":
    case "undone":
      return { ...state, scene: null };
    default:
      return { ...state, scene: null, waiting: [...state.waiting, win] };
  }
}

function enter(state: WinState, win: Win, now: number): WinState {
  return { ...state, scene: { win, step: stepOf(win), since: now } };
}

/** Returns if another win may take a step's place: a plate gives way, a celebration and a payment never do. */
function isPlate(step: SceneStep): boolean {
  return step === "pending" || step === "won";
}

/** Returns the time that a step lasts; null if only news can end it. */
function lasting({ waiting }: WinState, step: SceneStep): number | null {
  switch (step) {
    case "celebration":
      return CELEBRATION_MS;
    case "paid":
      return PAID_MS;
    case "leaving":
      return LEAVING_MS;
    case "undone":
      return UNDONE_MS;
    default:
      if (waiting.length === 0) return null;
      return waiting.some(hasNews) ? PLATE_LEAST_MS : PLATE_TURN_MS;
  }
}

/** Puts the next win on the sign: the first one with news, else the first one. */
function present(state: WinState, now: number): WinState {
  const win = state.waiting.find(hasNews) ?? state.waiting[0];
  if (!win) return state;
  return enter({ ...state, waiting: state.waiting.filter((row) => row !== win) }, win, now);
}

/** Returns the time at which `advance` has something to do; null if only news can change the scene. */
export function nextAt(state: WinState): number | null {
  if (!state.scene) return null;
  const lasts = lasting(state, state.scene.step);
  return lasts === null ? null : state.scene.since + lasts;
}
