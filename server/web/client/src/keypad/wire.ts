// Requests of the keypad, with the token of its table; and the meaning of each answer for the outbox.

import { Problem, type Schema, api, dataOf, isPassing } from "../api/client.js";
import type { Entry, Refusal } from "./outbox.js";
import type { Outcome, Table } from "./state.js";

/** An answer to a command, by what the outbox does with it. */
export type Answer =
  | { kind: "outcome"; outcome: Outcome }
  | { kind: "refused"; refusal: Refusal }
  | { kind: "contradicted"; refusal: Refusal }
  | { kind: "credential"; problem: Problem }
  | { kind: "again"; error: unknown };

function refusalOf(problem: Problem): Refusal {
  return {
    code: problem.code,
    detail: problem.message,
    fields: { ...problem.fields },
    requestId: problem.requestId,
  };
}

/** Returns what an error means. Only an answer of the server itself, with its code, ends the sending of a command. */
export function answerOf(error: unknown): Answer {
  if (!(error instanceof Problem)) return { kind: "again", error };
  if (isPassing(error) || error.status === 408 || error.code === "unknown") return { kind: "again", error };
  if (error.status === 401 || error.status === 403) return { kind: "credential", problem: error };
  if (error.status === 422) return { kind: "refused", refusal: refusalOf(error) };
  return { kind: "contradicted", refusal: refusalOf(error) };
}

function authorization(token: string): { authorization: string } {
  return { authorization: `Bearer ${token}` };
}

/** Sends a command under its number, and tells what its answer means. */
export async function sendCommand(table: string, token: string, { sequence, command }: Entry): Promise<Answer> {
  try {
    const outcome = await dataOf(
      api.PUT("/v1/tables/{table}/commands/{sequence}", {
        params: { path: { table, sequence } },
        headers: authorization(token),
        body: command,
      }),
    );
    // A box between tablet and server may answer anything.
    if (outcome.sequence !== sequence || outcome.table !== table)
      return { kind: "again", error: new Error("an answer to another command") };
    return { kind: "outcome", outcome };
  } catch (error) {
    return answerOf(error);
  }
}

/** Sends a sign of life, with the newest seal after a start or an outage; returns the state of the table. */
export function sendHeartbeat(table: string, token: string, seal: string | null): Promise<Table> {
  return dataOf(
    api.PUT("/v1/tables/{table}/heartbeat", {
      params: { path: { table } },
      headers: authorization(token),
      body: seal === null ? {} : { seal },
    }),
  );
}

/** Reads the table; with `after`, waits until one of its hits changes behind that position. */
export function readTable(table: string, token: string, after?: string): Promise<Table> {
  const query = after === undefined ? {} : { after };
  return dataOf(api.GET("/v1/tables/{table}", { params: { path: { table }, query }, headers: authorization(token) }));
}

export function readLink(link: string): Promise<Schema<"Link">> {
  return dataOf(api.GET("/v1/links/{link}", { params: { path: { link } } }));
}
