// A line of text that fits its width: its box is as high as a capital letter.

import { HAND_FLOOR, LINK_FLOOR, type TextFit, WORD_FLOOR, fitText } from "../fit/chain.js";
import { type Box, type SignContext, place, useSign } from "./context.js";
import type { FontName } from "./measure.js";

/** What a text is, for its looks and for the measuring of legibility: font, floor, least letter spacing in em. */
const KINDS = {
  name: { font: "text", className: "name", floor: WORD_FLOOR, least: 0 },
  word: { font: "text", className: "", floor: WORD_FLOOR, least: 0 },
  table: { font: "text", className: "hand", floor: WORD_FLOOR, least: 0 },
  hand: { font: "text", className: "hand", floor: HAND_FLOOR, least: 0 },
  link: { font: "link", className: "link-name", floor: LINK_FLOOR, least: 0.04 },
} as const;

const LINES = { one: 1, two: 2, first: 2, three: 3 } as const;

export interface LineProps {
  kind: keyof typeof KINDS;
  text: string;
  cap: number;
  /** Least cap height, if not that of its kind. */
  floor?: number;
  box: Box;
  align?: "left" | "center" | "right";
  tracking?: number;
  /** Lines that are allowed; `first` takes them before a smaller size. */
  lines?: keyof typeof LINES;
  className?: string;
}

/** Returns how a text fits its box. */
export function fitLine({ theme, rulers }: SignContext, props: LineProps): TextFit {
  const { text, cap, box, lines = "one" } = props;
  const { font, floor, least } = KINDS[props.kind];
  const { ratio } = theme[font];
  const tracking = props.tracking ?? theme[font].tracking;
  const request = { text, cap, floor: props.floor ?? floor, width: box.width, tracking, lines: LINES[lines] };
  return fitText({ ...request, trackingLeast: Math.min(tracking, least) }, rulers[font], ratio, lines === "first");
}

export function Line(props: LineProps) {
  const { kind, box, align = "center", className = "" } = props;
  const { font, className: looks } = KINDS[kind];
  const fit = fitLine(useSign(), props);
  return (
    <div
      class={`line font-${font} align-${align} ${looks} ${className}`}
      style={{ ...place(box), "--c": String(fit.cap), letterSpacing: `${fit.tracking}em` }}
      data-kind={kind}
    >
      {fit.lines.map((text) => (
        <span key={text} class="row" style={{ marginRight: `${-fit.tracking}em` }}>
          {text}
        </span>
      ))}
    </div>
  );
}

/** Returns the width of a text in one line. */
export function textWidth(sign: SignContext, text: string, cap: number, tracking = 0, font: FontName = "text"): number {
  return (sign.rulers[font](text) + text.length * tracking) * (cap / sign.theme[font].ratio);
}
