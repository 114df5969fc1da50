// The layout of a link on half a sign, as pure functions over measured widths: which of the arrangements takes all of its
// levels at their floors. Lengths are pixels of a sign of 1920x1080; a half is 960x1080, or 1080x960 in portrait.

import { LOWER_CENTS, type LowerLevel, ROW_GAP } from "../fit/lower.js";
import { AMOUNT_FLOOR, type AmountRequest, type Metrics, WORD_FLOOR, fitAmount } from "../fit/chain.js";

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
  first: number;
  pitch: number;
  /** Lower levels that it takes. */
  most: number;
}

const ALONE: Arrangement = {
  emblem: { y: 216, height: 270 },
  name: { y: 560, cap: 90 },
  amount: { y: 700, cap: 175 },
  hand: { y: 935, cap: 62 },
  rule: null,
  lower: "row",
  rowHands: false,
  first: 0,
  pitch: 0,
  most: 0,
};

/** Arrangements of a half of 960x1080, the most generous first. */
const TALL: readonly Arrangement[] = [
  ALONE,
  {
    emblem: null,
    name: { y: 192, cap: 90 },
    amount: { y: 322, cap: 155 },
    hand: { y: 526, cap: 60 },
    rule: 637,
    lower: "row",
    rowHands: true,
    first: 694,
    pitch: 172,
    most: 2,
  },
  {
    emblem: null,
    name: { y: 180, cap: 79 },
    amount: { y: 290, cap: 140 },
    hand: { y: 473, cap: 50 },
    rule: 556,
    lower: "row",
    rowHands: true,
    first: 592,
    pitch: 148,
    most: 3,
  },
  {
    emblem: null,
    name: { y: 176, cap: 79 },
    amount: { y: 280, cap: 140 },
    hand: null,
    rule: 462,
    lower: "row",
    rowHands: false,
    first: 502,
    pitch: 140,
    most: 4,
  },
  {
    emblem: null,
    name: { y: 184, cap: 84 },
    amount: { y: 298, cap: 145 },
    hand: { y: 487, cap: 50 },
    rule: 600,
    lower: "stack",
    rowHands: true,
    first: 660,
    pitch: 0,
    most: 1,
  },
  {
    emblem: null,
    name: { y: 172, cap: 79 },
    amount: { y: 274, cap: 132 },
    hand: { y: 447, cap: 50 },
    rule: 527,
    lower: "stack",
    rowHands: false,
    first: 556,
    pitch: 244,
    most: 2,
  },
];

/** Arrangements of a half of 1080x960. */
const WIDE: readonly Arrangement[] = [
  {
    ...ALONE,
    emblem: { y: 166, height: 210 },
    name: { y: 430, cap: 90 },
    amount: { y: 568, cap: 190 },
    hand: { y: 812, cap: 62 },
  },
  {
    emblem: null,
    name: { y: 156, cap: 84 },
    amount: { y: 270, cap: 155 },
    hand: { y: 464, cap: 50 },
    rule: 550,
    lower: "row",
    rowHands: true,
    first: 588,
    pitch: 168,
    most: 2,
  },
  {
    emblem: null,
    name: { y: 150, cap: 79 },
    amount: { y: 252, cap: 140 },
    hand: null,
    rule: 426,
    lower: "row",
    rowHands: true,
    first: 460,
    pitch: 148,
    most: 3,
  },
  {
    emblem: null,
    name: { y: 150, cap: 79 },
    amount: { y: 252, cap: 125 },
    hand: null,
    rule: 414,
    lower: "stack",
    rowHands: false,
    first: 444,
    pitch: 242,
    most: 2,
  },
];

/** Returns how an amount fits, if it keeps its cents and its floor. */
function keepsAll(request: AmountRequest, font: Metrics): boolean {
  const fit = fitAmount(request, font);
  return fit.fits && fit.cents;
}

function takes(plan: Arrangement, levels: readonly LowerLevel[], inner: number, font: Metrics): boolean {
  const [top, ...lower] = levels;
  if (!top || lower.length > plan.most || (plan.most === 0) !== (lower.length === 0)) return false;
  const nameWidth = (level: LowerLevel) => level.nameEm * (WORD_FLOOR / font.ratio);
  const whole = { digits: top.digits, marks: top.marks, cap: plan.amount.cap, centsShare: TOP_CENTS, width: inner };
  if (nameWidth(top) > inner || !keepsAll(whole, font)) return false;
  return lower.every((level) => {
    const name = nameWidth(level);
    const width = plan.lower === "row" ? inner - name - ROW_GAP : inner;
    const amount = { digits: level.digits, marks: level.marks, cap: AMOUNT_FLOOR, centsShare: LOWER_CENTS, width };
    return name <= inner && keepsAll(amount, font);
  });
}

/** Returns the layout of a link's levels on half a sign; null if none takes them all at their floors. */
export function planHalf(levels: readonly LowerLevel[], width: number, font: Metrics): HalfPlan | null {
  const inner = width - 2 * SIDE;
  const plan = (width > 1000 ? WIDE : TALL).find((one) => takes(one, levels, inner, font));
  if (!plan) return null;
  const { first, pitch, most: _, ...rest } = plan;
  const count = levels.length - 1;
  // One lower level where two have room stands in the middle of their place.
  const start = first + (plan.lower === "row" && count === 1 ? pitch / 2 : 0);
  return {
    ...rest,
    rows: Array.from({ length: count }, (__, index) => start + index * pitch),
    rowCap: plan.lower === "row" && plan.rowHands && plan.most <= 2 ? ROW_CAP : AMOUNT_FLOOR,
  };
}
