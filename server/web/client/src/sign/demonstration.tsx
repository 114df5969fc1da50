// A sign with invented amounts, for the preview of the theme editor. The page around it, of the same server, sends the theme
// and the state to show; no feed is opened.

import { batch, signal } from "@preact/signals";
import { render } from "preact";
import type { LevelHand, LinkLevel } from "../api/feed.js";
import { INITIAL, type FeedState, type Liveness } from "../feed/reducer.js";
import { textsOf } from "../text/index.js";
import type { HouseTheme } from "../themes/own.js";
import { NO_WINS, type SceneStep, type Win } from "../wins/machine.js";
import { readOptions } from "./options.js";
import { Scenes } from "./scenes.js";
import type { Problem, ShownSession } from "./session.js";
import { Sign } from "./sign.js";

/** The states that the preview shows. */
export type DemonstrationState = "amounts" | "pending" | "win" | "stale";

/** What the page around the preview sends. */
export interface DemonstrationMessage {
  kind: "demonstration";
  theme: HouseTheme;
  state: DemonstrationState;
  /** Number of levels. */
  levels: number;
}

const TICK_MS = 1_400;
const LEVELS: readonly { level: string; cents: bigint; step: bigint; hands: LevelHand[] }[] = [
  { level: "mega", cents: 12_345_678n, step: 70n, hands: [{ hand: "royal-flush", percent: 100 }] },
  { level: "major", cents: 1_842_05n, step: 30n, hands: [{ hand: "straight-flush", percent: 100 }] },
  { level: "minor", cents: 631_40n, step: 20n, hands: [{ hand: "four-of-a-kind", percent: 100 }] },
  { level: "mini", cents: 152_75n, step: 10n, hands: [{ hand: "full-house", percent: 100 }] },
  { level: "fifth", cents: 84_20n, step: 5n, hands: [{ hand: "flush", percent: 100 }] },
  { level: "sixth", cents: 41_15n, step: 5n, hands: [{ hand: "straight", percent: 100 }] },
];

const WIN: Win = {
  link: "demonstration",
  hit: "T1.1",
  order: 1,
  level: "mega",
  table: "T1",
  hand: "royal-flush",
  whole: true,
  cents: 12_345_678n,
  state: "pending",
  cards: ["As", "Ks", "Qs", "Js", "Ts"],
  status: "pending",
  celebrated: false,
  early: false,
};

const STEPS: Readonly<Partial<Record<DemonstrationState, SceneStep>>> = { pending: "pending", win: "celebration" };

/** Draws the demonstration, and says to the page around it that it listens. */
export function demonstrate(): void {
  const scenes = new Scenes();
  const draft = signal<HouseTheme | null>(null);
  const count = signal(3);
  const feed = signal<FeedState>({ ...INITIAL, position: "1" });
  const live = signal<Liveness>({ kind: "live" });
  const levels = signal<readonly LinkLevel[]>([]);
  const session: ShownSession = { link: "demonstration", feed, live, levels, problem: signal<Problem>(null) };
  let ticks = 0n;

  function show(): void {
    const shown = LEVELS.slice(0, count.value);
    batch(() => {
      feed.value = {
        ...feed.peek(),
        title: textsOf(draft.value?.locale ?? "en-US").demonstration,
        levels: shown.map(({ level, cents, step }) => ({ level, cents: cents + ticks * step })),
      };
      levels.value = shown.map(({ level, hands }) => ({ level, hands, ceiling: null }));
    });
  }

  function take({ theme, state, levels: wanted }: DemonstrationMessage): void {
    const now = performance.now();
    batch(() => {
      draft.value = theme;
      count.value = wanted;
      live.value = state === "stale" ? { kind: "stale", since: now - 60_000 } : { kind: "live" };
      const step = STEPS[state];
      const before = scenes.wins.peek().scene;
      if (before?.step !== step) {
        const win: Win = { ...WIN, status: state === "win" ? "validated" : "pending" };
        scenes.wins.value = { ...NO_WINS, scene: step ? { win, step, since: now } : null };
      }
    });
    show();
  }

  addEventListener("message", (event) => {
    const message = event.data as Partial<DemonstrationMessage> | null;
    if (event.origin === location.origin && event.source === parent && message?.kind === "demonstration")
      take(message as DemonstrationMessage);
  });
  setInterval(() => {
    if (live.peek().kind === "stale") return;
    ticks += 1n;
    show();
  }, TICK_MS);
  const address = { ...readOptions(new URL(location.href)), links: ["demonstration"], name: null };
  function Demonstration() {
    return draft.value && <Sign address={address} sessions={[session]} scenes={scenes} draft={draft.value} />;
  }
  render(<Demonstration />, document.body);
  parent.postMessage({ kind: "demonstrates" }, location.origin);
}
