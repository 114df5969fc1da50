// The changes of two people, as all pages for staff know them.

/** Changes that let a link play or pay again, or otherwise: they need the right to reset. */
const OF_RESET: readonly string[] = ["clear_fault", "acknowledge_returns", "adopt_table"];

/** Returns the right that a change needs. */
export function rightOf(change: string): "adjust" | "reset" {
  return OF_RESET.includes(change) ? "reset" : "adjust";
}
