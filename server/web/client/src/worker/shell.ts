// Rules of a worker that keeps a page of one build, so that it opens while the server or the network is away.
//
// The server's page always wins if it comes in time: a worker that is wrong never keeps a device out. Nothing but the
// page's own built files is kept, above all nothing of /v1.

/** The files of one build of a page, with the digest of each (Subresource Integrity). */
export interface Shell {
  /** Changes with any of the files. */
  build: string;
  /** Address of the page's file, which is one of the files. */
  page: string;
  files: Record<string, string>;
}

/** A request as far as the worker decides by it. */
export interface Asked {
  method: string;
  mode: string;
  url: string;
}

/** Longest wait for the server's page before the kept one is shown. */
export const PAGE_WAIT_MS = 3_000;
/** Longest wait for the browser's own cache. */
export const CACHE_WAIT_MS = 2_000;

/** Returns the address under which the cache has the answer to a request, or null for a request that is left alone. */
export function keptAddress(shell: Shell, scope: string, asked: Asked): string | null {
  const [address, below] = [new URL(asked.url), new URL(scope)];
  if (asked.method !== "GET" || address.origin !== below.origin) return null;
  if (asked.mode === "navigate") return address.pathname.startsWith(below.pathname) ? shell.page : null;
  return address.search === "" && Object.hasOwn(shell.files, address.pathname) ? address.pathname : null;
}

/** Returns the name of the cache of a build. */
export function cacheOf(name: string, build: string): string {
  return `${name} ${build}`;
}

/** Returns the caches of other builds of a page among all caches of the address. */
export function outdated(names: string[], name: string, build: string): string[] {
  return names.filter((one) => one.startsWith(`${name} `) && one !== cacheOf(name, build));
}

function after(ms: number): Promise<undefined> {
  return new Promise((done) => setTimeout(done, ms, undefined));
}

type Fetched = () => Promise<Response>;
type Kept = () => Promise<Response | undefined>;

/** Reads the cache. A cache that fails or hangs has nothing. */
function fromCache(kept: Kept): Promise<Response | undefined> {
  return Promise.race([kept().catch(() => undefined), after(CACHE_WAIT_MS)]);
}

/** Answers for the page: the server's, unless it fails or is late and a page is kept. */
export async function pageAnswer(fetched: Fetched, kept: Kept): Promise<Response> {
  const asked = fetched();
  const first = await Promise.race([asked.catch(() => undefined), after(PAGE_WAIT_MS)]);
  if (first && first.status < 500) return first;
  return (await fromCache(kept)) ?? first ?? asked;
}

/** Answers for a file, whose name changes with its content: the kept one, else the server's. */
export async function fileAnswer(fetched: Fetched, kept: Kept): Promise<Response> {
  return (await fromCache(kept)) ?? fetched();
}
