// How the office writes amounts, times and names: by locale, never rounded up, with a true minus.

import type { OfficeTexts } from "../text/office.js";

/** Formats an exact amount: two decimals, cut off and never rounded. The currency is left out in tables. */
export function amount(text: string, locale: string, form: "money" | "plain" | "signed" = "plain"): string {
  const format = new Intl.NumberFormat(locale, {
    ...(form === "money" ? { style: "currency", currency: "USD", currencyDisplay: "narrowSymbol" } : {}),
    ...(form === "signed" ? { signDisplay: "exceptZero" } : {}),
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
    roundingMode: "trunc",
    useGrouping: "always",
  } as Intl.NumberFormatOptions);
  return format.format(text as unknown as number).replace("-", "\u2212");
}

/** Formats an exact amount with all of its decimals, two at least. */
export function exact(text: string, locale: string): string {
  const format = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 6 });
  return format.format(text as unknown as number).replace("-", "\u2212");
}

/** Formats a whole number. */
export function count(value: number | string, locale: string): string {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: 0, useGrouping: "always" } as object).format(
    value as number,
  );
}

const TIMES = {
  time: { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" },
  date: { day: "numeric", month: "short", year: "numeric" },
  both: {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
  },
} as const;

/** Formats a time of the API in the time zone of the computer. */
export function when(at: string | number, locale: string, form: keyof typeof TIMES = "both"): string {
  return new Intl.DateTimeFormat(locale, TIMES[form] as Intl.DateTimeFormatOptions).format(new Date(at));
}

/** Names a book: an account of the house, or a level. */
export function bookNamed(name: string, t: Pick<OfficeTexts, "accounts" | "levelNamed">): string {
  return t.accounts[name] ?? t.levelNamed(name);
}

/** Writes a name of the API for people: "four-of-a-kind" as "Four-of-a-kind", "royal-flush" as "Royal flush". */
export function named(name: string): string {
  const words = /-of-a-/.test(name) ? name : name.replaceAll(/[-_]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns the parts of a duration that people read: the two largest units. */
export function spanOf(milliseconds: number): { days: number; hours: number; minutes: number } {
  const minutes = Math.max(0, Math.floor(milliseconds / 60_000));
  return { days: Math.floor(minutes / 1440), hours: Math.floor((minutes % 1440) / 60), minutes: minutes % 60 };
}

/** Returns the start of a local day as the API takes it: the time with the computer's offset, in UTC. */
export function startOfDay(date: string): string {
  return new Date(`${date}T00:00:00`).toISOString();
}

/** Returns the local date of a moment as YYYY-MM-DD. */
export function localDate(at: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** Converts the value of a field for local date and time to a time of the API; an empty text stays one. */
export function fromLocal(value: string): string {
  if (value === "") return "";
  const at = new Date(value);
  return Number.isNaN(at.getTime()) ? "" : at.toISOString();
}
