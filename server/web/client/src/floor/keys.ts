// Single letters: J and K for the next and the previous hit, A, R and P for the open one, "?" for the list of them, Escape
// for one step back.

import { useEffect, useLayoutEffect } from "preact/hooks";
import { neighbour } from "./model.js";
import { go, route } from "./route.js";
import { waiting } from "./store.js";
import { letters } from "./tablet.js";

/** What the open panel does for a key; a panel sets its own. */
const actions = new Map<string, () => void>();

/** Sets what a key does while a part of the page is shown. */
export function useKey(key: string, act: (() => void) | null): void {
  // Before the next event: a key may follow the one that drew this part.
  useLayoutEffect(() => {
    if (!act) return;
    actions.set(key, act);
    return () => {
      if (actions.get(key) === act) actions.delete(key);
    };
  });
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, select");
}

function step(direction: 1 | -1): void {
  const names = waiting.value.map((hit) => hit.hit);
  const next = neighbour(names, route.value.place === "hits" ? route.value.open : null, direction);
  if (next) go("hits", next);
}

/** Moves the focus among the siblings of a list: arrows within hits and segments. */
function moveFocus(event: KeyboardEvent): boolean {
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  const list = target.closest("[data-arrows]");
  if (!list) return false;
  const items = [...list.querySelectorAll<HTMLElement>("a[href], button:not(:disabled)")];
  const index = items.indexOf(target);
  const direction = event.key === "ArrowDown" || event.key === "ArrowRight" ? 1 : -1;
  const next = items[index + direction];
  if (index < 0 || !next) return false;
  next.focus();
  return true;
}

function act(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") {
    const back = actions.get("Escape");
    if (back) back();
    else if (route.value.open) go(route.value.place);
    return;
  }
  if (isTyping(event.target)) return;
  if (event.key.startsWith("Arrow")) {
    if (moveFocus(event)) event.preventDefault();
    return;
  }
  if (/^\d$/.test(event.key) || event.key === "Backspace") {
    actions.get("digit") && digit(event);
    return;
  }
  if (!letters.value) return;
  const key = event.key.toLowerCase();
  if (key === "j") step(1);
  else if (key === "k") step(-1);
  else actions.get(key)?.();
}

let digitKey = "";

/** Returns the digit or "Backspace" that was pressed last. */
export function lastDigit(): string {
  return digitKey;
}

function digit(event: KeyboardEvent): void {
  digitKey = event.key;
  event.preventDefault();
  actions.get("digit")?.();
}

export function useKeys(): void {
  useEffect(() => {
    // A login over the page takes its own keys.
    const listen = (event: KeyboardEvent) => document.querySelector(".login-cover") === null && act(event);
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
}
