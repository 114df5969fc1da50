// What every part of a page for staff may ask for: its texts, its locale, and who is logged in.

import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Schema } from "../api/client.js";
import { readLocale } from "../text/index.js";
import type { StaffTexts } from "../text/staff.en.js";

export type Holder = Schema<"Holder">;

export interface Staff {
  texts: StaffTexts;
  locale: string;
  holder: Holder;
  logOut(): void;
}

const Context = createContext<Staff | null>(null);

export const StaffProvider = Context.Provider;

/** Returns what `mount` provides. */
export function useStaff(): Staff {
  const staff = useContext(Context);
  if (!staff) throw new Error("a part of a page for staff outside of `mount`");
  return staff;
}

/** Returns the locale of a page: that in its address, else the browser's. */
export function pageLocale(): string {
  return readLocale(new URL(location.href).searchParams.get("locale") ?? navigator.language);
}

/** Formats an amount of the API ("10000.27") with mark, currency and two decimals. */
export function money(amount: string, locale: string, currency = true): string {
  const style = currency ? { style: "currency", currency: "USD", currencyDisplay: "narrowSymbol" } : {};
  const format = new Intl.NumberFormat(locale, {
    ...style,
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  } as object);
  // Intl formats a decimal text exactly; the library's type still says number.
  return format.format(amount as unknown as number);
}

/** Formats a whole number. */
export function count(value: number, locale: string): string {
  return new Intl.NumberFormat(locale).format(value);
}

/** Formats a time of the API in the tablet's time zone: the time alone, or with its date. */
export function time(at: string, locale: string, form: "time" | "date" | "both" = "time"): string {
  const date = form === "time" ? {} : { day: "numeric", month: "short", year: "numeric" };
  const clock = form === "date" ? {} : { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" };
  return new Intl.DateTimeFormat(locale, { ...date, ...clock } as Intl.DateTimeFormatOptions).format(new Date(at));
}
