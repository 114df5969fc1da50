import { describe, expect, test } from "vitest";
import {
  type Mark,
  inside,
  meterLine,
  moved,
  neighbour,
  rangeOf,
  reserveLine,
  stepLine,
  zoomed,
} from "../src/office/plot/history.js";
import { drawnOf, pointsOf } from "../src/office/plot/history-stretches.js";
import { greatestMeter, lowestPercent, percentOf, returnAt } from "../src/office/plot/returns.js";
import { axis, linear, pathOf, timeLabels } from "../src/office/plot/scale.js";
import { readDemo, keypadAddress, peopleOf } from "../src/front/demo.js";

const mark = (over: Partial<Mark>): Mark => ({
  hit: "C4P-07.2",
  at: 50,
  table: "C4P-07",
  hand: "royal-flush",
  percent: 100,
  state: "paid",
  due: "120.00",
  before: "120.00",
  after: "100.00",
  ...over,
});

describe("the line of a meter", () => {
  const points = [
    { at: 0, meter: "110.00", reserve: "1.00" },
    { at: 50, meter: "100.00", reserve: "0.00" },
    { at: 100, meter: "105.00", reserve: "0.00" },
  ];

  test("drops vertically from the stored before to the stored after", () => {
    expect(meterLine(points, [mark({})])).toEqual([
      [0, 110],
      [50, 120],
      [50, 100],
      [100, 105],
    ]);
  });

  test("has a reserve only where there is one", () => {
    expect(reserveLine(points)).toHaveLength(3);
    expect(reserveLine(points.map((point) => ({ ...point, reserve: "0.00" })))).toEqual([]);
  });
});

test("the steps of single batches stand until the next one", () => {
  const step = { position: "4", at: 5, kind: "coin_in_accepted", round: "C4P-07.4", table: "C4P-07" } as const;
  const steps = [{ ...step, change: "0.50", meter: "10000.50", reserve: "0.00" }];
  expect(stepLine(steps, { at: 0, meter: "10000.00", reserve: "0.00" }, 15)).toEqual([
    [0, 10000],
    [5, 10000],
    [5, 10000.5],
    [15, 10000.5],
  ]);
});

describe("periods", () => {
  const life = { from: 0, until: 1_000_000 };

  test("zoom around a moment and stay inside the life of the link", () => {
    expect(zoomed(life, 500_000, 0.5, life)).toEqual({ from: 250_000, until: 750_000 });
    expect(zoomed({ from: 0, until: 2_000 }, 0, 0.1, life)).toEqual({ from: 0, until: 1_000 });
    expect(zoomed({ from: 900_000, until: 1_000_000 }, 1_000_000, 4, life)).toEqual({
      from: 600_000,
      until: 1_000_000,
    });
    expect(moved({ from: 0, until: 100_000 }, -0.4, life)).toEqual({ from: 0, until: 100_000 });
    expect(inside({ from: -10, until: 5_000_000 }, life)).toEqual(life);
  });

  test("have names", () => {
    expect(rangeOf("all", life)).toEqual(life);
    expect(rangeOf("hour", { from: 0, until: 7_200_000 })).toEqual({ from: 3_600_000, until: 7_200_000 });
  });

  test("keys go from hit to hit and stop at the ends", () => {
    const marks = [mark({ hit: "b", at: 2 }), mark({ hit: "a", at: 1 })];
    expect(neighbour(marks, null, 1)?.hit).toBe("a");
    expect(neighbour(marks, "a", 1)?.hit).toBe("b");
    expect(neighbour(marks, "b", 1)?.hit).toBe("b");
    expect(neighbour(marks, null, -1)?.hit).toBe("b");
    expect(neighbour([], null, 1)).toBeNull();
  });
});

describe("scales", () => {
  test("an axis has round values and reaches the top", () => {
    expect(axis(0, 50_502)).toEqual([0, 20_000, 40_000, 60_000]);
    expect(axis(0, 0.5).at(-1)).toBeGreaterThanOrEqual(0.5);
  });

  test("pixels and values convert into each other", () => {
    const scale = linear([0, 100], [10, 210]);
    expect(scale(50)).toBe(110);
    expect(scale.invert(110)).toBe(50);
    expect(
      pathOf([
        [0, 1],
        [2, 3],
      ]),
    ).toBe("M0.0 1.0L2.0 3.0");
  });

  test("labels stand where a unit begins, with the year at its first month", () => {
    const labels = timeLabels(Date.UTC(2025, 11, 5), Date.UTC(2026, 10, 30), "en-US");
    expect(labels[0]?.label).toMatch(/2026|2025/);
    expect(labels.filter(({ label }) => label.includes("2026"))).toHaveLength(1);
    for (const { at } of labels) expect(new Date(at).getDate()).toBe(1);
  });
});

