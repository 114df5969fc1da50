// Money: whole cents in a bigint, and the parts of an amount as a locale writes them.

const AMOUNT = /^(\d+)(?:\.(\d+))?$/;

/** Reads "10000.27" as 1000027n; null if the text is no amount. Less than a cent is cut off, never rounded up. */
export function toCents(text: string): bigint | null {
  const found = AMOUNT.exec(text);
  if (!found) return null;
  const [, whole = "0", fraction = ""] = found;
  return BigInt(whole + fraction.slice(0, 2).padEnd(2, "0"));
}

/** One glyph run of an amount: a digit has its place from the right, counted in cents. */
export type AmountPart =
  | { kind: "digit"; text: string; place: number; small: boolean }
  | { kind: "mark"; text: string; small: boolean; key: string }
  | { kind: "currency"; text: string };

const formats = new Map<string, Intl.NumberFormat>();

function format(locale: string): Intl.NumberFormat {
  let found = formats.get(locale);
  if (!found) {
    found = new Intl.NumberFormat(locale, { style: "currency", currency: "USD", currencyDisplay: "narrowSymbol" });
    formats.set(locale, found);
  }
  return found;
}

/** Writes cents as a decimal text, as the API takes it. Intl formats it exactly. */
export function centsText(cents: bigint): `${number}` {
  const digits = cents.toString().padStart(3, "0");
  return `${digits.slice(0, -2)}.${digits.slice(-2)}` as `${number}`;
}

/** Splits an amount into the glyph runs of a locale, in the locale's order. */
export function amountParts(cents: bigint, locale: string, withCents = true, withCurrency = true): AmountPart[] {
  const parts: AmountPart[] = [];
  let place = cents.toString().padStart(3, "0").length;
  // Intl takes a decimal text and keeps all of its digits; the library's type still says number.
  for (const part of format(locale).formatToParts(centsText(cents) as unknown as number)) {
    const small = part.type === "fraction" || part.type === "decimal";
    if (small && !withCents) continue;
    if (part.type === "integer" || part.type === "fraction") {
      for (const text of part.value) parts.push({ kind: "digit", text, place: --place, small });
    } else if (part.type === "currency" && withCurrency) {
      parts.push({ kind: "currency", text: part.value });
    } else if (part.type === "group" || part.type === "decimal") {
      parts.push({ kind: "mark", text: part.value, small, key: `${part.type}${place}` });
    }
  }
  return parts;
}

/** Writes an amount as one text; whole dollars without cents if `short`. */
export function amountText(cents: bigint, locale: string, short = false): string {
  const text = format(locale)
    .formatToParts(centsText(cents) as unknown as number)
    .filter((part) => !(short && cents % 100n === 0n && (part.type === "decimal" || part.type === "fraction")))
    .map((part) => part.value);
  return text.join("").trim();
}
