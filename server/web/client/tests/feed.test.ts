// The feed's reducer: resume, replayed events, undone hits, silence.

import { expect, test } from "vitest";
import { parseMessage, type FeedMessage, type HitSummary, type Snapshot } from "../src/api/feed.js";
import {
  INITIAL,
  STALE_MS,
  disconnected,
  isAfter,
  liveness,
  receive,
  winFacts,
  type FeedState,
} from "../src/feed/reducer.js";
import { backoff, feedAddress } from "../src/feed/socket.js";
import { NO_WINS, takeNews } from "../src/wins/machine.js";

const HIT: HitSummary = {
  at: "2026-11-26T11:00:00.000000Z",
  hit: "C4P-07.2",
  order: 7,
  table: "C4P-07",
  kind: "line",
  state: "pending",
  hand: "royal-flush",
  level: "mega",
  percent: 100,
  due: "10000.27",
};

function snapshot(over: Partial<Snapshot> = {}): Snapshot {
  return {
    type: "snapshot",
    link: "main",
    title: "Main",
    state: "open",
    disabled: [],
    batch: 10,
    position: "10.2147483647",
    missing: false,
    at: "2026-11-26T11:00:30.000000Z",
    seal: "10.a",
    levels: [
      { level: "mega", amount: "10000.00" },
      { level: "minor", amount: "250.09" },
    ],
    hits: [],
    ...over,
  };
}

function run(messages: readonly FeedMessage[], from: FeedState = INITIAL) {
  let state = from;
  let wins = NO_WINS;
  messages.forEach((message, index) => {
    const step = receive(state, message, index);
    state = step.state;
    for (const news of step.news) wins = takeNews(wins, "main", news, index);
  });
  return { state, wins };
}

test("amounts follow the snapshot and newer batches only", () => {
  const { state } = run([
    snapshot(),
    { type: "meters", batch: 12, levels: [{ level: "mega", amount: "10000.40" }], seal: "12.b" },
    { type: "meters", batch: 11, levels: [{ level: "mega", amount: "10000.20" }], seal: "11.c" },
  ]);
  expect(state.levels).toEqual([{ level: "mega", cents: 1_000_040n }]);
  expect([state.batch, state.seal]).toEqual([12, "12.b"]);
});

test("a sign resumes after its last event, not after the meters', with its newest seal", () => {
  const { state } = run([
    snapshot(),
    { ...HIT, type: "hit", position: "11.0" },
    { type: "meters", batch: 14, levels: [], seal: "14.d" },
  ]);
  expect([state.position, state.seal]).toEqual(["11.0", "14.d"]);
  expect(feedAddress("https://sign.example/sign/main?theme=neon", "main", state.position, state.seal)).toBe(
    "wss://sign.example/v1/links/main/feed?after=11.0&seal=14.d",
  );
  expect(feedAddress("http://house.example/floor", "main", null, null, "floor")).toBe(
    "ws://house.example/v1/links/main/feed?audience=floor",
  );
});

test("nothing counts between two connections until the next snapshot", () => {
  const { state } = run([snapshot()]);
  const cut = disconnected(state);
  const after = receive(cut, { type: "meters", batch: 99, levels: [], seal: null }, 50);
  expect(after.state).toBe(cut);
});

test("replayed events do not move the position back, and repeat nothing that the snapshot has", () => {
  const first = run([snapshot(), { ...HIT, type: "hit", position: "11.0" }]);
  let wins = first.wins;
  let state = disconnected(first.state);
  const again: FeedMessage[] = [
    snapshot({ batch: 20, position: "20.2147483647", hits: [{ ...HIT, state: "validated" }] }),
    { type: "hit_changed", position: "12.0", hit: HIT.hit, state: "undone", due: null },
    { type: "hit_changed", position: "13.0", hit: HIT.hit, state: "validated", due: null },
  ];
  for (const message of again) {
    const step = receive(state, message, 1_000);
    state = step.state;
    for (const news of step.news) wins = takeNews(wins, "main", news, 1_000);
  }
  expect(state.position).toBe("20.2147483647");
  expect(wins.scene?.step).toBe("celebration");
});

test("a win of an outage is celebrated if it is recent, and left alone if it is old", () => {
  const known = run([snapshot()]).state;
  const missed = (at: string) => {
    const hit = { ...HIT, at, state: "paid" };
    return run(
      [
        snapshot({ batch: 20, position: "20.5", hits: [hit] }),
        { ...hit, state: "pending", type: "hit", position: "15.0" },
      ],
      disconnected(known),
    ).wins;
  };
  expect(missed("2026-11-26T11:00:00.000000Z").scene?.step).toBe("celebration");
  expect(missed("2026-11-26T10:00:00.000000Z").scene).toBeNull();
});

