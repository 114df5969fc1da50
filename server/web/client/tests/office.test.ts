import { describe, expect, test } from "vitest";
import { fromMicros, negated, sum, toMicros } from "../src/office/exact.js";
import { asked } from "../src/office/filters.js";
import { amount, exact, named, spanOf } from "../src/office/format.js";
import { may, rolesWith } from "../src/office/rights.js";
import { match, patched, search, to } from "../src/office/router.js";
import { dayBefore } from "../src/office/views/closings.js";
import { hitsCsv } from "../src/office/views/history-csv.js";
import { EMPTY, requestOf as openRequest } from "../src/office/views/open-draft.js";
import { found } from "../src/office/views/open-steps.js";
import { requestOf as personRequest } from "../src/office/views/people.js";
import { cardsIn, requestOf as changeRequest } from "../src/office/views/proposal-new.js";
import { standing } from "../src/office/views/proposal-parts.js";
import { periodOf } from "../src/office/views/reconciliation.js";
import { requestOf as tokenRequest } from "../src/office/views/devices.js";
import { NoAnswer, Problem } from "../src/api/client.js";
import { rightOf } from "../src/staff/changes.js";
import { againAfter } from "../src/office/load.js";
import { payOf, titleLines } from "../src/office/printed.js";

describe("router", () => {
  test("matches a path and reads its parameters", () => {
    expect(match("/links/:link", "/links/main")).toEqual({ link: "main" });
    expect(match("/hits/:hit", "/hits/C4P-07.2.1")).toEqual({ hit: "C4P-07.2.1" });
    expect(match("/links/:link", "/links")).toBeNull();
    expect(match("/links/:link", "/tables/main")).toBeNull();
    expect(match("/links/:link", "/links/%E0%A4%A")).toBeNull();
  });

  test("encodes the parts of an address", () => {
    expect(to("links", "a/b")).toBe("/office/links/a%2Fb");
    expect(match("/links/:link", "/links/a%2Fb")).toEqual({ link: "a/b" });
  });

  test("patches a query, and takes out what is empty", () => {
    expect(patched("?range=day&link=main", { range: "", from: "x" })).toBe("?link=main&from=x");
    expect(patched("?range=day", { range: "" })).toBe("");
  });
});

test("filters are read from the address as the API takes them", () => {
  search.value = "?act=login&name=&from=2026-11-21T06:00&until=never";
  expect(asked("act", "name", "from", "until", "link")).toEqual({
    act: "login",
    from: new Date(2026, 10, 21, 6).toISOString(),
  });
  search.value = "?until=2026-11-21T06:00";
  expect(asked("from", "until")).toEqual({ to: new Date(2026, 10, 21, 6).toISOString() });
});

describe("exact amounts", () => {
  test("are added without floats", () => {
    expect(sum("0.1", "0.2")).toBe("0.30");
    expect(sum("9999999999999.999999", "0.000001")).toBe("10000000000000.00");
    expect(sum("10000.00", "-1.50")).toBe("9998.50");
    expect(sum("1.00", "-1.000001")).toBe("-0.000001");
    expect(sum("1.00", "x")).toBeNull();
  });

  test("read and write the same text", () => {
    for (const text of ["0.00", "0.27", "-1684.32", "10000.000001", "5.10"]) {
      expect(fromMicros(toMicros(text) ?? 0n)).toBe(text);
    }
    expect(toMicros("1,00")).toBeNull();
    expect(toMicros("1.0000001")).toBeNull();
    expect(negated("3.50")).toBe("-3.50");
  });

  test("are cut off for people, never rounded up", () => {
    expect(amount("10000.279", "en-US", "money")).toBe("$10,000.27");
    expect(amount("-1684.32", "en-US")).toBe("\u22121,684.32");
    expect(amount("1.5", "en-US", "signed")).toBe("+1.50");
    expect(amount("123456789012345678.91", "en-US")).toBe("123,456,789,012,345,678.91");
    expect(exact("0.123456", "en-US")).toBe("0.123456");
  });
});

test("names and spans are for people", () => {
  expect(named("four-of-a-kind")).toBe("Four-of-a-kind");
  expect(named("hit_recorded")).toBe("Hit recorded");
  expect(spanOf(22 * 3_600_000 + 14 * 60_000)).toEqual({ days: 0, hours: 22, minutes: 14 });
  expect(spanOf(-5)).toEqual({ days: 0, hours: 0, minutes: 0 });
});

describe("rights", () => {
  const manager = { role: "manager", rights: null, department: "finance" } as const;

  test("are those of the role", () => {
    expect(may(manager, "configure")).toBe(true);
    expect(may(manager, "validate")).toBe(false);
    expect(may({ ...manager, role: "auditor" }, "read_acts")).toBe(true);
    expect(may({ ...manager, role: "administrator" }, "read_link")).toBe(false);
    expect(rolesWith("run")).toEqual(["manager"]);
  });

  test("may be fewer by name, but never the reading ones", () => {
    const cashier = { role: "supervisor", rights: ["pay"], department: "cage" } as never;
    expect(may(cashier, "pay")).toBe(true);
    expect(may(cashier, "validate")).toBe(false);
    expect(may(cashier, "read_floor")).toBe(true);
  });

  test("of two people need a department", () => {
    expect(may(manager, "adjust")).toBe(true);
    expect(may({ ...manager, department: null }, "adjust")).toBe(false);
  });
});

