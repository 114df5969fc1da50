// Two links on one sign, each on half of the picture: side by side, or above one another in portrait.

import { SMALL_HAND_FLOOR, SMALL_LINK_FLOOR } from "../fit/chain.js";
import { type HalfPlan, SIDE, TOP_CENTS, planHalf } from "../wall/half.js";
import { SignProvider, type SignContext, place, px, useSign } from "./context.js";
import { Emblem, Frame, Tube } from "./drawings.js";
import { Level, type ShownLevel } from "./levels.js";
import { Line, fitLine } from "./line.js";
import { Row, Stack, measured } from "./lower.js";
import { linkName } from "./options.js";
import type { ShownSession } from "./session.js";
import { MessageLines, StaleMark, problemOf, shownLevels } from "./stage.js";

/** Tops of a link's name and of the line below it; portrait has less room. */
const NAME_TOP = 68;
const LINE_TOP = 144;

/** Returns the size of a half of the picture. */
function halfSize(portrait: boolean): { width: number; height: number } {
  return portrait ? { width: 1080, height: 960 } : { width: 960, height: 1080 };
}

/** Returns the layout of a link's levels on half of the picture; null if they don't fit. */
export function halfPlan(sign: SignContext, levels: readonly ShownLevel[]) {
  const widths = levels.map((level) => measured(sign, level));
  return planHalf(widths, halfSize(sign.portrait).width, sign.rulers.metrics);
}

export function Halves({ sessions }: { sessions: readonly ShownSession[] }) {
  const sign = useSign();
  const size = halfSize(sign.portrait);
  return (
    <div class="stage-box">
      <SignProvider value={{ ...sign, size }}>
        {sessions.map((session, index) => (
          <Half
            key={session.link}
            session={session}
            x={sign.portrait ? 0 : index * size.width}
            y={sign.portrait ? index * size.height : 0}
          />
        ))}
      </SignProvider>
    </div>
  );
}

function Half({ session, x, y }: { session: ShownSession; x: number; y: number }) {
  const sign = useSign();
  const { size, options } = sign;
  const live = session.live.value;
  const problem = problemOf(sign, session);
  const stale = live.kind === "stale" && !problem;
  const levels = shownLevels(session, options.hands);
  const plan = halfPlan(sign, levels);
  const name = linkName(options, session.feed.value);
  const long = name !== null && fitLine(sign, linkLine(sign, name)).lines.length > 2;
  return (
    <section class={`half ${stale ? "stale" : ""}`} style={place({ x, y, ...size })}>
      <Frame />
      {problem && <HalfMessage {...problem} />}
      {!problem && !stale && name && <Line {...linkLine(sign, name, long)} />}
      {!problem && plan && <HalfLevels levels={levels} plan={plan} ruled={!long || stale} />}
      {live.kind === "stale" && stale && (
        <StaleMark since={live.since} box={{ x: 40, width: size.width - 80 }} lines={1} />
      )}
    </section>
  );
}

/** Returns the box of a text over the width of a half. */
function across({ size }: SignContext, y: number) {
  return { x: SIDE, y, width: size.width - 2 * SIDE };
}

function HalfMessage(problem: { title: string; hint: string }) {
  const sign = useSign();
  const box = across(sign, sign.size.height / 3);
  return <MessageLines {...problem} cap={90} lines="three" box={box} hintAt={400} />;
}

/** Returns the line of a link's name. One that needs three lines is `long`, and takes the place of the line below it. */
function linkLine(sign: SignContext, text: string, long = false) {
  const box = across(sign, NAME_TOP - (long ? 28 : sign.portrait ? 12 : 0));
  return { kind: "link", text, cap: 46, floor: SMALL_LINK_FLOOR, lines: "three", box } as const;
}

interface LevelsProps {
  levels: readonly ShownLevel[];
  plan: HalfPlan;
  /** There is a line below the link's name. */
  ruled: boolean;
}

function HalfLevels({ levels, plan, ruled }: LevelsProps) {
  const sign = useSign();
  const [top, ...lower] = levels;
  if (!top) return null;
  return (
    <>
      <HalfTop level={top} plan={plan} ruled={ruled} />
      {lower.map((level, index) => {
        const y = plan.rows[index] ?? 0;
        const cell = { ...across(sign, y), cap: plan.rowCap, hand: plan.rowHands };
        if (plan.lower === "row") return <Row key={level.level} level={level} cell={cell} />;
        return <Stack key={level.level} level={level} cell={cell} amountAt={102} handAt={250} margin={0} />;
      })}
    </>
  );
}

function HalfTop({ level, plan, ruled }: { level: ShownLevel; plan: HalfPlan; ruled: boolean }) {
  const sign = useSign();
  const { theme, size } = sign;
  const tube = theme.frame === "tube";
  const rule = { x: SIDE + 70, width: size.width - 2 * SIDE - 140, height: 2 };
  const line = LINE_TOP - (sign.portrait ? 20 : 0);
  const end = plan.rule ?? size.height - 40;
  const { name, amount, hand, emblem } = plan;
  return (
    <Level
      level={level}
      name={{ cap: name.cap, box: across(sign, name.y) }}
      amount={{ cap: amount.cap, centsShare: TOP_CENTS, box: across(sign, amount.y) }}
      hand={hand && { cap: hand.cap, floor: SMALL_HAND_FLOOR, box: across(sign, hand.y) }}
    >
      {tube && <Tube x={36} y={line} width={size.width - 72} height={end - line - 4} gap={0} />}
      {!tube && ruled && <div class="rule plain" style={place({ ...rule, y: line })} />}
      {emblem && (
        <div class="half-emblem" style={{ top: px(emblem.y), height: px(emblem.height), width: px(size.width) }}>
          <Emblem />
        </div>
      )}
      {plan.rule !== null && !tube && <div class="rule" style={place({ ...rule, y: plan.rule })} />}
    </Level>
  );
}
