// The layout of a link on half a sign, as pure functions over measured widths: which of the arrangements takes all of its
// levels at their floors. Lengths are pixels of a sign of 1920x1080; a half is 960x1080, or 1080x960 in portrait.

import { AMOUNT_FLOOR, type Metrics } from "../fit/chain.js";
import { LOWER_CENTS, type LowerLevel, fits, fitsRow, nameWidth } from "../fit/lower.js";

/** Distance of texts from the sides of a half. */
export const SIDE = 76;
/** Cents of the first level as a part of its amount. */
export const TOP_CENTS = 0.6;
/** Cap height of the amounts of lower levels in a row. */
const ROW_CAP = 116;

/** Place of a text: top, cap height. */
export interface Spot {
  y: number;
  cap: number;
}

export interface HalfPlan {
  emblem: { y: number; height: number } | null;
  name: Spot;
  amount: Spot;
  hand: Spot | null;
  /** Line above the lower levels. */
  rule: number | null;
  /** `row` has name and amount side by side, `stack` has the amount below the name. */
  lower: "row" | "stack";
  /** Tops of the lower levels. */
  rows: readonly number[];
  rowCap: number;
  rowHands: boolean;
}

interface Arrangement extends Omit<HalfPlan, "rows" | "rowCap"> {
  /** Top of the first lower level, and the distance to the next. */
  y: number;
  pitch: number;
  /** Lower levels that it takes. */
  most: number;
}

const at = (y: number, cap: number): Spot => ({ y, cap });
const ALONE = { rule: null, lower: "row", rowHands: false, y: 0, pitch: 0, most: 0 } as const;
/** Lower levels in rows or stacks, with their hands or bare. */
const ROWS = { emblem: null, lower: "row", rowHands: true } as const;
const STACK = { ...ROWS, lower: "stack" } as const;
const BARE_ROWS = { ...ROWS, rowHands: false } as const;
const BARE_STACK = { ...STACK, rowHands: false } as const;

/** Arrangements of a half of 960x1080, the most generous first. */
const TALL: readonly Arrangement[] = [
  { ...ALONE, emblem: { y: 216, height: 270 }, name: at(560, 90), amount: at(700, 175), hand: at(935, 62) },
  { ...ROWS, name: at(192, 90), amount: at(322, 155), hand: at(526, 60), rule: 637, y: 694, pitch: 172, most: 2 },
  { ...ROWS, name: at(180, 79), amount: at(290, 140), hand: at(473, 50), rule: 556, y: 592, pitch: 148, most: 3 },
  { ...BARE_ROWS, name: at(176, 79), amount: at(280, 140), hand: null, rule: 462, y: 502, pitch: 140, most: 4 },
  { ...STACK, name: at(184, 84), amount: at(298, 145), hand: at(487, 50), rule: 600, y: 660, pitch: 0, most: 1 },
  { ...BARE_STACK, name: at(172, 79), amount: at(274, 132), hand: at(447, 50), rule: 527, y: 556, pitch: 244, most: 2 },
];

/** Arrangements of a half of 1080x960. */
const WIDE: readonly Arrangement[] = [
  { ...ALONE, emblem: { y: 166, height: 210 }, name: at(430, 90), amount: at(568, 190), hand: at(812, 62) },
  { ...ROWS, name: at(156, 84), amount: at(270, 155), hand: at(464, 50), rule: 550, y: 588, pitch: 168, most: 2 },
  { ...ROWS, name: at(150, 79), amount: at(252, 140), hand: null, rule: 426, y: 460, pitch: 148, most: 3 },
  { ...BARE_STACK, name: at(150, 79), amount: at(252, 125), hand: null, rule: 414, y: 444, pitch: 242, most: 2 },
];

function takes(plan: Arrangement, levels: readonly LowerLevel[], inner: number, font: Metrics): boolean {
  const [top, ...lower] = levels;
  if (!top || lower.length > plan.most || (plan.most === 0) !== (lower.length === 0)) return false;
  const stacks = (level: LowerLevel, cap: number, centsShare: number) =>
    nameWidth(level, font) <= inner && fits(level, { cap, width: inner, cents: "kept" }, font, centsShare);
  if (!stacks(top, plan.amount.cap, TOP_CENTS)) return false;
  return lower.every((level) =>
    plan.lower === "row" ? fitsRow(level, inner, "kept", font) : stacks(level, AMOUNT_FLOOR, LOWER_CENTS),
  );
}

/** Returns the layout of a link's levels on half a sign; null if none takes them all at their floors. */
export function planHalf(levels: readonly LowerLevel[], width: number, font: Metrics): HalfPlan | null {
  const inner = width - 2 * SIDE;
  const plan = (width > 1000 ? WIDE : TALL).find((one) => takes(one, levels, inner, font));
  if (!plan) return null;
  const { y, pitch, most: _, ...rest } = plan;
  const count = levels.length - 1;
  // One lower level where two have room stands in the middle of their place.
  const start = y + (plan.lower === "row" && count === 1 ? pitch / 2 : 0);
  return {
    ...rest,
    rows: Array.from({ length: count }, (__, index) => start + index * pitch),
    rowCap: plan.lower === "row" && plan.rowHands && plan.most <= 2 ? ROW_CAP : AMOUNT_FLOOR,
  };
}
