// An amount as a person writes it: with or without the marks of the page's locale, which every page prints.

const CURRENCY = /^\$\s*|\s*\$$/g;
/** An amount as the API takes it. */
const PLAIN = /^\d+(\.\d{1,6})?$/;

/** Returns a pattern for one mark. Spaces of any width are one mark. */
function pattern(mark: string): string {
  return /^\s$/.test(mark) ? "\\s" : mark.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** Reads "1,000.50", "$1,000" or "−1.50" as the API takes it ("1000.50"); null if the text is no amount in this locale. */
export function readAmount(text: string, locale: string): string | null {
  const parts = new Intl.NumberFormat(locale, { useGrouping: "always" } as object).formatToParts(12_345.6);
  const mark = (type: string, usual: string) => pattern(parts.find((part) => part.type === type)?.value ?? usual);
  const [group, decimal] = [mark("group", ","), mark("decimal", ".")];
  const [, sign = "", rest = ""] = /^([-+\u2212]?)\s*(.*)$/s.exec(text.trim()) ?? [];
  const digits = rest.replace(CURRENCY, "");
  const minus = sign === "" || sign === "+" ? "" : "-";
  const written = new RegExp(`^(\\d{1,3}(?:${group}\\d{3})+|\\d+)(?:${decimal}(\\d{1,6}))?$`).exec(digits);
  if (written) {
    const whole = (written[1] ?? "").replaceAll(/\D/g, "");
    return `${minus}${whole}${written[2] === undefined ? "" : `.${written[2]}`}`;
  }
  return PLAIN.test(digits) ? `${minus}${digits}` : null;
}

/** Returns values with some of them as the API takes amounts. What is no amount stays: the server says what is wrong with it. */
export function withAmounts<Values extends Readonly<Record<string, string>>>(
  values: Values,
  names: readonly string[],
  locale: string,
): Values {
  const read = names.flatMap((name) => {
    const text = values[name];
    return text === undefined ? [] : [[name, readAmount(text, locale) ?? text.trim()] as const];
  });
  return { ...values, ...Object.fromEntries(read) };
}
