// The words for refusals: each code that a page can meet has a text in each language but the server's own.

import { describe, expect, test } from "vitest";
import api from "../../../../docs/API.md?raw";
import { problems } from "../src/text/problems.es.js";
import { wordsIn } from "../src/text/problems.js";

/** Codes that answer programs, not pages: other servers, controllers in other languages, malformed requests. */
const OF_PROGRAMS = [
  "certificate_mismatch",
  "certificate_missing",
  "head_forks",
  "head_gap",
  "head_not_signed",
  "invalid_host",
  "malformed_body",
  "method_not_allowed",
  "openid_not_admitted",
  "openid_not_begun",
  "openid_not_proven",
  "openid_refused",
  "own_head",
  "unknown_field",
  "unknown_signing_key",
  "unsupported_media_type",
  "upgrade_required",
];

const codes = [...api.slice(api.indexOf("\n## Every code")).matchAll(/^\| `([a-z_]+)` \| \d{3} \|/gm)].map(
  ([, code]) => code!,
);

describe("the words for refusals", () => {
  test("each code of the API has a Spanish text, but for those of programs, and no other code has one", () => {
    expect(codes.length).toBeGreaterThan(100);
    expect(Object.keys(problems).sort()).toEqual(codes.filter((code) => !OF_PROGRAMS.includes(code)).sort());
    expect(OF_PROGRAMS.filter((code) => !codes.includes(code))).toEqual([]);
  });

  test("each text is a sentence or several, without a code", () => {
    for (const [code, text] of Object.entries(problems)) {
      expect(text, code).toMatch(/^[A-ZÁÉÍÓÚÑ].*\.$/);
      expect(text, code).not.toMatch(/_/);
    }
  });

  test("English is the server's own; a code without a text shows both", () => {
    const refused = { code: "no_wager", detail: "seat 4 has no accepted wager" };
    expect(wordsIn(null, refused, "Refused.")).toEqual({ text: refused.detail, english: null });
    expect(wordsIn(problems, refused, "Rechazado.")).toEqual({ text: problems["no_wager"], english: null });
    const rare = { code: "head_gap", detail: "send the head with the expected number first" };
    expect(wordsIn(problems, rare, "Rechazado.")).toEqual({ text: "Rechazado.", english: rare.detail });
    expect(wordsIn(problems, { code: "toString", detail: "d" }, "Rechazado.").english).toBe("d");
  });
});
