// A line of text that fits its width: its box is as high as a capital letter.

import { type TextFit, fitText } from "../fit/chain.js";
import { type Box, type SignContext, place, useSign } from "./context.js";

export interface LineProps {
  text: string;
  cap: number;
  floor: number;
  box: Box;
  align?: "left" | "center" | "right";
  font?: "text" | "link";
  tracking?: number;
  trackingLeast?: number;
  /** Lines that are allowed; `first` takes them before a smaller size. */
  lines?: "one" | "two" | "three" | "first";
  /** What the text is, for the measuring of legibility. */
  kind: "name" | "word" | "hand" | "link" | "table";
  className?: string;
}

const LINES = { one: 1, two: 2, first: 2, three: 3 } as const;

function fitLine({ theme, rulers }: SignContext, props: LineProps): TextFit {
  const { text, cap, floor, font = "text", trackingLeast = 0, lines = "one" } = props;
  const role = theme[font];
  const tracking = props.tracking ?? role.tracking;
  const request = { text, cap, floor, tracking, width: props.box.width, lines: LINES[lines] };
  const least = Math.min(tracking, trackingLeast);
  return fitText({ ...request, trackingLeast: least }, rulers[font], role.ratio, lines === "first");
}

export function Line(props: LineProps) {
  const fit = fitLine(useSign(), props);
  const { font = "text" } = props;
  return (
    <div
      class={`line font-${font} align-${props.align ?? "center"} ${props.className ?? ""}`}
      style={{ ...place(props.box), "--c": String(fit.cap), letterSpacing: `${fit.tracking}em` }}
      data-kind={props.kind}
    >
      {fit.lines.map((text) => (
        <span key={text} class="row" style={{ marginRight: `${-fit.tracking}em` }}>
          {text}
        </span>
      ))}
    </div>
  );
}

type LinkProps = Pick<LineProps, "text" | "cap" | "floor" | "lines" | "box">;

const LINK = { kind: "link", font: "link", className: "link-name", trackingLeast: 0.04 } as const;

/** A link's name. */
export function LinkLine(props: LinkProps) {
  return <Line {...LINK} {...props} />;
}

/** Returns how a link's name fits its box. */
export function fitLink(sign: SignContext, props: LinkProps): TextFit {
  return fitLine(sign, { ...LINK, ...props });
}

/** Returns the width of a text in one line. */
export function textWidth({ theme, rulers }: SignContext, text: string, cap: number, tracking = 0): number {
  return (rulers.text(text) + text.length * tracking) * (cap / theme.text.ratio);
}
