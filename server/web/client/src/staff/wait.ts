// The wait before a request is sent again.

import { Problem } from "../api/client.js";

/** Longest wait that the server may ask for: it asks for a few seconds. */
const ASKED_MOST_MS = 10_000;

/** Returns the wait after some attempts without an answer: twice as long each time, and not shorter than the server asks. */
export function waitAfter(attempts: number, error: unknown, { firstMs, mostMs }: { firstMs: number; mostMs: number }) {
  const asked = error instanceof Problem ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
  return Math.max(Math.min(asked, ASKED_MOST_MS), Math.min(firstMs * 2 ** (attempts - 1), mostMs));
}
