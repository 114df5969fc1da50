// Money is whole cents in a BigInt, never a floating-point number.

const AMOUNT = /^(-?)(\d+)(?:\.(\d+))?$/;

/** "10000.27" as 1000027n; null where it isn't an amount. Less than a cent is never rounded up. */
export function cents(text) {
  const found = AMOUNT.exec(String(text));
  if (!found) return null;
  const [, sign, whole, fraction = ""] = found;
  const value = BigInt(whole + fraction.slice(0, 2).padEnd(2, "0"));
  return sign ? -value : value;
}

/** 1000027n as { sign: "", dollars: "10,000", cents: "27" }. */
export function parts(value) {
  const digits = (value < 0n ? -value : value).toString().padStart(3, "0");
  return {
    sign: value < 0n ? "−" : "",
    dollars: digits.slice(0, -2).replace(/\B(?=(?:\d{3})+$)/g, ","),
    cents: digits.slice(-2),
  };
}

/** 1000027n as "$10,000.27". */
export function dollars(value) {
  const it = parts(value);
  return `${it.sign}$${it.dollars}.${it.cents}`;
}

/** "10000.27" as "$10,000.27"; what isn't an amount stays as it came. */
export function written(text) {
  const value = cents(text);
  return value === null ? String(text) : dollars(value);
}
