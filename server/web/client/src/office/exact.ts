// Exact sums of amounts of the API, in millionths of a dollar, for the few that the server does not say.

const AMOUNT = /^(-?)(\d+)(?:\.(\d{1,6}))?$/;

/** Reads "-1684.32" as -1684320000n; null if the text is no amount. */
export function toMicros(text: string): bigint | null {
  const found = AMOUNT.exec(text.trim());
  if (!found) return null;
  const [, sign, whole = "0", fraction = ""] = found;
  const micros = BigInt(whole + fraction.padEnd(6, "0"));
  return sign === "-" ? -micros : micros;
}

/** Writes millionths as the API does: two decimals at least, six at most. */
export function fromMicros(micros: bigint): string {
  const digits = (micros < 0n ? -micros : micros).toString().padStart(7, "0");
  const fraction = digits.slice(-6).replace(/0{1,4}$/, "");
  return `${micros < 0n ? "-" : ""}${digits.slice(0, -6)}.${fraction}`;
}

/** Adds two amounts exactly; null if one is no amount. */
export function sum(first: string, second: string): string | null {
  const [one, other] = [toMicros(first), toMicros(second)];
  return one === null || other === null ? null : fromMicros(one + other);
}

/** Returns the amount with the other sign. */
export function negated(text: string): string {
  const micros = toMicros(text);
  return micros === null ? text : fromMicros(-micros);
}
