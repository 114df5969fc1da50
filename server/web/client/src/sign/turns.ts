// Turns: what takes the place of one another on a sign moves on by a timer.

import { useEffect, useState } from "preact/hooks";

/** Counts turns of so many milliseconds; none passes while `runs` is false. */
export function useTurns(runs: boolean, every: number): number {
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (!runs) return undefined;
    const timer = setInterval(() => setTurn((before) => before + 1), every);
    return () => clearInterval(timer);
  }, [runs, every]);
  return turn;
}
