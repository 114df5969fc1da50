// The plot of returns. Plain SVG: it needs marks, labels at the line, a name and a summary for screen readers, and
// vertical drops elsewhere, which canvas libraries such as uPlot do not draw or say.

import { amount } from "../format.js";
import { useOffice } from "../office.js";
import { axis, linear, pathOf } from "./scale.js";
import "./plot.css";
import { type ReturnCurve, lowestPercent, returnAt } from "./returns.js";

const WIDTH = 660;
const HEIGHT = 430;
const BOX = { left: 8, right: 590, top: 24, bottom: 390 };

interface Props {
  curve: ReturnCurve;
  name: string;
  summary: string;
  texts: { breakEven: string | null; mean: string | null; seed: string; longRun: string; paysMore: string };
}

export function ReturnPlot({ curve, name, summary, texts }: Props) {
  const { locale } = useOffice();
  const [one, other] = [curve.line[0], curve.line.at(-1)];
  if (!one || !other) return null;
  const least = lowestPercent([curve.seed.percent, curve.longRun]);
  const percents = axis(
    least,
    Math.max(
      120,
      curve.line.reduce((most, { percent }) => Math.max(most, percent), 0),
    ),
  );
  const meters = axis(0, curve.until).filter((value) => value <= curve.until);
  const x = linear([0, curve.until], [BOX.left, BOX.right]);
  const y = linear([least, percents.at(-1) ?? 120], [BOX.bottom, BOX.top]);
  const line = [
    [curve.seed.meter, curve.seed.percent],
    [curve.until, returnAt(curve.until, one, other)],
  ].map(([meter = 0, percent = 0]) => [x(meter), y(percent)] as const);
  const even = curve.breakEven !== null && curve.breakEven <= curve.until ? x(curve.breakEven) : null;
  const longRun = y(curve.longRun);
  return (
    <svg class="plot" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${name}. ${summary}`}>
      {even !== null && (
        <g>
          <rect class="shade" x={even} y={BOX.top} width={BOX.right - even} height={BOX.bottom - BOX.top} />
          <text class="amber" x={(even + BOX.right) / 2} y={BOX.top + 18} text-anchor="middle">
            {texts.paysMore}
          </text>
        </g>
      )}
      {percents.map((percent) => (
        <g key={percent}>
          <line
            class={percent === 100 ? "hundred" : "hair"}
            x1={BOX.left}
            x2={BOX.right}
            y1={y(percent)}
            y2={y(percent)}
          />
          <text class={`axis-text ${percent === 100 ? "strong" : ""}`} x={BOX.right + 10} y={y(percent) + 5}>
            {percent}%
          </text>
        </g>
      ))}
      <line class="base" x1={BOX.left} x2={BOX.right} y1={BOX.bottom} y2={BOX.bottom} />
      {meters.map((meter) => (
        <g key={meter}>
          <line class="base" x1={x(meter)} x2={x(meter)} y1={BOX.bottom} y2={BOX.bottom + 6} />
          <text class="axis-text" x={x(meter)} y={BOX.bottom + 24} text-anchor={meter === 0 ? "start" : "middle"}>
            {amount(String(meter), locale, "money").replace(/[.,]00$/, "")}
          </text>
        </g>
      ))}
      <line class="long-run" x1={BOX.left} x2={BOX.right} y1={longRun} y2={longRun} />
      <text class="teal halo" x={(even ?? BOX.right) - 10} y={longRun + 20} text-anchor="end">
        {texts.longRun}
      </text>
      <path class="meter" d={pathOf(line)} />
      {even !== null && (
        <g>
          <line class="break-even" x1={even} x2={even} y1={y(100)} y2={BOX.bottom} />
          <path class="whole" d={`M${even} ${y(100) - 9}l9 9l-9 9l-9 -9z`} />
          <text class="strong halo" x={even - 14} y={y(100) - 14} text-anchor="end">
            {texts.breakEven}
          </text>
        </g>
      )}
      <circle class="ring" cx={x(curve.seed.meter)} cy={y(curve.seed.percent)} r="6.5" />
      <text class="strong halo" x={x(curve.seed.meter) + 14} y={y(curve.seed.percent) + 22}>
        {texts.seed}
      </text>
      {curve.mean && (
        <g>
          <circle class="dot" cx={x(curve.mean.meter)} cy={y(curve.mean.percent)} r="5.5" />
          <text class="halo" x={x(curve.mean.meter) + 14} y={y(curve.mean.percent) + 20}>
            {texts.mean}
          </text>
        </g>
      )}
    </svg>
  );
}
