// The plot of a level's history. Plain SVG, because it needs vertical drops, marks with shapes, labels at the line, and a
// name with a summary for screen readers; uPlot draws on a canvas, which has none of these.

import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { amount } from "../format.js";
import { useOffice } from "../office.js";
import type { History } from "./history-data.js";
import { type Mark, type Span, type Step, meterLine, reserveLine, stepLine, undone, whole } from "./history.js";
import "./plot.css";
import { type Box, boxOf, placed } from "./labels.js";
import { axis, linear, pathOf, type Scale, timeLabels } from "./scale.js";
import { useWidth } from "./use-width.js";

const HEIGHT = 330;
const TOP = 34;
const BOTTOM = 290;
/** Room for the labels of the axis at the right. */
const RIGHT = 96;
/** Width of an amount that is written at a mark. */
const LABEL_WIDTH = 92;
/** Most steps that have their round and amount written at them; more stand in the list. */
const WRITTEN_MOST = 8;
/** The axis begins above 0 if the least amount of single entries is this share of the greatest. */
const CLOSE = 0.8;
/** A drag of fewer pixels is a click. */
const DRAG_LEAST = 6;

export interface PlotProps {
  history: History;
  seed: string | null;
  chosen: string | null;
  name: string;
  summary: string;
  choose(hit: string): void;
  zoom(span: Span): void;
}

interface Frame {
  x: Scale;
  y: Scale;
  right: number;
}

/** Returns the range of the amounts: from 0, but close around the amounts where single entries are drawn. */
function amounts(history: History, seed: string | null): readonly [number, number] {
  const { steps, points, marks } = history;
  const values = [...points.map(({ meter }) => Number(meter)), ...marks.map(({ before }) => Number(before))];
  if (steps === null) return [0, Math.max(...values, seed === null ? 0 : Number(seed), 1) * 1.08];
  values.push(...steps.map(({ meter }) => Number(meter)), ...marks.map(({ after }) => Number(after)));
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (low < high * CLOSE) return [0, high * 1.08];
  const room = Math.max((high - low) * 0.15, 0.01);
  return [Math.max(0, low - room), high + room];
}

function Axes({ frame, values, span }: { frame: Frame; values: readonly number[]; span: Span }) {
  const { locale } = useOffice();
  const cents = values.some((value) => value % 1 !== 0);
  const most = Math.max(3, Math.min(12, Math.floor(frame.right / 90)));
  return (
    <g aria-hidden="true">
      {values.map((value) => (
        <g key={value}>
          <line class={value === 0 ? "base" : "hair"} x1={0} x2={frame.right} y1={frame.y(value)} y2={frame.y(value)} />
          <text class="axis-text" x={frame.right + 10} y={frame.y(value) + 5}>
            {cents
              ? amount(value.toFixed(2), locale, "money")
              : amount(String(value), locale, "money").replace(/[.,]00$/, "")}
          </text>
        </g>
      ))}
      <line class="base" x1={0} x2={frame.right} y1={BOTTOM} y2={BOTTOM} />
      {timeLabels(span.from, span.until, locale, most).map(({ at, label }) => (
        <g key={at}>
          <line class="base" x1={frame.x(at)} x2={frame.x(at)} y1={BOTTOM} y2={BOTTOM + 6} />
          {frame.x(at) < frame.right - 24 && (
            <text class="axis-text" x={frame.x(at) + 3} y={BOTTOM + 24}>
              {label}
            </text>
          )}
        </g>
      ))}
    </g>
  );
}

function MarkShape({ mark, x, y }: { mark: Mark; x: number; y: number }) {
  if (undone(mark)) return <circle class="undone" cx={x} cy={y} r="5.5" />;
  if (whole(mark)) return <path class="whole" d={`M${x} ${y - 9}l9 9l-9 9l-9 -9z`} />;
  return <path class="part" d={`M${x - 7} ${y - 6}h14l-7 12z`} />;
}

interface MarksProps {
  frame: Frame;
  marks: readonly Mark[];
  chosen: string | null;
  choose(hit: string): void;
}

