import { describe, expect, it } from "vitest";
import { NoAnswer, Problem } from "../src/api/client.js";
import { feltSeats, seatPlace } from "../src/floor/felt-model.js";
import {
  type Hit,
  type ListedTable,
  type Round,
  ageText,
  agreement,
  byPit,
  isLong,
  may,
  neighbour,
  numberOf,
  oldestFirst,
  tableWord,
} from "../src/floor/model.js";
import { readRoute, routeAddress } from "../src/floor/route.js";
import { roundsOf, windowBefore } from "../src/floor/rounds.js";
import { type Attempt, type Clock, Sender, coalesced } from "../src/floor/sender.js";
import { waitAfter } from "../src/staff/wait.js";
import { amountOf, envyOf, leftToPay, mainPayout, sumLines } from "../src/floor/sum.js";

const HIT = {
  hit: "C4P-07.2",
  round: "C4P-07.1",
  table: "C4P-07",
  kind: "line",
  state: "pending",
  seat: 3,
  dealer: false,
  hand: "royal-flush",
  level: "mega",
  percent: 100,
  due: "10000.27",
  envy_due: "2000.00",
  order: 1,
  keyed_at: "2026-11-21T13:44:45.902758Z",
  link: "main",
  payouts: [
    { payout: 1, kind: "line", seat: 3, player: null, amount: "10000.27", charged_to: "meter", handed_over: "slip" },
    { payout: 2, kind: "envy", seat: 5, player: null, amount: "1000.00", charged_to: "house", handed_over: "rack" },
    { payout: 3, kind: "envy", seat: 1, player: null, amount: "1000.00", charged_to: "house", handed_over: "rack" },
  ],
} as unknown as Hit;

const TABLE = {
  table: "C4P-07",
  link: "main",
  link_state: "open",
  game: "crazy-4-poker",
  seats: 6,
  state: "in_service",
} as ListedTable;

describe("ages", () => {
  it("count minutes and seconds, and hours from the first on", () => {
    expect([0, 999, 1000, 108_000, 3_599_000, 3_600_000, -5].map(ageText)).toEqual([
      "0:00",
      "0:00",
      "0:01",
      "1:48",
      "59:59",
      "1:00:00",
      "0:00",
    ]);
  });

  it("are long from three minutes on", () => {
    expect([isLong(179_999), isLong(180_000)]).toEqual([false, true]);
  });

  it("put the oldest hit on top, and equal ones by name", () => {
    const row = (hit: string, keyed_at: string) => ({ hit, keyed_at });
    const rows = [
      row("B.1", "2026-11-21T13:44:46Z"),
      row("C.1", "2026-11-21T13:44:45Z"),
      row("A.1", "2026-11-21T13:44:46Z"),
    ];
    expect(oldestFirst(rows).map((hit) => hit.hit)).toEqual(["C.1", "A.1", "B.1"]);
  });
});

describe("tables", () => {
  const round = (state: string) => ({ state }) as Round;

  it("say lost and disabled before anything about their round", () => {
    expect(tableWord({ ...TABLE, state: "lost" }, round("locked"), true)).toBe("lost");
    expect(tableWord({ ...TABLE, state: "disabled" }, round("locked"), true)).toBe("disabled");
  });

  it("are settling while a hit waits, even before their round was read again", () => {
    expect(tableWord(TABLE, round("locked"), true)).toBe("settling");
    expect(tableWord(TABLE, round("settling"), false)).toBe("settling");
    expect(tableWord(TABLE, round("locked"), false)).toBe("locked");
    expect(tableWord(TABLE, null, false)).toBe("open");
  });

  it("stand by pit, those without a pit by link, and those that left not at all", () => {
    const rows = [
      { ...TABLE, table: "T10", pit: "2" },
      { ...TABLE, table: "T9", pit: "2" },
      { ...TABLE, table: "T1", pit: "1" },
      { ...TABLE, table: "X1" },
      { ...TABLE, table: "X2", state: "left" } as ListedTable,
    ];
    expect(byPit(rows).map((pit) => [pit.name, pit.isPit, pit.tables.map((row) => row.table)])).toEqual([
      ["1", true, ["T1"]],
      ["2", true, ["T9", "T10"]],
      ["main", false, ["X1"]],
    ]);
  });
});

