// The words for a refusal of the server, in the page's language.

import { signal } from "@preact/signals";
import type { Problem } from "../api/client.js";

/** A refusal as far as its words go. */
export interface Refused {
  code: string;
  /** The server's words, which are English. */
  detail: string;
}

/** Returns a problem as a refusal. */
export function refusedBy(problem: Problem): Refused {
  return { code: problem.code, detail: problem.message };
}

interface ProblemWords {
  text: string;
  /** The server's words for a line of their own, where the page has none for the code. */
  english: string | null;
}

type Texts = Readonly<Record<string, string>>;

const texts = signal<Texts | null>(null);

/** Loads the words of a locale's language. English needs none: the server's own are more exact than any by code. */
export async function loadProblems(locale: string): Promise<void> {
  if (!locale.startsWith("es")) return;
  try {
    texts.value = (await import("./problems.es.js")).problems;
  } catch {
    // A network that fails just now: the server's words are shown.
  }
}

/** Returns the words for a refusal. `refused` is said of one that has no text in the page's language. */
export function wordsIn(known: Texts | null, { code, detail }: Refused, refused: string): ProblemWords {
  if (known === null) return { text: detail, english: null };
  const text = Object.hasOwn(known, code) ? known[code] : undefined;
  return text === undefined ? { text: refused, english: detail } : { text, english: null };
}

export function problemWords(problem: Refused, refused: string): ProblemWords {
  return wordsIn(texts.value, problem, refused);
}