function Marks({ frame, marks, chosen, choose }: MarksProps) {
  const { locale } = useOffice();
  const ordered = [...marks].sort((one, other) => one.at - other.at);
  // An amount is written where no other mark stands in its way.
  const free = (index: number, x: number, left: boolean) =>
    ordered.every((other, place) => {
      const by = (frame.x(other.at) - x) * (left ? -1 : 1);
      return place === index || by < -12 || by > LABEL_WIDTH + 12;
    });
  return (
    <g>
      {ordered.map((mark, index) => {
        const [x, y] = markAt(mark, frame);
        const left = x > frame.right - LABEL_WIDTH - 16;
        const label = mark.hit === chosen || (whole(mark) && !undone(mark) && free(index, x, left));
        return (
          <g
            key={mark.hit}
            class="mark"
            onPointerDown={(event) => event.stopPropagation()}
            onClick={() => choose(mark.hit)}
          >
            {mark.hit === chosen && <line class="crosshair" x1={x} x2={x} y1={TOP - 22} y2={BOTTOM} />}
            <MarkShape mark={mark} x={x} y={y} />
            <rect x={x - 12} y={y - 12} width="24" height="24" fill="transparent" />
            {label && (
              <text class="strong halo" x={left ? x - 14 : x + 14} y={y + 5} text-anchor={left ? "end" : "start"}>
                {amount(mark.due, locale, "money")}
              </text>
            )}
          </g>
        );
      })}
    </g>
  );
}

/** Returns where the shape of a mark stands. */
function markAt(mark: Mark, frame: Frame): readonly [x: number, y: number] {
  return [frame.x(mark.at), frame.y(Number(mark.before)) - 12];
}

/** The places of marks and of the amounts beside them. */
function boxesOf(marks: readonly Mark[], frame: Frame): Box[] {
  return marks.map((mark) => {
    const [x, y] = markAt(mark, frame);
    const left = x > frame.right - LABEL_WIDTH - 16;
    const [from, until] = left ? [-LABEL_WIDTH - 14, 12] : [-12, LABEL_WIDTH + 14];
    return { left: x + from, right: x + until, top: y - 12, bottom: y + 12 };
  });
}

/** What each step was: its round or table, and what it changed. A hit has its mark instead. */
function StepTexts({ steps, marks, frame }: { steps: readonly Step[]; marks: readonly Mark[]; frame: Frame }) {
  const { locale } = useOffice();
  const texts = steps
    .filter((step) => !marks.some((mark) => mark.at === step.at))
    .map((step, index) => {
      const left = frame.x(step.at) > frame.right - 150;
      const x = frame.x(step.at) + (left ? -8 : 8);
      const y = Math.max(TOP - 8, frame.y(Number(step.meter)) - 10 - (index % 2) * 16);
      const name = step.round ?? step.table ?? "";
      const change = amount(step.change, locale, "signed");
      const anchor = left ? ("end" as const) : ("start" as const);
      return { step, x, y, name, change, anchor, box: boxOf(`${name} ${change}`, x, y, anchor) };
    });
  return (
    <>
      {placed(texts, boxesOf(marks, frame)).map(({ step, x, y, name, change, anchor }) => (
        <text key={step.position} class="axis-text halo" x={x} y={y} text-anchor={anchor}>
          {name} <tspan class="strong">{change}</tspan>
        </text>
      ))}
    </>
  );
}

function Lines({ history, frame, seed }: { history: History; frame: Frame; seed: string | null }) {
  const { t, locale } = useOffice();
  const h = t.links.history;
  const { steps, points, marks, opening, span } = history;
  const meter = steps === null ? meterLine(points, marks) : stepLine(steps, opening, span.until);
  const pixels = meter.map(([at, value]) => [frame.x(at), frame.y(value)] as const);
  const reserve =
    steps === null ? reserveLine(points).map(([at, value]) => [frame.x(at), frame.y(value)] as const) : [];
  const [first, last] = [reserve[0], reserve.at(-1)];
  const end = pixels.at(-1);
  const peak = reserve.reduce((best, point) => (point[1] < best[1] ? point : best), [0, BOTTOM] as readonly [
    number,
    number,
  ]);
  // The name of the line stands above its end, or below it where marks are in the way; else the legend alone has it.
  const nameY = end
    ? (placed(
        [end[1] - 12, end[1] + 26]
          .filter((y) => y > TOP + 18 && y < BOTTOM)
          .map((y) => ({ y, box: boxOf(h.meter, frame.right - 10, y, "end") })),
        boxesOf(marks, frame),
      )[0]?.y ?? null)
    : null;
  const seedY = seed === null ? null : frame.y(Number(seed));
  return (
    <g aria-hidden="true">
      {first && last && (
        <>
          <path class="reserve-fill" d={`${pathOf(reserve)}L${last[0]} ${BOTTOM}L${first[0]} ${BOTTOM}Z`} />
          <path class="reserve" d={pathOf(reserve)} />
          {BOTTOM - peak[1] > 28 && (
            <text
              class="grey"
              x={Math.min(Math.max(peak[0] - 16, 80), frame.right - 8)}
              y={BOTTOM - 10}
              text-anchor="end"
            >
              {h.reserve}
            </text>
          )}
        </>
      )}
      {seed !== null && seedY !== null && steps === null && seedY > TOP && seedY < BOTTOM && (
        <>
          <line class="seed" x1={0} x2={frame.right} y1={seedY} y2={seedY} />
          <text class="amber halo" x={6} y={seedY + 20}>
            {h.seed(amount(seed, locale, "money"))}
          </text>
        </>
      )}
      <path class="meter" d={pathOf(pixels)} />
      {steps !== null && steps.length <= WRITTEN_MOST && <StepTexts steps={steps} marks={marks} frame={frame} />}
      {end && nameY !== null && (
        <text class="blue halo" x={frame.right - 10} y={nameY} text-anchor="end">
          {h.meter}
        </text>
      )}
    </g>
  );
}

