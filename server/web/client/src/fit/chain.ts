// How texts and amounts are made to fit, as pure functions over widths in em. Sizes are cap heights in the pixels of a
// sign of 1920x1080 (or 1080x1920); the floors are those a reader needs below a screen of 55 inches.

/** Floor of names, win words and the stale mark: 50 mm. */
export const WORD_FLOOR = 79;
/** Floor of the whole part of an amount: 70 mm. */
export const AMOUNT_FLOOR = 111;
/** Floor of cents: 50 mm. */
export const CENTS_FLOOR = 79;
/** Floors of a link's name and of a hand, which are read from near; and those where other texts stand beside them. */
export const LINK_FLOOR = 36;
export const HAND_FLOOR = 50;
export const SMALL_LINK_FLOOR = 30;
export const SMALL_HAND_FLOOR = 34;

/** Widths of a font in em. */
export interface Metrics {
  /** Cap height. */
  ratio: number;
  digit: number;
  comma: number;
  point: number;
  currency: number;
}

export interface AmountRequest {
  /** Digits and group marks before the point. */
  digits: number;
  marks: number;
  /** Cap height to begin with, the cents' part of it, and the width to stay within. */
  cap: number;
  centsShare: number;
  width: number;
}

export interface AmountFit {
  cap: number;
  centsCap: number;
  gap: number;
  cents: boolean;
  /** False if the amount is too wide at its floor: it then needs another layout. */
  fits: boolean;
}

/** Gap between the sign of the currency and the digits, in cap heights. */
const CURRENCY_GAP = 0.1;

/** Returns the width of an amount that is set as `fit` says. */
export function amountWidth(request: AmountRequest, fit: Omit<AmountFit, "fits">, font: Metrics): number {
  const em = 1 / font.ratio;
  const whole = fit.cap * em * (request.digits * font.digit + request.marks * font.comma);
  const currency = fit.centsCap * em * font.currency + fit.gap * fit.cap;
  const cents = fit.cents ? fit.centsCap * em * (font.point + 2 * font.digit) : 0;
  return whole + currency + cents;
}

/** Returns the largest cap height between floor and `cap` at which an amount is not too wide; null if none is. */
function largest(request: AmountRequest, font: Metrics, share: number, gap: number, cents: boolean): AmountFit | null {
  for (let cap = request.cap; cap >= Math.min(AMOUNT_FLOOR, request.cap); cap -= 1) {
    const fit = { cap, centsCap: Math.max(cap * share, Math.min(CENTS_FLOOR, cap)), gap, cents };
    if (amountWidth(request, fit, font) <= request.width) return { ...fit, fits: true };
  }
  return null;
}

/** Fits an amount: first smaller to the floor, then with small cents, then without the currency's gap, then without cents. */
export function fitAmount(request: AmountRequest, font: Metrics): AmountFit {
  return (
    largest(request, font, request.centsShare, CURRENCY_GAP, true) ??
    largest(request, font, 0, CURRENCY_GAP, true) ??
    largest(request, font, 0, 0, true) ??
    largest(request, font, 0, 0, false) ?? {
      cap: Math.min(AMOUNT_FLOOR, request.cap),
      centsCap: CENTS_FLOOR,
      gap: 0,
      cents: false,
      fits: false,
    }
  );
}

export interface TextRequest {
  text: string;
  cap: number;
  floor: number;
  width: number;
  /** Letter spacing in em, and the least of it. */
  tracking: number;
  trackingLeast: number;
  /** Lines at most. */
  lines: number;
}

export interface TextFit {
  cap: number;
  tracking: number;
  lines: readonly string[];
}

/** Width in em of a text without letter spacing. */
export type Measure = (text: string) => number;

/**
 * Fits a text: first less letter spacing, then (with `linesFirst`) two lines at its size, then smaller to the floor,
 * then as many lines as are allowed at the floor.
 */
export function fitText(request: TextRequest, measure: Measure, ratio: number, linesFirst = false): TextFit {
  const { text, cap, floor, width, tracking, trackingLeast } = request;
  const wide = (line: string, size: number, spacing: number) =>
    (measure(line) + line.length * spacing) * (size / ratio);
  const fits = (lines: readonly string[], size: number) =>
    lines.every((line) => wide(line, size, trackingLeast) <= width);
  for (const spacing of [tracking, (tracking + trackingLeast) / 2, trackingLeast]) {
    if (wide(text, cap, spacing) <= width) return { cap, tracking: spacing, lines: [text] };
  }
  const halves = split(text, 2);
  if (linesFirst && request.lines > 1 && halves && fits(halves, cap))
    return { cap, tracking: trackingLeast, lines: halves };
  for (let size = cap; size >= floor; size -= 1) {
    if (fits([text], size)) return { cap: size, tracking: trackingLeast, lines: [text] };
  }
  let last: readonly string[] = [text];
  for (let count = 2; count <= request.lines; count += 1) {
    const lines = split(text, count);
    if (!lines) break;
    last = lines;
    if (fits(lines, floor)) break;
  }
  return { cap: floor, tracking: trackingLeast, lines: last };
}

/** Splits a text at blanks into lines of about the same length; null if it has too few. */
export function split(text: string, lines: number): string[] | null {
  if (lines === 1) return [text];
  const aim = text.length / lines;
  let best = -1;
  for (let index = text.indexOf(" "); index >= 0; index = text.indexOf(" ", index + 1)) {
    if (best < 0 || Math.abs(index - aim) < Math.abs(best - aim)) best = index;
  }
  if (best < 0) return null;
  const rest = split(text.slice(best + 1), lines - 1);
  return rest && [text.slice(0, best), ...rest];
}

/** Returns the first of several wordings that fits beside a text of a given width, else the last. */
export function firstFitting(wordings: readonly string[], width: number, wide: (text: string) => number): string {
  return wordings.find((text) => wide(text) <= width) ?? wordings.at(-1) ?? "";
}