describe("returns", () => {
  test("lie on the line through two points", () => {
    const [one, other] = [
      { meter: 10_000, percent: 56.89 },
      { meter: 348_096, percent: 108.92 },
    ];
    expect(returnAt(10_000, one, other)).toBe(56.89);
    expect(returnAt(290_080, one, other)).toBeCloseTo(100, 1);
    expect(percentOf("56.89%")).toBe(56.89);
    expect(greatestMeter(10_000, 290_080, 68_476)).toBe(348_096);
    expect(greatestMeter(10_000, null, 68_476)).toBe(136_952);
    expect(lowestPercent([56.89, 75.89])).toBe(40);
  });
});

describe("the demo's offer", () => {
  const offer = {
    link: "main",
    table: { table: "C4P-99", token: "a b" },
    people: [
      { name: "sam", role: "supervisor", department: "floor", password: "x", pin: "4071" },
      { name: "max", role: "manager", department: null, password: "y" },
      { name: "broken" },
    ],
  };

  test("is read leniently, and anything else is no demo", () => {
    const demo = readDemo(offer);
    expect(demo?.people.map(({ name, pin }) => [name, pin])).toEqual([
      ["sam", "4071"],
      ["max", null],
    ]);
    expect(readDemo(null)).toBeNull();
    expect(readDemo({ link: "main" })).toBeNull();
    expect(readDemo("<!doctype html>")).toBeNull();
  });

  test("has the keypad's token behind the hash, where no server sees it", () => {
    const demo = readDemo(offer);
    if (demo === null) throw new Error("no demo");
    expect(keypadAddress(demo)).toBe("/table/C4P-99#token=a%20b&badge=d-12");
    expect(peopleOf(demo, ["manager", "supervisor"]).map(({ name }) => name)).toEqual(["max", "sam"]);
  });
});

describe("the server's stretches", () => {
  const range = (first: string, min: string, max: string, last: string) => ({ first, min, max, last });
  const none = range("0.00", "0.00", "0.00", "0.00");
  const time = (second: number) => `2026-11-21T13:44:${String(second).padStart(2, "0")}.000Z`;
  const at = (second: number) => Date.parse(time(second));
  const base = { from: time(0), to: time(40), is_each_batch: false, coin_ins: null };

  test("keep what lies outside of their ends, the greatest before the least", () => {
    const points = [
      { from: time(10), to: time(30), batch: 9, amount: range("110", "100", "120", "105"), reserve: none },
    ];
    expect(pointsOf({ ...base, points }).map((point) => [point.at, point.meter])).toEqual([
      [at(10), "110"],
      [at(20), "120"],
      [at(20), "100"],
      [at(30), "105"],
      [at(40), "105"],
    ]);
  });

  test("give way to the before and after of a hit", () => {
    const points = [
      { from: time(10), to: time(30), batch: 9, amount: range("110", "100", "120", "105"), reserve: none },
    ];
    const hit = mark({ at: at(25) });
    const drawn = drawnOf({ ...base, points }, [hit]);
    expect(meterLine(drawn.points, [hit]).map(([, value]) => value)).toEqual([110, 120, 100, 105, 105]);
    expect(drawn.steps).toBeNull();
  });

  test("are steps where each batch has its own", () => {
    const points = [
      { from: time(10), to: time(10), batch: 4, amount: range("100.00", "100.00", "100.27", "100.27"), reserve: none },
      { from: time(11), to: time(11), batch: 5, amount: range("100.27", "100.00", "100.27", "100.00"), reserve: none },
      { from: time(12), to: time(12), batch: 6, amount: range("100.00", "100.00", "100.00", "100.00"), reserve: none },
    ];
    const coinIns = [{ at: time(10), batch: 4, round: "C4P-07.1", table: "C4P-07", amount: "0.27" }];
    const history = { ...base, is_each_batch: true, points, coin_ins: coinIns };
    const drawn = drawnOf(history, [mark({ at: at(11) })]);
    expect(drawn.steps?.map(({ kind, round, change, meter }) => [kind, round, change, meter])).toEqual([
      ["coin_in_accepted", "C4P-07.1", "0.27", "100.27"],
      ["hit_recorded", null, "-0.27", "100.00"],
    ]);
    expect(drawnOf({ ...history, points: [] }, []).opening.meter).toBe("0.00");
  });
});