test("a first snapshot shows what is still pending, and celebrates nothing", () => {
  const hits = [
    { ...HIT, hit: "C4P-01.9", order: 9, state: "validated" },
    { ...HIT, hit: "C4P-01.8", order: 8, state: "paid" },
    HIT,
  ];
  const { wins } = run([snapshot({ hits })]);
  expect([wins.scene?.win.hit, wins.scene?.step, wins.waiting.length]).toEqual([HIT.hit, "pending", 0]);
});

test("a pending win stays across a reconnect, and one that the snapshot lacks is undone", () => {
  const first = run([snapshot(), { ...HIT, type: "hit", position: "11.0" }]);
  const take = (hits: HitSummary[]) => {
    const step = receive(disconnected(first.state), snapshot({ batch: 20, position: "20.5", hits }), 500);
    return step.news.reduce((wins, news) => takeNews(wins, "main", news, 500), first.wins).scene?.step;
  };
  expect(take([HIT])).toBe("pending");
  expect(take([])).toBe("undone");
});

test("only hits that take a percentage of a level are wins", () => {
  expect(winFacts(HIT)?.cents).toBe(1_000_027n);
  expect(winFacts({ ...HIT, level: null, percent: null })).toBeNull();
  expect(winFacts({ ...HIT, percent: null })).toBeNull();
  expect(winFacts({ ...HIT, kind: "envy" })).toBeNull();
  expect(winFacts({ ...HIT, percent: 10 })?.whole).toBe(false);
});

test("a sign is stale within three seconds of silence, and a heartbeat keeps it live", () => {
  expect(STALE_MS).toBeLessThan(3_000);
  const heard = receive(INITIAL, snapshot(), 1_000).state;
  expect(liveness(heard, 0, 1_000 + STALE_MS - 1)).toEqual({ kind: "live" });
  expect(liveness(heard, 0, 1_000 + STALE_MS)).toEqual({ kind: "stale", since: 1_000 });
  const beaten = receive(heard, { type: "heartbeat" }, 3_000).state;
  expect(liveness(beaten, 0, 4_000)).toEqual({ kind: "live" });
  expect(liveness(INITIAL, 0, 100)).toEqual({ kind: "waiting" });
  expect(liveness(INITIAL, 0, 5_000)).toEqual({ kind: "stale", since: null });
});

test("a faulted link is not live, though its feed beats", () => {
  const { state } = run([
    snapshot(),
    { type: "link_state", position: "11.0", state: "faulted", reason: null, disabled: null },
  ]);
  expect(liveness(state, 0, 2)).toEqual({ kind: "stale", since: null });
});

test("a level that is off is known, and a message that does not say keeps it", () => {
  const { state } = run([
    snapshot(),
    { type: "link_state", position: "11.0", state: "open", reason: null, disabled: ["mega"] },
    { type: "link_state", position: "12.0", state: "suspended", reason: null, disabled: null },
  ]);
  expect([state.disabled, state.linkState]).toEqual([["mega"], "suspended"]);
});

test("positions are compared by batch and event", () => {
  expect(isAfter("9.5", "10.0")).toBe(false);
  expect(isAfter("10.10", "10.9")).toBe(true);
  expect(isAfter("10.9", "10.9")).toBe(false);
});

test("messages of a later release are let pass, and what is none ends the connection", () => {
  expect(parseMessage('{"type":"weather"}')).toBeUndefined();
  expect(parseMessage("{")).toBeNull();
  expect(parseMessage("7")).toBeNull();
});

test("attempts come at longer intervals, spread by chance, and never later than ten seconds", () => {
  expect([backoff(0, 0), backoff(0, 1)]).toEqual([250, 500]);
  expect(backoff(3, 0)).toBe(2_000);
  expect(backoff(40, 1)).toBe(10_000);
});

test("cards come with the validation if the table did not send them", () => {
  const cards = ["As", "Ks", "Qs", "Js", "Ts"];
  const { wins } = run([
    snapshot({ hits: [{ ...HIT, state: "pending" }] }),
    { type: "hit_changed", position: "12.0", hit: HIT.hit, state: "validated", due: null, cards },
  ]);
  expect(wins.scene?.win.cards).toEqual(cards);
});

test("a presentation is followed, and has no position", () => {
  const presentation = { name: "Northern Crown", celebration: "hit", theme: "neon", locale: "es-MX" } as const;
  const { state, wins } = run([snapshot(), { type: "presentation", presentation }]);
  expect([state.presentation, state.position]).toEqual([presentation, snapshot().position]);
  expect(wins.celebrations).toEqual({ main: "hit" });
});
