// Loading of a view: asks the API, keeps what is shown while it asks again, and goes on asking while no answer comes.

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { isPassing } from "../api/client.js";

/** Wait until a request that had no answer is sent again. */
const AGAIN_MS = 2_000;

export interface Loaded<Data> {
  data: Data | null;
  error: unknown;
  loading: boolean;
  reload(): void;
}

/**
 * Loads once for a key, again on `reload`, and each `everyMs` if given. A null key loads nothing. The signal is aborted
 * once another key is wanted.
 */
export function useLoad<Data>(
  key: string | null,
  load: (signal: AbortSignal) => Promise<Data>,
  everyMs?: number,
): Loaded<Data> {
  const [state, setState] = useState<{ key: string | null; data: Data | null; error: unknown }>({
    key: null,
    data: null,
    error: null,
  });
  const [turn, setTurn] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    if (key === null) return;
    let gone = false;
    const aborter = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    async function ask(): Promise<void> {
      try {
        const data = await latest.current(aborter.signal);
        if (gone) return;
        setState({ key, data, error: null });
        if (everyMs !== undefined) timer = setTimeout(() => void ask(), everyMs);
      } catch (error) {
        if (gone) return;
        setState((before) => ({ key, data: before.key === key ? before.data : null, error }));
        if (isPassing(error)) timer = setTimeout(() => void ask(), AGAIN_MS);
      }
    }
    void ask();
    return () => {
      gone = true;
      aborter.abort();
      clearTimeout(timer);
    };
  }, [key, turn, everyMs]);
  const fresh = state.key === key;
  return {
    data: fresh ? state.data : null,
    error: fresh ? state.error : null,
    loading: key !== null && (!fresh || (state.data === null && state.error === null)),
    reload: useCallback(() => setTurn((before) => before + 1), []),
  };
}

export interface Page<Row> {
  rows: Row[];
  more: boolean;
  next: string | null;
}

export interface Pages<Row> extends Loaded<Row[]> {
  more: boolean;
  busy: boolean;
  loadMore(): void;
}

/** Loads a list by pages: the first one for a key, and one more on `loadMore`. */
export function usePages<Row>(key: string | null, load: (after: string | undefined) => Promise<Page<Row>>): Pages<Row> {
  const first = useLoad(key, () => load(undefined));
  const [behind, setBehind] = useState<{ first: Page<Row> | null; rows: Row[]; last: Page<Row> | null }>({
    first: null,
    rows: [],
    last: null,
  });
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const mine = behind.first === first.data ? behind : { first: first.data, rows: [], last: null };
  const last = mine.last ?? first.data;
  async function loadMore(): Promise<void> {
    if (busy || !last?.more || last.next === null) return;
    setBusy(true);
    setError(null);
    try {
      const page = await load(last.next);
      setBehind({ first: first.data, rows: [...mine.rows, ...page.rows], last: page });
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  }
  return {
    ...first,
    error: first.error ?? error,
    data: first.data && [...first.data.rows, ...mine.rows],
    more: last?.more ?? false,
    busy,
    loadMore: () => void loadMore(),
  };
}

/** Most pages that `allPages` follows: lists of links, tables and paytables are short. */
const PAGES_MAX = 20;

/** Loads all pages of a short list. */
export async function allPages<Row>(load: (after: string | undefined) => Promise<Page<Row>>): Promise<Row[]> {
  const rows: Row[] = [];
  let after: string | undefined;
  for (let count = 0; count < PAGES_MAX; count += 1) {
    const page = await load(after);
    rows.push(...page.rows);
    if (!page.more || page.next === null) break;
    after = page.next;
  }
  return rows;
}
