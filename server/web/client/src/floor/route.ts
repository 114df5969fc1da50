// Where in the console a person is: the part behind "#" of the address, so that back and reload work.

import { signal } from "@preact/signals";

export type Place = "hits" | "today" | "tables" | "exceptions" | "two-people";

export interface Route {
  place: Place;
  /** Name of the thing that is open there; null for the list. */
  open: string | null;
}

const PLACES: readonly string[] = ["hits", "today", "tables", "exceptions", "two-people"];

/** Reads "#hits/C4P-07.2". Anything else is the list of hits. */
export function readRoute(hash: string): Route {
  const [place = "", ...rest] = hash.replace(/^#/, "").split("/");
  if (!PLACES.includes(place)) return { place: "hits", open: null };
  const name = rest.join("/");
  try {
    return { place: place as Place, open: name === "" ? null : decodeURIComponent(name) };
  } catch {
    return { place: place as Place, open: null };
  }
}

export function routeAddress(place: Place, open: string | null = null): string {
  return open === null ? `#${place}` : `#${place}/${encodeURIComponent(open)}`;
}

export const route = signal<Route>({ place: "hits", open: null });

export function go(place: Place, open: string | null = null): void {
  location.hash = routeAddress(place, open);
  route.value = { place, open };
}

/** Follows the address; returns what ends it. */
export function followAddress(): () => void {
  const read = () => (route.value = readRoute(location.hash));
  read();
  addEventListener("hashchange", read);
  return () => removeEventListener("hashchange", read);
}
