// The people who signed on a tablet last.

/** Signers whose names the tablet keeps. */
const SIGNERS_MOST = 4;

/** Reads the stored names; anything else is no name. */
export function readSigners(stored: string | null): string[] {
  try {
    const names: unknown = JSON.parse(stored ?? "[]");
    if (!Array.isArray(names)) return [];
    return names.filter((name): name is string => typeof name === "string").slice(0, SIGNERS_MOST);
  } catch {
    return [];
  }
}

/** Returns the names with the newest signer first. */
export function withSigner(names: readonly string[], name: string): string[] {
  return [name, ...names.filter((known) => known !== name)].slice(0, SIGNERS_MOST);
}
