// The overview strip below a plot: the whole time of a link, with a window over the period in view, to drag.

import { useRef, useState } from "preact/hooks";
import { type Point, type Span, inside } from "./history.js";
import { linear, pathOf } from "./scale.js";
import { useWidth } from "./use-width.js";

const HEIGHT = 52;
/** Room for the years at the right. */
const RIGHT = 96;
/** A window is drawn at least this wide, so that it can be taken. */
const WINDOW_LEAST = 10;

interface Props {
  points: readonly Point[];
  life: Span;
  span: Span;
  label: string;
  years: string;
  zoom(span: Span): void;
}

export function Strip({ points, life, span, label, years, zoom }: Props) {
  const root = useRef<SVGSVGElement>(null);
  const width = useWidth(root, 1110);
  const right = width - RIGHT;
  const x = linear([life.from, life.until], [6, right - 6]);
  const high = Math.max(...points.map(({ meter }) => Number(meter)), 1);
  const y = linear([0, high * 1.1], [HEIGHT - 8, 6]);
  const [held, setHeld] = useState<{ at: number; span: Span } | null>(null);
  const shown = held?.span ?? span;
  const [from, until] = [Math.max(0, x(shown.from)), Math.min(right, x(shown.until))];
  const wide = Math.max(WINDOW_LEAST, until - from);
  const timeAt = (event: PointerEvent & { currentTarget: Element }) =>
    x.invert(event.clientX - event.currentTarget.getBoundingClientRect().left);
  return (
    <svg
      ref={root}
      class="strip"
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      role="img"
      aria-label={label}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        const at = timeAt(event);
        const grabbed = at >= span.from && at <= span.until;
        const half = (span.until - span.from) / 2;
        setHeld({ at, span: grabbed ? span : inside({ from: at - half, until: at + half }, life) });
      }}
      onPointerMove={(event) => {
        if (!held) return;
        const at = timeAt(event);
        const by = at - held.at;
        setHeld({ at, span: inside({ from: held.span.from + by, until: held.span.until + by }, life) });
      }}
      onPointerUp={() => {
        if (held) zoom(held.span);
        setHeld(null);
      }}
      onPointerCancel={() => setHeld(null)}
    >
      <rect class="ground" x={0} y={0} width={right} height={HEIGHT} rx="6" />
      <path class="line" d={pathOf(points.map(({ at, meter }) => [x(at), y(Number(meter))] as const))} />
      <rect class="window" x={from + 1} y={1} width={wide - 2} height={HEIGHT - 2} rx="5" />
      <rect class="grip" x={from - 3} y={HEIGHT / 2 - 12} width={8} height={24} rx="3" />
      <rect class="grip" x={from + wide - 5} y={HEIGHT / 2 - 12} width={8} height={24} rx="3" />
      <text x={right + 10} y={HEIGHT / 2 + 5} font-size="13" fill="var(--text-2)">
        {years}
      </text>
    </svg>
  );
}
