// Adopting a table of fixed wagers: what the office sends and writes, and what the floor console shows.

import { describe, expect, test } from "vitest";
import { effectRows } from "../src/floor/dry-run.js";
import { adoptedText, adoptionOf, missingOf, readingText } from "../src/office/views/adoption.js";
import { doesTheSame } from "../src/office/views/dry-run-changes.js";
import { requestOf } from "../src/office/views/proposal-new.js";
import { subjectOf } from "../src/office/views/proposal-parts.js";
import { en } from "../src/text/office.en.js";

const TABLE = "pa-684a-four-card-bonus-a";
const READ = { table: TABLE, reading: "queens-or-better", letter: "PGCB-2026-118", returns: "95.4773%" };
const PRINT = { table: TABLE, reading: null, letter: null, returns: "92.1%" };
const words = en.proposals.adoption;

describe("the form of an adoption", () => {
  test("sends what was written, without what is empty", () => {
    const fields = { change: "adopt_table", paytable: ` ${TABLE} `, table: "C4P-07", reason: "a letter" };
    const read = { ...fields, reading: "queens-or-better ", letter: " PGCB-2026-118" };
    const { returns: _, ...asked } = READ;
    expect(requestOf(read)).toEqual({ change: "adopt_table", ...asked, reason: "a letter" });
    const printed = { change: "adopt_table", table: TABLE, reason: "a letter" };
    expect(requestOf({ ...fields, reading: "", letter: " " })).toEqual(printed);
    expect(adoptionOf({ paytable: TABLE, reason: "a letter" })).toEqual(printed);
  });

  test("names the one of reading and letter that the other one needs", () => {
    expect(missingOf({})).toBeNull();
    expect(missingOf({ reading: " ", letter: "" })).toBeNull();
    expect(missingOf({ reading: "queens-or-better", letter: " " })).toBe("letter");
    expect(missingOf({ reading: "", letter: "PGCB-2026-118" })).toBe("reading");
    expect(missingOf(READ)).toBeNull();
  });
});

describe("an adopted table", () => {
  test("is written by its reading, its print, or as not adopted", () => {
    expect(readingText(READ, words)).toBe("queens-or-better");
    expect(readingText(PRINT, words)).toBe("its print");
    expect(readingText(null, words)).toBe("not adopted");
  });

  test("is written in one line", () => {
    expect(adoptedText(READ, words)).toBe("queens-or-better, PGCB-2026-118, 95.4773%");
    expect(adoptedText(PRINT, words)).toBe("its print, 92.1%");
    expect(adoptedText(undefined, words)).toBe("not adopted");
  });

  test("is what its proposal is about", () => {
    const proposal = { change: "adopt_table", ...READ } as Parameters<typeof subjectOf>[0];
    expect(subjectOf(proposal, en, "en-US")).toBe(TABLE);
  });
});

test("the floor console has a row for each part of an adoption", () => {
  expect(effectRows({ kind: "table_adopted", adopted: READ, before: null })).toEqual([
    { kind: "table", about: TABLE, before: null, after: TABLE },
    { kind: "reading", about: TABLE, before: null, after: "queens-or-better" },
    { kind: "letter", about: TABLE, before: null, after: "PGCB-2026-118" },
    { kind: "returns", about: TABLE, before: null, after: "95.4773%" },
  ]);
  // The print is an empty reading. Nobody needs a row of nothing.
  expect(effectRows({ kind: "table_adopted", adopted: PRINT, before: READ }).slice(1, 3)).toEqual([
    { kind: "reading", about: TABLE, before: "queens-or-better", after: "" },
    { kind: "letter", about: TABLE, before: "PGCB-2026-118", after: null },
  ]);
  expect(effectRows({ kind: "table_adopted", adopted: PRINT }).map(({ kind }) => kind)).toEqual([
    "table",
    "reading",
    "returns",
  ]);
});

test("a later dry run does something else once the table pays otherwise", () => {
  const books = { state: "open" as const, at_displayed: null, levels: [] };
  const of = (before: typeof READ | typeof PRINT | null, adopted = READ) => ({
    proposal: "1",
    link: "main",
    batch: 1,
    at: "2026-11-21T13:44:01.000000Z",
    effect: { kind: "table_adopted" as const, adopted, before },
    moves: [],
    before: books,
    after: books,
  });
  expect(doesTheSame(of(null), of(null))).toBe(true);
  expect(doesTheSame(of(null), of(PRINT))).toBe(false);
  expect(doesTheSame(of(null), of(null, { ...READ, returns: "95.4774%" }))).toBe(false);
});