describe("a hit", () => {
  it("is read by its own evaluation only", () => {
    const evaluation = (agrees: boolean) =>
      ({ ranking: "five-card", hand: "flush", agrees }) as NonNullable<Hit["evaluation"]>;
    expect(agreement({ kind: "line", evaluation: null })).toBe("noCards");
    expect(agreement({ kind: "line", evaluation: evaluation(true) })).toBe("same");
    expect(agreement({ kind: "line", evaluation: evaluation(false) })).toBe("differs");
    expect(agreement({ kind: "magic_card", evaluation: evaluation(false) })).toBe("same");
  });

  it("has a round with a number, neighbours, and rights that a role or a person may lack", () => {
    expect(numberOf("C4P-07.4711")).toBe("4711");
    expect(neighbour(["a", "b"], null, 1)).toBe("a");
    expect(neighbour(["a", "b"], "a", 1)).toBe("b");
    expect(neighbour(["a", "b"], "b", 1)).toBe("b");
    expect(neighbour([], "b", 1)).toBeNull();
    expect(may({ role: "supervisor" }, "validate")).toBe(true);
    expect(may({ role: "supervisor", rights: ["pay"] }, "validate")).toBe(false);
    expect(may({ role: "manager" }, "validate")).toBe(false);
    expect(may({ role: "auditor" }, "close")).toBe(false);
  });

  it("has the payout of its hand and its envy apart", () => {
    expect(mainPayout(HIT)?.amount).toBe("10000.27");
    expect(envyOf(HIT)).toEqual({ seats: [1, 5], each: "1000.00" });
    expect(envyOf({ payouts: [] })).toBeNull();
  });
});

describe("a sum", () => {
  const payoff = {
    hit: "C4P-07.2",
    link: "main",
    level: "mega",
    since_hit: null,
    since: "2026-11-21T13:44:45.880012Z",
    opening: "10000.00",
    contributions: [{ table: "C4P-07", wagers: 3, amount: "0.27" }],
    entries: [{ position: "9.0", at: "2026-11-21T13:44:45Z", kind: "adjustment" as const, hit: null, amount: "1.00" }],
    before: "10001.27",
    displayed: "10001.27",
    due: "10001.27",
    after: "10000.00",
    difference: "0.00",
  };

  it("keeps the server's lines and order", () => {
    expect(sumLines(payoff).map((line) => [line.kind, line.amount])).toEqual([
      ["opening", "10000.00"],
      ["contribution", "0.27"],
      ["adjustment", "1.00"],
    ]);
  });

  it("shows the level's amount where the hit takes a part of it", () => {
    expect(sumLines({ ...payoff, due: "1000.12" }).at(-1)).toEqual({
      kind: "before",
      level: "mega",
      amount: "10001.27",
    });
  });
});

describe("what is left to pay", () => {
  const paid = { paid: true, at: "2026-11-21T13:44:45Z", by: "sam", document: "1" };
  const withPaid = (numbers: number[], state = "validated") =>
    ({
      ...HIT,
      state,
      payouts: HIT.payouts.map((row) => (numbers.includes(row.payout) ? { ...row, payment: paid } : row)),
    }) as Hit;

  it("is envy once the hand is paid, and nothing before that and after the last payout", () => {
    expect(leftToPay(HIT)).toBeNull();
    expect(leftToPay(withPaid([]))).toBeNull();
    expect(leftToPay(withPaid([1]))).toBe("envy");
    expect(leftToPay(withPaid([1, 2, 3]))).toBeNull();
    expect(leftToPay(withPaid([1], "withdrawn"))).toBeNull();
  });

  it("is the rest where more than envy waits", () => {
    const hit = withPaid([1]);
    const supplement = { ...HIT.payouts[0], payout: 4, kind: "supplement" } as (typeof HIT.payouts)[number];
    expect(leftToPay({ ...hit, payouts: [...hit.payouts, supplement] })).toBe("rest");
  });

  it("stands for the envy where the hand made no wager", () => {
    expect(amountOf(HIT)).toBe("10000.27");
    expect(amountOf({ kind: "envy", due: "0.00", envy_due: "300.00" })).toBe("300.00");
  });
});