/** The part of the plot that takes drags and pinches: a drag marks the period to zoom to. */
function Area(props: { frame: Frame; zoom(span: Span): void; span: Span; children: ComponentChildren }) {
  const { frame, zoom } = props;
  const [drag, setDrag] = useState<readonly [number, number] | null>(null);
  const fingers = useRef(new Map<number, number>());
  const at = (event: PointerEvent & { currentTarget: Element }) => {
    const box = event.currentTarget.getBoundingClientRect();
    return Math.min(Math.max(event.clientX - box.left, 0), frame.right);
  };
  const end = () => {
    fingers.current.clear();
    if (drag && Math.abs(drag[1] - drag[0]) >= DRAG_LEAST) {
      const [from = 0, until = 0] = [...drag].sort((one, other) => one - other).map(frame.x.invert);
      zoom({ from, until });
    }
    setDrag(null);
  };
  return (
    <g
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        fingers.current.set(event.pointerId, at(event));
        setDrag(fingers.current.size === 1 ? [at(event), at(event)] : null);
      }}
      onPointerMove={(event) => {
        if (!fingers.current.has(event.pointerId)) return;
        if (fingers.current.size === 2) {
          const before = [...fingers.current.values()];
          fingers.current.set(event.pointerId, at(event));
          const now = [...fingers.current.values()];
          pinch(before, now, props.span, frame, zoom);
        } else if (drag) setDrag([drag[0], at(event)]);
      }}
      onPointerUp={end}
      onPointerCancel={end}
    >
      <rect x={0} y={0} width={frame.right} height={HEIGHT} fill="transparent" />
      {props.children}
      {drag && (
        <rect
          class="drag"
          x={Math.min(...drag)}
          width={Math.abs(drag[1] - drag[0])}
          y={TOP - 22}
          height={BOTTOM - TOP + 22}
        />
      )}
    </g>
  );
}

/** Zooms by the change of the distance between two fingers. */
function pinch(before: number[], now: number[], span: Span, frame: Frame, zoom: (span: Span) => void): void {
  const width = ([one = 0, other = 0]: number[]) => Math.max(1, Math.abs(one - other));
  const factor = width(before) / width(now);
  const middle = frame.x.invert(((now[0] ?? 0) + (now[1] ?? 0)) / 2);
  zoom({ from: middle - (middle - span.from) * factor, until: middle + (span.until - middle) * factor });
}

export function HistoryPlot(props: PlotProps) {
  const { history } = props;
  const root = useRef<SVGSVGElement>(null);
  const width = useWidth(root, 1110);
  const right = width - RIGHT;
  const range = amounts(history, props.seed);
  const all = axis(range[0], range[1]);
  // Axis labels of single entries lie inside the range: 0 is not forced into the picture.
  const values = history.steps === null ? all : all.filter((value) => value <= range[1]);
  const top = history.steps === null ? (values.at(-1) ?? range[1]) : range[1];
  const frame: Frame = {
    right,
    x: linear([history.span.from, history.span.until], [0, right]),
    y: linear([range[0], top], [BOTTOM, TOP]),
  };
  return (
    <svg
      ref={root}
      class="plot"
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      role="img"
      aria-label={`${props.name}. ${props.summary}`}
    >
      <Axes frame={frame} values={values} span={history.span} />
      <Area frame={frame} zoom={props.zoom} span={history.span}>
        <Lines history={history} frame={frame} seed={props.seed} />
        <Marks frame={frame} marks={history.marks} chosen={props.chosen} choose={props.choose} />
      </Area>
    </svg>
  );
}