describe("proposals", () => {
  const proposal = { proposed_by: "sam", proposed_department: "slots" };

  test("are decided by another person of another department", () => {
    expect(standing(proposal, { name: "ana", department: "finance" })).toBe("mayDecide");
    expect(standing(proposal, { name: "SAM", department: "finance" })).toBe("samePerson");
    expect(standing(proposal, { name: "lee", department: "Slots" })).toBe("sameDepartment");
    for (const change of ["clear_fault", "acknowledge_returns", "adopt_table"]) expect(rightOf(change)).toBe("reset");
    expect(rightOf("adjust")).toBe("adjust");
  });

  test("are built from their fields alone", () => {
    const fields = {
      change: "adjust",
      reason: "variance",
      level: "mega",
      account: "meter",
      amount: " -1.50 ",
      hit: "x",
    };
    expect(changeRequest(fields)).toEqual({
      change: "adjust",
      level: "mega",
      account: "meter",
      amount: "-1.50",
      reason: "variance",
    });
    const late = { change: "late_hit", reason: "missed", table: "C4P-07", round: "4711", seat: "", hand: "flush" };
    expect(changeRequest({ ...late, cards: "As Ks, Qs" })).toMatchObject({
      round: 4711,
      dealer: true,
      cards: ["As", "Ks", "Qs"],
    });
    expect(changeRequest({ ...late, seat: "3" })).toMatchObject({ seat: 3 });
    expect(cardsIn("")).toEqual([]);
  });
});

describe("opening a link", () => {
  test("sends only what was filled in", () => {
    const draft = { ...EMPTY, paytable: "pa-657a-five-card-c", wager: "1.00" };
    expect(openRequest(draft, ["mega"])).toEqual({
      paytable: "pa-657a-five-card-c",
      wager: "1.00",
      decks: 1,
      reserve_policy: "add",
      badge_required: true,
    });
    const more = { ...draft, "ceiling-mega": "25000.00", rate: "10", confirm: "yes", badge: "" };
    expect(openRequest(more, ["mega"])).toMatchObject({
      ceilings: { mega: "25000.00" },
      rounds_a_minute_max: 10,
      confirm_inferred: true,
      badge_required: false,
    });
  });

  test("finds paytables by all words", () => {
    const paytable = { title: "Crazy 4 Poker, Paytable C", citation: "58 Pa. Code § 657a.12(e)", paytable: "pa-c" };
    const all = [{ ...paytable, jurisdiction: "PA" } as never];
    expect(found(all, "crazy 657a")).toHaveLength(1);
    expect(found(all, "crazy stud")).toHaveLength(0);
    expect(found(all, "")).toHaveLength(1);
  });

  test("draws lines as they are printed", () => {
    expect(payOf({ percent: 100, level: "mega", for_one: null })).toBe("100% of mega");
    expect(payOf({ percent: null, level: null, for_one: 1000 })).toBe("1,000 for 1");
    expect(payOf({ percent: null, level: "meter", for_one: 50 })).toBe("50 for 1 off meter");
    expect(titleLines("Crazy 4 Poker, Five-Card Wager, Paytable C")).toEqual({
      game: "Crazy 4 Poker",
      lines: ["Five-Card Wager", "Paytable C"],
    });
    expect(titleLines("Own")).toEqual({ game: "", lines: ["Own"] });
  });
});

test("an admission leaves out what does not fit the role", () => {
  const values = { name: " lee ", role: "auditor", department: "floor", rights: "pay", openid: "" };
  expect(personRequest(values)).toEqual({ name: "lee", role: "auditor" });
  expect(personRequest({ ...values, role: "supervisor", rights: "validate, pay" })).toEqual({
    name: "lee",
    role: "supervisor",
    department: "floor",
    rights: "validate,pay",
  });
});

test("a token is bound to what was chosen", () => {
  const values = {
    name: "C4P-07",
    role: "controller",
    table: "C4P-07",
    link: "",
    department: "",
    rights: "",
    expires: "",
  };
  expect(tokenRequest(values)).toEqual({ name: "C4P-07", role: "controller", table: "C4P-07" });
});

test("periods begin where their segment says", () => {
  const now = new Date(2026, 10, 22, 15, 30);
  expect(periodOf("shift", now, "", "").from).toBe(new Date(2026, 10, 22, 7, 30).toISOString());
  expect(periodOf("day", now, "", "").from).toBe(new Date(2026, 10, 22).toISOString());
  expect(periodOf("month", now, "", "").from).toBe(new Date(2026, 10, 1).toISOString());
  expect(periodOf("all", now, "", "")).toEqual({ from: "", to: "" });
  expect(periodOf("between", now, "2026-11-21T06:00", "").from).toBe(new Date(2026, 10, 21, 6).toISOString());
  expect(dayBefore(new Date("2026-11-22T00:05:00Z"))).toBe("2026-11-21");
});

test("a CSV has no formula and quotes what needs it", () => {
  const mark = { hit: "=1", at: 0, table: 'a"b', hand: null, percent: 100, state: "paid" };
  const csv = hitsCsv("main", "mega", { marks: [{ ...mark, due: "1.00", before: "2.00", after: "1.00" }] });
  expect(csv.split("\r\n")[1]).toBe(`main,mega,'=1,1970-01-01T00:00:00.000Z,"a""b",,100,paid,2.00,1.00,1.00`);
});

test("what had no answer is asked for again later each time, and never sooner than the server says", () => {
  const busy = new Problem(503, "busy", "", {}, null, 5);
  expect([0, 1, 2, 9].map((attempt) => againAfter(new NoAnswer(), attempt))).toEqual([2_000, 4_000, 8_000, 30_000]);
  expect(againAfter(busy, 0)).toBe(5_000);
});