describe("the felt", () => {
  it("has seat 1 left, the highest right, and the middle on top, whatever the number of seats", () => {
    for (const seats of [5, 6, 7, 8, 9]) {
      const places = Array.from({ length: seats }, (_, index) => seatPlace(index + 1, seats));
      const xs = places.map((place) => place.x);
      expect(xs).toEqual([...xs].sort((one, other) => one - other));
      expect(new Set(xs).size).toBe(seats);
      expect(places[0]?.y).toBe(places[seats - 1]?.y);
      const highest = Math.min(...places.map((place) => place.y));
      expect(places[Math.floor(seats / 2)]?.y).toBe(highest);
    }
  });

  it("says of each seat what is known", () => {
    const round = { seats: [1, 3, 4, 5], dealer_seats: [], dealt: [1, 2, 3, 4, 5], folded: [4] };
    expect(feltSeats(6, round, HIT).map((seat) => [seat.word, seat.won, seat.envy])).toEqual([
      ["wager", false, "1000.00"],
      ["noWager", false, null],
      ["wager", true, null],
      ["folded", false, null],
      ["wager", false, "1000.00"],
      ["empty", false, null],
    ]);
    expect(feltSeats(3, null, HIT).map((seat) => seat.word)).toEqual(["wager", "unknown", "wager"]);
  });
});

