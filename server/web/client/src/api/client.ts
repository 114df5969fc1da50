// The typed client of the public API: problems are thrown, and writes carry the session's token against forged requests.

import createClient, { type Middleware } from "openapi-fetch";
import type { components, paths } from "./schema.js";

/** A type of the API's messages, by its name in the OpenAPI document. */
export type Schema<Name extends keyof components["schemas"]> = components["schemas"][Name];

/** Longest wait for an answer: a second more than the server's own limit. */
const ANSWER_WAIT_MS = 11_000;

/** A refusal of the server (RFC 9457). Programs decide by `code`, people read `message`. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    detail: string,
    readonly fields: Readonly<Record<string, string>>,
    readonly requestId: string | null,
    readonly retryAfterSeconds: number | null,
  ) {
    super(detail);
  }
}

/** No answer came: whether the server did what was asked is unknown. */
export class NoAnswer extends Error {}

let csrf: string | null = null;

/** Sets the value that every write with the session's cookie carries; null after a logout. */
export function setCsrf(value: string | null): void {
  csrf = value;
}

let sessionLost: () => void = () => {};

/** Sets what happens when a request finds that there is no session any more. */
export function onSessionLost(act: () => void): void {
  sessionLost = act;
}

let sessionChanged: () => void = () => {};

/** Sets what happens when a write finds that the browser's session is another one than the page's. */
export function onSessionChanged(act: () => void): void {
  sessionChanged = act;
}

/** Reads a problem from a response that is no success. */
export async function problemOf(response: Response): Promise<Problem> {
  const body = (await response.json().catch(() => ({}))) as Partial<Schema<"Problem">>;
  const retry = Number.parseInt(response.headers.get("retry-after") ?? "", 10);
  return new Problem(
    response.status,
    body.code ?? "unknown",
    body.detail ?? body.title ?? `${response.status} ${response.statusText}`,
    (body.fields as Record<string, string> | undefined) ?? {},
    response.headers.get("x-request-id"),
    Number.isNaN(retry) ? null : retry,
  );
}

const conventions: Middleware = {
  onRequest({ request }) {
    if (csrf !== null && request.method !== "GET" && !request.headers.has("authorization"))
      request.headers.set("meterhouse-csrf", csrf);
    return request;
  },
  async onResponse({ request, response }) {
    if (response.ok) return response;
    const problem = await problemOf(response);
    // A request with a token of its own says nothing about the session, and a login is refused in its own form.
    if (problem.code === "unauthenticated" && !request.headers.has("authorization")) sessionLost();
    // Another login in this browser took the place of the page's: the page finds out whose it is.
    if (problem.code === "csrf_missing") sessionChanged();
    throw problem;
  },
  onError: ({ error }) => (error instanceof Problem ? error : new NoAnswer("no answer", { cause: error })),
};

/** The API of the server that served the page. A call resolves with `data`, or throws a `Problem` or `NoAnswer`. */
export const api = createClient<paths>({
  baseUrl: "/",
  fetch: (request) =>
    fetch(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(ANSWER_WAIT_MS)]) }),
});
api.use(conventions);

/** Returns the data of a call that has some on success. */
export async function dataOf<Data>(call: Promise<{ data?: Data }>): Promise<NonNullable<Data>> {
  const { data } = await call;
  if (data === undefined || data === null) throw new NoAnswer("an answer without content");
  return data;
}

/** Returns true if sending the same request again can help: nothing came, or the server asks for it. */
export function isPassing(error: unknown): boolean {
  return error instanceof NoAnswer || (error instanceof Problem && (error.status >= 500 || error.status === 429));
}
