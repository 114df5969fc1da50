// A line of text that fits its width: its box is as high as a capital letter.

import { fitText } from "../fit/chain.js";
import { type Box, place, useSign } from "./context.js";

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

export function Line(props: LineProps) {
  const { theme, rulers } = useSign();
  const font = props.font ?? "text";
  const role = font === "link" ? theme.link : theme.text;
  const tracking = props.tracking ?? role.tracking;
  const fit = fitText(
    {
      text: props.text,
      cap: props.cap,
      floor: props.floor,
      width: props.box.width,
      tracking,
      trackingLeast: Math.min(tracking, props.trackingLeast ?? 0),
      lines: LINES[props.lines ?? "one"],
    },
    rulers[font],
    role.ratio,
    props.lines === "first",
  );
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
