import { describe, expect, it } from "vitest";
import api from "../../../../docs/API.md?raw";
import openapi from "../../../../docs/openapi.json";
import { aboutOf, decidedHit, decisionOf, detailsOf } from "../src/office/acts.js";
import { isResettled, movesOf } from "../src/office/hit-moves.js";
import { boxOf, placed } from "../src/office/plot/labels.js";
import { timeLabels } from "../src/office/plot/scale.js";
import { titleLines, citationOf } from "../src/office/printed.js";
import { found } from "../src/office/views/open-steps.js";
import { en } from "../src/text/office.en.js";
import { es } from "../src/text/office.es.js";

type Act = Parameters<typeof decidedHit>[0];
const texts = en.proof.audit;

function act(subject: string, details: Record<string, string> = {}): Act {
  return {
    number: 7,
    at: "2026-11-21T13:44:45.902758Z",
    act: "request",
    name: "sam",
    known: true,
    proof: "signature",
    address: "10.0.4.7",
    subject,
    details: Object.entries(details).map(([name, value]) => ({ name, value })),
  } as Act;
}

describe("an act in words", () => {
  it("says what the request was about, in both languages", () => {
    expect(aboutOf("PUT /v1/hits/C4P-07.2/validation")).toEqual({ kind: "decision", name: "C4P-07.2" });
    expect(aboutOf("PUT /v1/hits/C4P-07.2/payouts/1/payment")).toEqual({ kind: "payment", name: "C4P-07.2" });
    expect(aboutOf("DELETE /v1/links/main/suspension")).toEqual({ kind: "resumption", name: "main" });
    expect(aboutOf("POST /v1/links/main/closings/2026-11-21/sign-off")?.name).toBe("main, 2026-11-21");
    expect(aboutOf("PUT /v1/links/main/levels/mega/disabled")).toEqual({ kind: "levelOff", name: "main, mega" });
    expect(aboutOf("PUT /v1/hits/%E0/validation")?.name).toBe("%E0");
    for (const raw of [null, "", "sam", "PUT /v1/unknown", "GET /v1/hits/C4P-07.2/validation"])
      expect(aboutOf(raw), String(raw)).toBeNull();
    expect(texts.requests.decision("C4P-07.2")).toBe("Decision about hit C4P-07.2");
    expect(es.proof.audit.requests.decision("C4P-07.2")).toBe("Decisión sobre el premio C4P-07.2");
  });

  it("has words for each act of the API, in both languages", () => {
    const table = api.slice(api.indexOf("| act | what happened |")).split("\n\n")[0] ?? "";
    const acts = [...table.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, cell]) => cell?.match(/[a-z_]+/g) ?? []);
    expect(acts.length).toBeGreaterThan(25);
    for (const { actKinds } of [texts, es.proof.audit]) expect(Object.keys(actKinds).sort()).toEqual(acts.sort());
  });

  it("has words for each request that is recorded", () => {
    const requests = Object.entries(openapi.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, "1")}`),
    );
    // What records itself, what the journal has, what screens and programs send, and what changes nothing.
    const others =
      /^GET |\/v1\/(login|password|session|people|screens|tokens|pairings|shown|evaluations|rounds|witness)\b/;
    const recorded = requests.filter((one) => !others.test(one) && !/\/(commands\/1|heartbeat)$/.test(one));
    expect(recorded.length).toBeGreaterThan(20);
    expect(recorded.filter((one) => aboutOf(one) === null)).toEqual([]);
  });

  it("says how it ended", () => {
    expect(detailsOf(act("", { status: "201" }), texts)).toBe("done");
    expect(detailsOf(act("", { status: "401", code: "pin_wrong" }), texts)).toBe("refused: pin wrong");
    expect(detailsOf(act("", { on: "sam", on_proof: "session", failures: "1" }), texts)).toBe(
      "on the session of sam, failures in a row: 1",
    );
    expect(detailsOf(act("", { later_field: "x" }), texts)).toBe("later field x");
  });

  it("takes the decision from the hit, if it is still the one of the act", () => {
    const decision = act("PUT /v1/hits/C4P-07.2/validation", { status: "201" });
    expect(decidedHit(decision)).toBe("C4P-07.2");
    expect(decidedHit(act("PUT /v1/hits/C4P-07.2/validation", { status: "422" }))).toBeNull();
    expect(decidedHit(act("PUT /v1/hits/C4P-07.2/payouts/1/slip", { status: "201" }))).toBeNull();
    const hit = { state: "paid" as const, decided_by: "sam", decided_at: "2026-11-21T13:44:45.900000Z" };
    expect(decisionOf(decision, hit)).toBe("approved");
    expect(decisionOf(decision, { ...hit, state: "rejected" })).toBe("rejected");
    expect(decisionOf(decision, { ...hit, state: "pending" })).toBeNull();
    expect(decisionOf(decision, { ...hit, decided_by: "lee" })).toBeNull();
    expect(decisionOf(decision, { ...hit, decided_at: "2026-11-21T13:46:00Z" })).toBeNull();
    expect(decisionOf(decision, undefined)).toBeNull();
  });
});

type Facts = Parameters<typeof movesOf>[0];
const move = (from: string, to: string, amount: string, book = "mega") => ({ book, from, to, amount });
const entry = (event: object, moves: object[]) => ({ position: "1.0", event, moves });
const RECORDED = entry({ kind: "hit_recorded" }, [
  move("meter", "pending", "10000.00"),
  move("house", "meter", "10000.00"),
  move("house", "pending", "2000.00", "fixed"),
]);
const RESETTLED = entry({ kind: "hit_rejected", hit: "C4P-02.42" }, [
  move("meter", "house", "10000.00"),
  move("pending", "meter", "10000.00"),
  move("meter", "house", "10000.00"),
  move("pending", "meter", "10046.71"),
  move("meter", "pending", "10046.71"),
  move("house", "meter", "10000.00"),
]);
const PAID = entry({ kind: "payout_paid", hit: "C4P-01.139" }, [move("pending", "paid", "10046.71")]);

describe("the moves of a hit", () => {
  const hit = (before: string, after: string, entries: object[]) => ({ before, after, entries }) as unknown as Facts;

  it("are those of its record", () => {
    expect(movesOf(hit("10000.00", "10000.00", [RECORDED]), "mega")).toEqual([
      { account: "pending", amount: "-10000.00", taken: true },
      { account: "house", amount: "10000.00", taken: false },
    ]);
    expect(movesOf(hit("10000.00", "10000.00", [RECORDED]), "major")).toEqual([]);
  });

  it("are those of the settlement that stands, so that before and moves give after", () => {
    const resettled = hit("10046.71", "10000.00", [RECORDED, RESETTLED, PAID]);
    expect(movesOf(resettled, "mega")).toEqual([
      { account: "pending", amount: "-10046.71", taken: true },
      { account: "house", amount: "10000.00", taken: false },
    ]);
  });

  it("are none where no run of them adds up", () => {
    expect(movesOf(hit("10046.71", "9000.00", [RECORDED, RESETTLED]), "mega")).toEqual([]);
    expect(movesOf({ before: null, after: null, entries: [] } as unknown as Facts, "mega")).toEqual([]);
  });

  it("say if it was settled anew", () => {
    const with_ = (entries: object[]) =>
      ({ hit: "C4P-01.139", entries }) as unknown as Parameters<typeof isResettled>[0];
    expect(isResettled(with_([RECORDED, RESETTLED]))).toBe(true);
    expect(isResettled(with_([RECORDED, PAID]))).toBe(false);
  });
});

describe("texts of a plot", () => {
  it("are left out where they would lie over one another or over a mark", () => {
    const texts = [
      { name: "one", box: boxOf("C4P-07.1 +0.18", 100, 50, "start") },
      { name: "over", box: boxOf("C4P-07.4 +0.18", 150, 52, "start") },
      { name: "far", box: boxOf("C4P-07.8 +0.18", 400, 50, "end") },
    ];
    expect(placed(texts, []).map(({ name }) => name)).toEqual(["one", "far"]);
    expect(placed(texts, [{ left: 90, right: 110, top: 40, bottom: 60 }]).map(({ name }) => name)).toEqual([
      "over",
      "far",
    ]);
  });

  it("never have the same time twice", () => {
    for (const minutes of [3, 7, 8, 15, 30, 90]) {
      const from = Date.UTC(2026, 10, 26, 18, 49, 4);
      const labels = timeLabels(from, from + minutes * 60_000, "en-US", 14).map(({ label }) => label);
      expect(new Set(labels).size, String(minutes)).toBe(labels.length);
    }
  });
});

describe("the choice of a paytable", () => {
  const listed = (title: string, citation: string) =>
    ({ paytable: "x", title, citation, jurisdiction: "PA" }) as Parameters<typeof found>[0][number];

  it("takes a short word as a whole one", () => {
    const all = ["A", "B", "C"].map((name) =>
      listed(`Caribbean Stud Poker, Paytable ${name}`, "58 Pa. Code § 655a.12(c)"),
    );
    expect(found(all, "paytable C").map(({ title }) => title.slice(-1))).toEqual(["C"]);
    expect(found(all, "carib")).toHaveLength(3);
  });

  it("heads an example with its own words", () => {
    const title = "Example: mega, major and minor, each with a reserve";
    expect(titleLines(title)).toEqual({ game: "", lines: [title] });
    expect(citationOf("none: this paytable is an example")).toBe("This paytable is an example");
    expect(citationOf("58 Pa. Code § 657a.12(e)")).toBe("58 Pa. Code § 657a.12(e)");
  });
});
