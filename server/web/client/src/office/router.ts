// The router of the office: paths below /office by the History API, matched against patterns such as "/links/:link".

import { computed, signal } from "@preact/signals";

export const ROOT = "/office";

/** The values of a pattern's parameters. */
export type Params = Readonly<Record<string, string>>;

/** Matches a path against a pattern; returns the parameters, or null if the path is another one. */
export function match(pattern: string, path: string): Params | null {
  const wanted = pattern.split("/").filter(Boolean);
  const given = path.split("/").filter(Boolean);
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? "";
    if (part.startsWith(":")) {
      try {
        params[part.slice(1)] = decodeURIComponent(value);
      } catch {
        return null;
      }
    } else if (part !== value) return null;
  }
  return params;
}

/** Builds an address of the office from its parts, each of which is encoded. */
export function to(...parts: string[]): string {
  return [ROOT, ...parts.map(encodeURIComponent)].join("/");
}

/** Returns the path below /office. */
export function below(pathname: string): string {
  return pathname.startsWith(ROOT) ? pathname.slice(ROOT.length) : pathname;
}

/** Returns a query with some values set, and those that are empty taken out. */
export function patched(search: string, patch: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(search);
  for (const [name, value] of Object.entries(patch)) {
    if (value === "") query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}

const here = typeof location === "undefined" ? { pathname: ROOT, search: "" } : location;
export const pathname = signal(here.pathname);
export const search = signal(here.search);
export const path = computed(() => below(pathname.value));

function read(): void {
  pathname.value = location.pathname;
  search.value = location.search;
}

/** The language that the address asks for stays on the way. */
function kept(address: string): string {
  const url = new URL(address, location.origin);
  const locale = new URLSearchParams(location.search).get("locale");
  if (locale !== null && !url.searchParams.has("locale")) url.searchParams.set("locale", locale);
  return url.pathname + url.search + url.hash;
}

/** Goes to an address of the office without loading the page again. */
export function go(address: string): void {
  history.pushState(null, "", kept(address));
  read();
  scrollTo(0, 0);
}

/** Goes to an address in place of the present one. */
export function replace(address: string): void {
  history.replaceState(null, "", kept(address));
  read();
}

/** Writes filters into the address, so that a view can be shared and loaded again as it is. */
export function setQuery(patch: Readonly<Record<string, string>>): void {
  replace(location.pathname + patched(location.search, patch));
}

/** Returns a value of the address's query, or an empty text. */
export function query(name: string): string {
  return new URLSearchParams(search.value).get(name) ?? "";
}

/** Takes over the clicks on links of the office and the browser's back and forward. */
export function listen(): void {
  addEventListener("popstate", read);
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = (event.target as Element | null)?.closest("a");
    if (!link || link.target !== "" || link.hasAttribute("download")) return;
    const url = new URL(link.href, location.href);
    if (url.origin !== location.origin || !url.pathname.startsWith(ROOT)) return;
    event.preventDefault();
    go(url.pathname + url.search);
  });
}
