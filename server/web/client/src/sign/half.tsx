// Two links on one sign, each on half of the picture: side by side, or above one another in portrait.

import { WORD_FLOOR } from "../fit/chain.js";
import { amountParts } from "../money.js";
import { levelName } from "../text/index.js";
import { type HalfPlan, ROW_CENTS, ROW_GAP, SIDE, TOP_CENTS, planHalf } from "../wall/half.js";
import { LiveAmount, fitOf } from "./amount.js";
import { SignProvider, type SignContext, place, px, useSign } from "./context.js";
import { Emblem, Frame, Tube } from "./drawings.js";
import { type ShownLevel, classOf, winsBy } from "./levels.js";
import { Line } from "./line.js";
import type { SignSession } from "./session.js";
import { StaleMark, linkName, problemOf, shownLevels } from "./stage.js";

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
export function halfPlan({ rulers, texts, options, portrait }: SignContext, levels: readonly ShownLevel[]) {
  const measured = levels.map(({ level, cents }) => {
    const parts = amountParts(cents, options.locale);
    const count = (kind: string) =>
      parts.filter((part) => part.kind === kind && !("small" in part && part.small)).length;
    return { nameEm: rulers.text(levelName(texts, level)), digits: count("digit"), marks: count("mark") };
  });
  return planHalf(measured, halfSize(portrait).width, rulers.metrics);
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
  const levels = shownLevels(session, []);
  const plan = halfPlan(sign, levels);
  const name = linkName(session, options);
  return (
    <section class={`half ${stale ? "stale" : ""}`} style={place({ x, y, ...size })}>
      <Frame />
      {problem && <HalfMessage {...problem} />}
      {!problem && !stale && name && <HalfName name={name} />}
      {!problem && plan && <HalfLevels levels={levels} plan={plan} />}
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

function HalfName({ name }: { name: string }) {
  const sign = useSign();
  return (
    <Line
      text={name}
      cap={46}
      floor={NAME_FLOOR}
      kind="link"
      font="link"
      className="link-name"
      lines="two"
      trackingLeast={0.04}
      box={across(sign, NAME_TOP - (sign.portrait ? 12 : 0))}
    />
  );
}

function HalfLevels({ levels, plan }: { levels: readonly ShownLevel[]; plan: HalfPlan }) {
  const [top, ...lower] = levels;
  if (!top) return null;
  return (
    <>
      <HalfTop level={top} plan={plan} />
      {lower.map((level, index) => {
        const row = { level, plan, y: plan.rows[index] ?? 0 };
        return plan.lower === "row" ? <HalfRow key={level.level} {...row} /> : <HalfStack key={level.level} {...row} />;
      })}
    </>
  );
}

function HalfTop({ level, plan }: { level: ShownLevel; plan: HalfPlan }) {
  const sign = useSign();
  const { theme, size } = sign;
  const by = winsBy(sign, level);
  const tube = theme.frame === "tube";
  const ruled = { x: SIDE + 70, width: size.width - 2 * SIDE - 140, height: 2 };
  const line = LINE_TOP - (sign.portrait ? 20 : 0);
  const end = plan.rule ?? size.height - 40;
  return (
    <section class={classOf(level)}>
      {tube && <Tube x={36} y={line} width={size.width - 72} height={end - line - 4} gap={0} />}
      {!tube && <div class="rule plain" style={place({ ...ruled, y: line })} />}
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
      {plan.rule !== null && !tube && <div class="rule" style={place({ ...ruled, y: plan.rule })} />}
    </section>
  );
}

interface LowerProps {
  level: ShownLevel;
  plan: HalfPlan;
  y: number;
}

/** A lower level in one row: its name to the left, its amount to the right. */
function HalfRow({ level, plan, y }: LowerProps) {
  const sign = useSign();
  const { theme, rulers, size, texts } = sign;
  const name = levelName(texts, level.level);
  const inner = size.width - 2 * SIDE;
  // The name has its width without letter spacing at least; what is left is the amount's.
  const least = rulers.text(name) * (WORD_FLOOR / theme.text.ratio);
  const by = plan.rowHands ? winsBy(sign, level) : "";
  const width = inner - least - ROW_GAP;
  const taken = fitOf(sign, level.cents, { cap: plan.rowCap, centsShare: ROW_CENTS, width });
  const setting = { cap: taken.cap, centsShare: ROW_CENTS, colour: level.index };
  return (
    <section class={classOf(level)}>
      <Line
        text={name}
        cap={WORD_FLOOR}
        floor={WORD_FLOOR}
        kind="name"
        className="name"
        align="left"
        tracking={Math.min(theme.text.tracking, 0.04)}
        box={{ x: SIDE, y: y + (by ? 0 : (plan.rowCap - WORD_FLOOR) / 2), width: least * 1.02 + 1 }}
      />
      {by && (
        <Line
          text={by}
          cap={ROW_HAND}
          floor={ROW_HAND}
          kind="hand"
          className="hand"
          align="left"
          tracking={0}
          box={{ x: SIDE, y: y + 98, width: inner / 2 }}
        />
      )}
      <LiveAmount
        cents={level.cents}
        setting={{ ...setting, align: "right", box: { x: SIDE + inner - width, y, width } }}
      />
    </section>
  );
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
        setting={{ cap: plan.rowCap, centsShare: ROW_CENTS, box: across(sign, y + 102), colour: level.index }}
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
