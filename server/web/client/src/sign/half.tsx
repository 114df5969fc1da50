// Two links on one sign, each on half of the picture: side by side, or above one another in portrait.

import { WORD_FLOOR, fitText } from "../fit/chain.js";
import { levelName } from "../text/index.js";
import { LOWER_CENTS } from "../fit/lower.js";
import { type HalfPlan, SIDE, TOP_CENTS, planHalf } from "../wall/half.js";
import { LiveAmount } from "./amount.js";
import { SignProvider, type SignContext, place, px, useSign } from "./context.js";
import { Emblem, Frame, Tube } from "./drawings.js";
import { type ShownLevel, classOf, winsBy } from "./levels.js";
import { Line } from "./line.js";
import { Row, measured } from "./lower.js";
import { linkName } from "./options.js";
import type { SignSession } from "./session.js";
import { StaleMark, problemOf, shownLevels } from "./stage.js";

/** Cap height to which a link's name may shrink here, which is read from near. */
const NAME_FLOOR = 30;
/** Tops of a link's name and of the line below it; portrait has less room. */
const NAME_TOP = 68;
const LINE_TOP = 144;
/** Cap height of the hands of lower levels, which are read from near. */
const ROW_HAND = 34;

/** Returns the size of a half of the picture. */
function halfSize(portrait: boolean): { width: number; height: number } {
  return portrait ? { width: 1080, height: 960 } : { width: 960, height: 1080 };
}

/** Returns the layout of a link's levels on half of the picture; null if they don't fit. */
export function halfPlan(sign: SignContext, levels: readonly ShownLevel[]) {
  const widths = levels.map((level) => measured(sign, level));
  return planHalf(widths, halfSize(sign.portrait).width, sign.rulers.metrics);
}

export function Halves({ sessions }: { sessions: readonly SignSession[] }) {
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

function Half({ session, x, y }: { session: SignSession; x: number; y: number }) {
  const sign = useSign();
  const { size, options } = sign;
  const live = session.live.value;
  const problem = problemOf(sign, session);
  const stale = live.kind === "stale" && !problem;
  const levels = shownLevels(session, options.hands);
  const plan = halfPlan(sign, levels);
  const name = linkName(options, session.feed.value);
  const long = name !== null && isLong(sign, name);
  return (
    <section class={`half ${stale ? "stale" : ""}`} style={place({ x, y, ...size })}>
      <Frame />
      {problem && <HalfMessage {...problem} />}
      {!problem && !stale && name && <HalfName name={name} long={long} />}
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

function HalfMessage({ title, hint }: { title: string; hint: string }) {
  const sign = useSign();
  const y = sign.size.height / 3;
  return (
    <>
      <Line
        text={title}
        cap={90}
        floor={WORD_FLOOR}
        kind="word"
        className="name"
        lines="three"
        tracking={0.02}
        box={across(sign, y)}
      />
      <p class="hint" style={place(across(sign, y + 400))}>
        {hint}
      </p>
    </>
  );
}

/** Returns if a link's name needs three lines, which take the place of the line below it. */
function isLong(sign: SignContext, text: string): boolean {
  const { rulers, theme } = sign;
  const request = {
    text,
    cap: 46,
    floor: NAME_FLOOR,
    width: across(sign, 0).width,
    tracking: 0.04,
    trackingLeast: 0.04,
  };
  return fitText({ ...request, lines: 3 }, rulers.link, theme.link.ratio).lines.length > 2;
}

function HalfName({ name, long }: { name: string; long: boolean }) {
  const sign = useSign();
  return (
    <Line
      text={name}
      cap={46}
      floor={NAME_FLOOR}
      kind="link"
      font="link"
      className="link-name"
      lines="three"
      trackingLeast={0.04}
      box={across(sign, NAME_TOP - (long ? 28 : sign.portrait ? 12 : 0))}
    />
  );
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
        if (plan.lower === "stack") return <HalfStack key={level.level} level={level} plan={plan} y={y} />;
        const cell = { ...across(sign, y), index, kind: "row", cap: plan.rowCap, hand: plan.rowHands } as const;
        return <Row key={level.level} level={level} cell={cell} />;
      })}
    </>
  );
}

function HalfTop({ level, plan, ruled }: { level: ShownLevel; plan: HalfPlan; ruled: boolean }) {
  const sign = useSign();
  const { theme, size } = sign;
  const by = winsBy(sign, level);
  const tube = theme.frame === "tube";
  const rule = { x: SIDE + 70, width: size.width - 2 * SIDE - 140, height: 2 };
  const line = LINE_TOP - (sign.portrait ? 20 : 0);
  const end = plan.rule ?? size.height - 40;
  return (
    <section class={classOf(level)}>
      {tube && <Tube x={36} y={line} width={size.width - 72} height={end - line - 4} gap={0} />}
      {!tube && ruled && <div class="rule plain" style={place({ ...rule, y: line })} />}
      {plan.emblem && (
        <div
          class="half-emblem"
          style={{ top: px(plan.emblem.y), height: px(plan.emblem.height), width: px(size.width) }}
        >
          <Emblem />
        </div>
      )}
      <Line
        text={levelName(sign.texts, level.level)}
        cap={plan.name.cap}
        floor={WORD_FLOOR}
        kind="name"
        className="name"
        box={across(sign, plan.name.y)}
      />
      <LiveAmount
        cents={level.cents}
        setting={{
          cap: plan.amount.cap,
          centsShare: TOP_CENTS,
          box: across(sign, plan.amount.y),
          colour: level.index,
        }}
      />
      {plan.hand && by && (
        <Line
          text={by}
          cap={plan.hand.cap}
          floor={ROW_HAND}
          kind="hand"
          className="hand"
          tracking={0.01}
          box={across(sign, plan.hand.y)}
        />
      )}
      {plan.rule !== null && !tube && <div class="rule" style={place({ ...rule, y: plan.rule })} />}
    </section>
  );
}

interface LowerProps {
  level: ShownLevel;
  plan: HalfPlan;
  y: number;
}

/** A lower level with its amount below its name: side by side they are too wide. */
function HalfStack({ level, plan, y }: LowerProps) {
  const sign = useSign();
  const by = plan.rowHands ? winsBy(sign, level) : "";
  return (
    <section class={classOf(level)}>
      <Line
        text={levelName(sign.texts, level.level)}
        cap={WORD_FLOOR}
        floor={WORD_FLOOR}
        kind="name"
        className="name"
        box={across(sign, y)}
      />
      <LiveAmount
        cents={level.cents}
        setting={{ cap: plan.rowCap, centsShare: LOWER_CENTS, box: across(sign, y + 102), colour: level.index }}
      />
      {by && (
        <Line
          text={by}
          cap={50}
          floor={ROW_HAND}
          kind="hand"
          className="hand"
          tracking={0.01}
          box={across(sign, y + 250)}
        />
      )}
    </section>
  );
}