/** A clock whose waits end when the test says so. */
class TestClock implements Clock {
  time = 0;
  waits: { milliseconds: number; act: () => void }[] = [];
  now = () => this.time;
  after(milliseconds: number, act: () => void): () => void {
    const wait = { milliseconds, act };
    this.waits.push(wait);
    return () => {
      this.waits = this.waits.filter((other) => other !== wait);
    };
  }
  end(): void {
    const wait = this.waits.shift();
    this.time += wait?.milliseconds ?? 0;
    wait?.act();
  }
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

function sender(answers: (() => Promise<string>)[], bearer = false) {
  const clock = new TestClock();
  const seen: Attempt[] = [];
  let calls = 0;
  const request = () => {
    const answer = answers[calls];
    calls += 1;
    return answer ? answer() : Promise.reject(new Error("no more answers"));
  };
  const made = new Sender(request, { bearer, clock, seen: (attempt) => seen.push(attempt) });
  return { clock, seen, made, calls: () => calls };
}

const problem = (status: number, code: string, retry: number | null = null) =>
  new Problem(status, code, code, {}, null, retry);
const lost = () => Promise.reject(new NoAnswer("none"));
const refuse = (error: Problem) => () => Promise.reject(error);

describe("a request that is sent until it is answered", () => {
  it("goes out again after each silence, with longer waits", async () => {
    const { clock, seen, made } = sender([lost, lost, () => Promise.resolve("yes")]);
    const answer = made.run();
    await settled();
    expect(seen.at(-1)).toMatchObject({ attempts: 1, firstSentAt: 0, nextAt: 1000 });
    clock.end();
    await settled();
    expect(seen.at(-1)).toMatchObject({ attempts: 2, firstSentAt: 0, nextAt: 3000 });
    clock.end();
    expect(await answer).toBe("yes");
    const waits = { firstMs: 1000, mostMs: 5000 };
    expect([1, 2, 3, 4, 9].map((attempts) => waitAfter(attempts, null, waits))).toEqual([1000, 2000, 4000, 5000, 5000]);
    const asked = [7, 3600].map((seconds) => waitAfter(1, problem(503, "busy", seconds), waits));
    expect(asked).toEqual([7000, 10_000]);
  });

  it("waits as long as the server asks, and not at all if the person does not", async () => {
    const { clock, seen, made } = sender([refuse(problem(503, "busy", 7)), () => Promise.resolve("yes")]);
    const answer = made.run();
    await settled();
    expect(seen.at(-1)?.nextAt).toBe(7000);
    expect(clock.waits.length).toBe(1);
    made.now();
    expect(await answer).toBe("yes");
    expect(clock.waits.length).toBe(0);
  });

  it("ends with a refusal", async () => {
    const { made, calls } = sender([refuse(problem(422, "hit_not_pending"))]);
    await expect(made.run()).rejects.toMatchObject({ code: "hit_not_pending" });
    expect(calls()).toBe(1);
  });

  it("outlasts a lost session, but not a signature that has expired", async () => {
    const session = sender([refuse(problem(401, "unauthenticated")), () => Promise.resolve("yes")]);
    const answer = session.made.run();
    await settled();
    session.clock.end();
    expect(await answer).toBe("yes");
    const signed = sender([refuse(problem(401, "unauthenticated"))], true);
    await expect(signed.made.run()).rejects.toMatchObject({ code: "unauthenticated" });
  });
});

describe("a coalesced read", () => {
  it("runs once more for all calls that came while it ran", async () => {
    const waits: (() => void)[] = [];
    let runs = 0;
    const read = coalesced(() => {
      runs += 1;
      return new Promise<void>((done) => waits.push(done));
    });
    const first = read();
    void read();
    void read();
    waits.shift()?.();
    await settled();
    expect(runs).toBe(2);
    waits.shift()?.();
    await first;
    expect(runs).toBe(2);
  });
});

describe("addresses", () => {
  it("are read as they are written", () => {
    expect(readRoute(routeAddress("hits", "C4P-07.2"))).toEqual({ place: "hits", open: "C4P-07.2" });
    expect(readRoute(routeAddress("exceptions", "main/9.0"))).toEqual({ place: "exceptions", open: "main/9.0" });
    expect(readRoute(routeAddress("two-people"))).toEqual({ place: "two-people", open: null });
  });

  it("lead to the hits if they are none", () => {
    for (const hash of ["", "#", "#nowhere/x", "#<script>"])
      expect(readRoute(hash)).toEqual({ place: "hits", open: null });
    expect(readRoute("#hits/%E0%A4%A")).toEqual({ place: "hits", open: null });
  });
});

describe("rounds of the journal", () => {
  const entry = (sequence: number, event: object, at: string, table = "T1") =>
    ({ position: "1.0", at, actor: table, table, sequence, event, moves: [] }) as never;
  const coinIn = { kind: "coin_in_accepted", seats: [1, 2], dealer_seats: [], dealt: [1, 2, 3], players: {} };

  it("are those of the table, newest first, with folds and their end", () => {
    const rounds = roundsOf(
      [
        entry(1, coinIn, "a"),
        entry(1, coinIn, "x", "T2"),
        entry(2, { kind: "seats_folded", seats: [2] }, "b"),
        entry(3, { kind: "round_closed", hits: [] }, "c"),
        entry(4, coinIn, "d"),
        entry(5, { kind: "round_voided", reason: "misdeal", hits: [] }, "e"),
        entry(6, coinIn, "f"),
      ],
      "T1",
    );
    expect(rounds.map((row) => [row.number, row.lockedAt, row.closedAt, row.folded])).toEqual([
      [6, "f", null, []],
      [1, "a", "c", [2]],
    ]);
  });

  it("are read in half hours backwards that leave no gap", () => {
    const end = Date.parse("2026-11-21T14:00:00Z");
    expect(windowBefore(end, 0)).toEqual({ from: "2026-11-21T13:30:00.000Z", to: "2026-11-21T14:00:00.000Z" });
    expect(windowBefore(end, 1).to).toBe(windowBefore(end, 0).from);
  });
});
