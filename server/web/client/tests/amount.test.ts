import { describe, expect, it } from "vitest";
import { readAmount, withAmounts } from "../src/staff/amount.js";

describe("an amount that a person writes", () => {
  it("may have the marks that the pages print, or none", () => {
    const written = ["1,000", "1000", "$1,000.50", " 10,000.27 ", "1,234,567.123456", "0.5"];
    expect(written.map((text) => readAmount(text, "en-US"))).toEqual([
      "1000",
      "1000",
      "1000.50",
      "10000.27",
      "1234567.123456",
      "0.5",
    ]);
  });

  it("has the marks of its locale, and may have those of the API", () => {
    expect(["1.000,50", "1000,5", "1000.50", "25.000"].map((text) => readAmount(text, "es"))).toEqual([
      "1000.50",
      "1000.5",
      "1000.50",
      "25000",
    ]);
    expect(readAmount("1,000.50", "es-MX")).toBe("1000.50");
    expect(readAmount("1\u202f000,50 $", "fr")).toBe("1000.50");
  });

  it("may be taken away", () => {
    expect(["-1.50", "\u22121,000", "+2", "- $3"].map((text) => readAmount(text, "en-US"))).toEqual([
      "-1.50",
      "-1000",
      "2",
      "-3",
    ]);
  });

  it("is none with marks at wrong places, letters, or nothing", () => {
    const wrong = ["1,5", "1,00", "10,00.5", "1,0000", "1.", ".5", "1.1234567", "", "$", "abc", "1 000", "1e3", "--1"];
    for (const text of wrong) expect(readAmount(text, "en-US"), text).toBeNull();
    expect(readAmount("1.000.5", "es")).toBeNull();
  });

  it("is read among other values, which stay as they are", () => {
    const values = { amount: "1,000.50", reason: "1,000", ceiling: "one" };
    expect(withAmounts(values, ["amount", "ceiling", "wager"], "en-US")).toEqual({
      amount: "1000.50",
      reason: "1,000",
      ceiling: "one",
    });
  });
});
