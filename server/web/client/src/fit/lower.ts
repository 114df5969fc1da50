// The layout of the lower levels of a link on the whole sign, as pure functions over measured widths: columns, rows, a
// grid, or pages that take turns, so that no number of levels takes a text below its floor. Lengths are pixels of a
// sign of 1920x1080 (or 1080x1920).

import { AMOUNT_FLOOR, type Metrics, WORD_FLOOR, fitAmount } from "./chain.js";

/** Time that each page of lower levels is shown. */
export const PAGE_TURN_MS = 12_000;
/** Cents of lower levels as a part of their amount. */
export const LOWER_CENTS = 0.8;
/** Gap between two columns, and the least one between a name and its amount in a row. */
export const COLUMN_GAP = 48;
export const ROW_GAP = 36;

/** A level as the layout needs it: width of its name in em, digits and group marks of its amount. */
export interface LowerLevel {
  nameEm: number;
  digits: number;
  marks: number;
}

/** `column` has the name above the amount, `row` the name to the left of it. */
export interface LowerCell {
  index: number;
  kind: "column" | "row";
  x: number;
  y: number;
  width: number;
  cap: number;
  hand: boolean;
}

export type LowerPage = readonly LowerCell[];

/** The place of the lower levels. */
const LANDSCAPE = { x: 56, y: 676, width: 1808, rowsX: 96, rowsWidth: 1728, pitch: 180 };
const PORTRAIT = { x: 56, y: 1155, width: 968, pitch: 372, height: 725 };
/** Least pitch of a row that has a hand below its name. */
const HAND_PITCH = 172;

interface Room {
  cap: number;
  width: number;
  /** An amount without its cents does. */
  cents: "kept" | "may-go";
}

/** Returns if a level's amount fits, with its cents at this share unless they may go. */
export function fits(level: LowerLevel, { cap, width, cents }: Room, font: Metrics, centsShare = LOWER_CENTS): boolean {
  const fit = fitAmount({ digits: level.digits, marks: level.marks, cap, centsShare, width }, font);
  return fit.fits && (cents === "may-go" || fit.cents);
}

/** Returns the width of a level's name at its floor. */
export function nameWidth(level: LowerLevel, font: Metrics): number {
  return level.nameEm * (WORD_FLOOR / font.ratio);
}

/** Returns if a level's name and amount fit side by side. */
export function fitsRow(level: LowerLevel, width: number, cents: Room["cents"], font: Metrics): boolean {
  const room = width - nameWidth(level, font) - ROW_GAP;
  return room > 0 && fits(level, { cap: AMOUNT_FLOOR, width: room, cents }, font);
}

/** Splits levels into as few pages as possible, of about the same length. */
function pagesOf(count: number, most: number): number[][] {
  const pages = Math.ceil(count / most);
  const first = (page: number) => Math.round((page * count) / pages);
  return Array.from({ length: pages }, (_, page) =>
    Array.from({ length: first(page + 1) - first(page) }, (__, index) => first(page) + index),
  );
}

/** Returns the pages of the lower levels of a landscape sign. */
export function planLandscape(levels: readonly LowerLevel[], cap: number, font: Metrics): LowerPage[] {
  const { x, y, width, rowsX, rowsWidth, pitch } = LANDSCAPE;
  const pick = (indexes: readonly number[]) => indexes.flatMap((index) => levels[index] ?? []);
  const columns = (indexes: readonly number[], cents: Room["cents"]): LowerPage | null => {
    const count = indexes.length;
    const column = (width - COLUMN_GAP * (count - 1)) / count;
    const taken = pick(indexes).every(
      (level) => nameWidth(level, font) <= column - 40 && fits(level, { cap, width: column, cents }, font),
    );
    if (!taken) return null;
    return indexes.map((index, at) => {
      return { index, kind: "column", x: x + at * (column + COLUMN_GAP), y, width: column, cap, hand: true };
    });
  };
  const rows = (indexes: readonly number[], across: number, cents: Room["cents"] | "any"): LowerPage | null => {
    const cell = (rowsWidth - 2 * COLUMN_GAP * (across - 1)) / across;
    if (cents !== "any" && !pick(indexes).every((level) => fitsRow(level, cell, cents, font))) return null;
    return indexes.map((index, at) => {
      const left = rowsX + (at % across) * (cell + 2 * COLUMN_GAP);
      const top = y + (indexes.length === 1 ? pitch / 2 : Math.floor(at / across) * pitch);
      return { index, kind: "row", x: left, y: top, width: cell, cap: Math.min(cap, 126), hand: true };
    });
  };
  const all = levels.map((_, index) => index);
  const whole =
    all.length <= 2
      ? (columns(all, "may-go") ?? rows(all, 1, "any"))
      : all.length <= 4
        ? (columns(all, "kept") ?? rows(all, 2, "kept"))
        : null;
  if (whole) return [whole];
  // Pages of two keep their cents where they can. The cap shrinks to its floor before anything is dropped.
  return pagesOf(all.length, 2).map((page) => columns(page, "may-go") ?? rows(page, 1, "any") ?? []);
}

/** Returns the pages of the lower levels of a portrait sign. */
export function planPortrait(levels: readonly LowerLevel[], cap: number, font: Metrics): LowerPage[] {
  const { x, y, width, pitch, height } = PORTRAIT;
  const column = (indexes: readonly number[]): LowerPage => {
    const roomy = indexes.length <= 2;
    const step = roomy ? pitch : height / indexes.length;
    const start = y + (indexes.length === 1 ? 130 : 0);
    return indexes.map((index, at) => {
      const size = roomy ? cap : AMOUNT_FLOOR;
      return { index, kind: "column", x, y: start + at * step, width, cap: size, hand: roomy };
    });
  };
  const all = levels.map((_, index) => index);
  if (all.length <= 3) return [column(all)];
  const inner = width - 40;
  if (all.length <= 5 && levels.every((level) => fitsRow(level, inner, "kept", font))) {
    const step = height / all.length;
    return [
      all.map((index) => {
        return {
          index,
          kind: "row",
          x: x + 20,
          y: y + index * step,
          width: inner,
          cap: AMOUNT_FLOOR,
          hand: step >= HAND_PITCH,
        };
      }),
    ];
  }
  return pagesOf(all.length, 3).map(column);
}
