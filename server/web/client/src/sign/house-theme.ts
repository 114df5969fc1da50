// The theme of the house that a sign shows by: read when the presentation names it, again when its version changes, and
// kept as it was while no answer comes.

import { useEffect, useState } from "preact/hooks";
import type { HouseTheme } from "../themes/own.js";

/** Longest wait for an answer. */
const ANSWER_WAIT_MS = 5_000;
/** Wait before the next attempt; it doubles each time, up to the longest. */
const AGAIN_MS = 1_000;
const AGAIN_LONGEST_MS = 30_000;
/** Interval at which a theme of the address is read: no presentation says that it changed. */
const ADDRESS_EVERY_MS = 30_000;

export interface FoundTheme {
  /** The theme, the last good one while another can't be read; null for none. */
  theme: HouseTheme | null;
  /** There was an answer, or the first attempt failed. */
  settled: boolean;
}

async function read(name: string): Promise<HouseTheme> {
  const response = await fetch(`/v1/themes/${encodeURIComponent(name)}`, {
    signal: AbortSignal.timeout(ANSWER_WAIT_MS),
  });
  if (!response.ok) throw new Error(`${response.status}`);
  return (await response.json()) as HouseTheme;
}

/** Follows a theme of the house; a null name reads none. Without a version the theme is read again by the clock. */
export function useHouseTheme(name: string | null, version: string | null): FoundTheme {
  const [found, setFound] = useState<{ name: string | null; theme: HouseTheme | null }>({ name: null, theme: null });
  useEffect(() => {
    if (name === null) {
      setFound({ name: null, theme: null });
      return undefined;
    }
    let gone = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let wait = AGAIN_MS;
    async function follow(wanted: string): Promise<void> {
      try {
        const theme = await read(wanted);
        if (gone) return;
        wait = AGAIN_MS;
        setFound((before) =>
          before.name === wanted && before.theme?.version === theme.version ? before : { name: wanted, theme },
        );
        if (version === null) timer = setTimeout(() => void follow(wanted), ADDRESS_EVERY_MS);
      } catch {
        if (gone) return;
        setFound((before) => ({ name: wanted, theme: before.theme }));
        timer = setTimeout(() => void follow(wanted), wait);
        wait = Math.min(2 * wait, AGAIN_LONGEST_MS);
      }
    }
    void follow(name);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [name, version]);
  return { theme: name === null ? null : found.theme, settled: found.name === name };
}
