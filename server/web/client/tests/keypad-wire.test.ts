// The meaning of the server's answers for the outbox.

import { describe, expect, test } from "vitest";
import { NoAnswer, Problem } from "../src/api/client.js";
import { answerOf } from "../src/keypad/wire.js";

function problem(status: number, code: string, retry: number | null = null): Problem {
  return new Problem(status, code, "detail", { expected: "7" }, "id-1", retry);
}

describe("an answer to a command", () => {
  test("of the rules is final and uses the number up", () => {
    expect(answerOf(problem(422, "no_round"))).toEqual({
      kind: "refused",
      refusal: { code: "no_round", detail: "detail", fields: { expected: "7" }, requestId: "id-1" },
    });
  });

  test("about the number, or about a mistake in the command, is for the dealer", () => {
    for (const [status, code] of [
      [409, "sequence_reused"],
      [409, "sequence_gap"],
      [410, "sequence_archived"],
      [400, "invalid_card"],
    ] as const)
      expect(answerOf(problem(status, code)).kind).toBe("contradicted");
  });

  test("about the token keeps the command and its number", () => {
    expect(answerOf(problem(401, "unauthenticated")).kind).toBe("credential");
    expect(answerOf(problem(403, "forbidden")).kind).toBe("credential");
  });

  test("that says nothing of the command lets it be sent again", () => {
    for (const error of [
      problem(503, "outcome_unknown", 2),
      problem(408, "body_too_slow"),
      problem(429, "too_many_requests", 1),
      problem(500, "internal"),
      // A proxy or a captive portal, whose answer has no code of the server.
      problem(404, "unknown"),
      problem(403, "unknown"),
      new NoAnswer("no answer"),
      new SyntaxError("no JSON"),
    ])
      expect(answerOf(error).kind).toBe("again");
  });
});
