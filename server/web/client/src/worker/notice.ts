// The notice of a hit that waits: what it says, and what a tap on it opens. No amount and no player is in it.

import { noticeTextsOf } from "../text/notice.js";

/** A message of the server. */
export interface WaitingHit {
  link: string;
  table: string;
  level: string | null;
  hit: string;
}

interface Notice {
  title: string;
  options: NotificationOptions & { data: { hit: string | null } };
}

/** Address of the console. */
const CONSOLE = "/floor";

/** Reads a message; null for what is none. */
export function readMessage(text: string): WaitingHit | null {
  try {
    const { link, table, level, hit } = JSON.parse(text) as Record<string, unknown>;
    if (typeof link !== "string" || typeof table !== "string" || typeof hit !== "string") return null;
    return { link, table, hit, level: typeof level === "string" ? level : null };
  } catch {
    return null;
  }
}

/** Returns the notice of a message. A browser has to show one whatever came. */
export function noticeOf(message: WaitingHit | null, language: string): Notice {
  const t = noticeTextsOf(language);
  if (!message) return { title: t.somethingWaits, options: { tag: "waiting", data: { hit: null } } };
  const { link, table, level, hit } = message;
  const body = [level && t.level(level), hit, link].filter(Boolean).join(" · ");
  // A notice of the same hit takes the place of the one before.
  return {
    title: t.hitWaits(table),
    options: { body, tag: `${link} ${hit}`, requireInteraction: true, data: { hit } },
  };
}

/** Returns the address that a tap on a notice opens. */
export function addressOf(hit: string | null): string {
  return hit === null ? CONSOLE : `${CONSOLE}#hits/${encodeURIComponent(hit)}`;
}

/** Checks if a window shows the console. */
export function showsConsole(address: string): boolean {
  return new URL(address).pathname === CONSOLE;
}
