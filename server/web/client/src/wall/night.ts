// The hours in which a sign is dimmed, as pure functions over minutes of the day.

/** Night from one minute of the day to another, which may be of the next day. */
export interface Night {
  from: number;
  to: number;
}

const TIME = /^(\d{1,2})(?::(\d{2}))?$/;

function readMinute(text: string): number | null {
  const [, hour, minute] = TIME.exec(text.trim()) ?? [];
  if (hour === undefined) return null;
  const minutes = Number(hour) * 60 + Number(minute ?? 0);
  return Number(minute ?? 0) < 60 && minutes <= 24 * 60 ? minutes % (24 * 60) : null;
}

/** Reads "22-8" or "22:30-08:00"; null if the text is no night. */
export function readNight(text: string | null): Night | null {
  const [from, to, ...rest] = (text ?? "").split("-").map(readMinute);
  if (from === undefined || to === undefined || from === null || to === null || rest.length > 0) return null;
  return from === to ? null : { from, to };
}

/** Returns if a minute of the day is in the night. */
export function isNight({ from, to }: Night, minute: number): boolean {
  return from < to ? minute >= from && minute < to : minute >= from || minute < to;
}
