import { describe, expect, it } from "vitest";
import { NoAnswer, Problem } from "../src/api/client.js";
import { effectRows } from "../src/floor/dry-run.js";
import { readSigners, withSigner } from "../src/floor/signers.js";
import { headersOf, isGood, ownPin, ownSignature, pinRefusal, signsBySession } from "../src/floor/signing.js";

const SAM = { name: "sam", role: "supervisor", credential: "session" } as const;
const problem = (code: string, fields = {}) => new Problem(401, code, code, fields, null, null);

describe("a signature", () => {
  it("is the session's for its own person without a PIN", () => {
    ownPin.value = "unset";
    expect([signsBySession("sam", SAM), signsBySession("lee", SAM)]).toEqual([true, false]);
    for (const state of ["set", "blocked", "unknown"] as const) {
      ownPin.value = state;
      expect(signsBySession("sam", SAM)).toBe(false);
    }
  });

  it("sends its token, and none if the session signs", () => {
    expect(headersOf({ name: "lee", token: "t1", expiresAt: 0 })).toEqual({ authorization: "Bearer t1" });
    expect(headersOf(ownSignature(SAM))).toEqual({});
  });

  it("is not begun with when it is about to expire", () => {
    const signed = { name: "lee", token: "t1", expiresAt: 120_000 };
    expect([isGood(signed, 0), isGood(signed, 109_999), isGood(signed, 110_000)]).toEqual([true, true, false]);
    expect(isGood(null, 0)).toBe(false);
    expect(isGood(ownSignature(SAM), Date.now())).toBe(true);
  });

  it("says how a PIN was refused", () => {
    expect(pinRefusal(problem("pin_wrong", { tries_left: "4" }))).toEqual({ kind: "wrong", left: 4 });
    expect(pinRefusal(problem("pin_wrong"))).toEqual({ kind: "wrong", left: null });
    expect(pinRefusal(problem("pin_blocked"))).toEqual({ kind: "blocked" });
    expect(pinRefusal(problem("forbidden"))).toBeNull();
    expect(pinRefusal(new NoAnswer())).toBeNull();
  });
});

describe("the signers of a tablet", () => {
  it("have the newest first, each once, and few", () => {
    expect(withSigner(["a", "b", "c", "d"], "c")).toEqual(["c", "a", "b", "d"]);
    expect(withSigner(["a", "b", "c", "d"], "e")).toEqual(["e", "a", "b", "c"]);
  });

  it("are read from what was stored, whatever that is", () => {
    expect(readSigners('["sam","lee"]')).toEqual(["sam", "lee"]);
    for (const stored of [null, "", "{", "{}", '"sam"', "[1,null]"]) expect(readSigners(stored)).toEqual([]);
  });
});

describe("the effect of an approved change", () => {
  it("has the server's amounts before and after", () => {
    const level = { level: "mega", account: "meter" as const, before: "10000.00", after: "9998.50" };
    expect(effectRows({ kind: "adjusted", ...level })).toEqual([
      { kind: "level", about: "mega", before: "10000.00", after: "9998.50" },
    ]);
    expect(effectRows({ kind: "returns_acknowledged" })).toEqual([]);
  });
});
