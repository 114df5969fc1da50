// The levels of a link at rest: the first one large, the others in a row (landscape) or a column (portrait).

import { HAND_FLOOR, WORD_FLOOR } from "../fit/chain.js";
import { amountText, toCents } from "../money.js";
import { handName, levelName } from "../text/index.js";
import { LiveAmount, fitOf } from "./amount.js";
import { Hand } from "./cards.js";
import { type SignContext, place, px, useSign } from "./context.js";
import { Tube } from "./drawings.js";
import { Line } from "./line.js";

/** A level as the sign shows it. */
export interface ShownLevel {
  level: string;
  index: number;
  cents: bigint;
  hands: readonly string[];
  ceiling: string | null;
  disabled: boolean;
}

/** Returns the text under a level: that it is off, the amount it has to be hit by, or the hand that wins it. */
export function winsBy({ texts, options }: SignContext, level: ShownLevel): string {
  if (level.disabled) return texts.notInPlay;
  const ceiling = level.ceiling === null ? null : toCents(level.ceiling);
  const hand = level.hands.map((name) => handName(texts, name)).join(" · ");
  if (ceiling === null) return hand;
  const by = texts.mustHitBy(amountText(ceiling, options.locale, true));
  return hand ? `${hand} · ${by}` : by;
}

const ROYAL = ["As", "Ks", "Qs", "Js", "Ts"];

export function classOf(level: ShownLevel): string {
  return `level level-${level.index % 3} ${level.disabled ? "off" : ""}`;
}

interface TopProps {
  level: ShownLevel;
  /** The link has no other level. */
  alone: boolean;
  /** Gap of a neon tube for the link's name. */
  nameGap: number;
}

/** The first level, in the place of honour. */
export function TopLevel(props: TopProps) {
  return useSign().portrait ? <TopPortrait {...props} /> : <TopLandscape {...props} />;
}

function TopPortrait({ level, alone }: TopProps) {
  const sign = useSign();
  const { theme, texts } = sign;
  const name = levelName(texts, level.level);
  const by = winsBy(sign, level);
  // Royal flush is the one hand with nothing to choose but its suit: its cards may stand for it.
  const cards = level.hands[0] === "royal-flush" && !level.disabled && level.ceiling === null ? ROYAL : null;
  const tube = alone ? 1500 : 745;
  const shift = alone ? 260 : 0;
  const cap = theme.mega.portrait * (alone ? 1.3 : 1);
  const below = shift + (cap - theme.mega.portrait);
  const mega = { cap, centsShare: 0.5, box: { x: 56, y: 552 + shift, width: 968 }, colour: level.index };
  return (
    <section class={classOf(level)}>
      {theme.frame === "tube" && <Tube x={38} y={348} width={1004} height={tube} gap={0} />}
      <Line
        text={name}
        cap={100}
        floor={WORD_FLOOR}
        kind="name"
        className="name"
        box={{ x: 76, y: 408 + shift, width: 928 }}
      />
      <LiveAmount cents={level.cents} setting={mega} />
      {by && (
        <Line
          text={by}
          cap={80}
          floor={HAND_FLOOR}
          kind="hand"
          className="hand"
          lines="first"
          tracking={0.01}
          box={{ x: 76, y: (cards ? 968 : 860) + below, width: 928 }}
        />
      )}
      {cards && (
        <Hand
          cards={cards}
          size={100}
          style={{ left: "50%", top: px(792 + below), transform: "translateX(-50%)" }}
          className="small-hand calm-hand"
        />
      )}
    </section>
  );
}

function TopLandscape({ level, alone, nameGap }: TopProps) {
  const sign = useSign();
  const { theme, texts } = sign;
  const name = levelName(texts, level.level);
  const by = winsBy(sign, level);
  const shift = alone ? 190 : 0;
  const cap = theme.mega.landscape * (alone ? 1.3 : 1);
  const nameWidth = by ? 620 : 1400;
  const mega = {
    cap,
    centsShare: 0.5,
    box: { x: 56, y: 258 + shift + (312 - cap) / 2, width: 1808 },
    colour: level.index,
  };
  return (
    <section class={classOf(level)}>
      {theme.frame === "tube" && <Tube x={36} y={84} width={1848} height={alone ? 920 : 534} gap={nameGap} />}
      <Line
        text={name}
        cap={84}
        floor={WORD_FLOOR}
        kind="name"
        className="name"
        align={by ? "left" : "center"}
        box={by ? { x: 96, y: 150 + shift / 3, width: nameWidth } : { x: 260, y: 150 + shift / 3, width: nameWidth }}
      />
      {by && (
        <Line
          text={by}
          cap={84}
          floor={HAND_FLOOR}
          kind="hand"
          className="hand base-line"
          align="right"
          tracking={theme.text.handTracking ?? 0}
          box={{ x: 740, y: 150 + shift / 3, width: 1084, height: 84 }}
        />
      )}
      <LiveAmount cents={level.cents} setting={mega} />
    </section>
  );
}

/** The lower levels. They do not move when a win takes the place above them. */
export function LowerLevels({ levels }: { levels: readonly ShownLevel[] }) {
  const sign = useSign();
  if (levels.length === 0) return null;
  const count = levels.length;
  if (sign.portrait) {
    const pitch = count <= 2 ? 372 : 740 / count;
    return (
      <>
        {levels.map((level, index) => (
          <LowerPortrait
            key={level.level}
            level={level}
            y={1155 + index * pitch + (count === 1 ? 130 : 0)}
            compact={count > 2}
          />
        ))}
      </>
    );
  }
  const column = count === 1 ? 1808 : (1808 - 48 * (count - 1)) / count;
  const cap = sign.theme.lower.landscape;
  const stacked = levels.some((level) => !fitOf(sign, level.cents, { cap, centsShare: 0.8, width: column }).fits);
  return (
    <>
      {!stacked &&
        levels
          .slice(1)
          .map((level, index) => (
            <div
              key={level.level}
              class="divider"
              style={place({ x: 56 + (index + 1) * (column + 48) - 25, y: 676, width: 2, height: 324 })}
            />
          ))}
      {levels.map((level, index) =>
        stacked ? (
          <LowerStacked key={level.level} level={level} y={676 + (index * 360) / count} height={360 / count} />
        ) : (
          <LowerColumn key={level.level} level={level} x={56 + index * (column + 48)} width={column} />
        ),
      )}
    </>
  );
}

function LowerColumn({ level, x, width }: { level: ShownLevel; x: number; width: number }) {
  const sign = useSign();
  const by = winsBy(sign, level);
  const inner = { x: x + 20, width: width - 40 };
  const cap = sign.theme.lower.landscape;
  return (
    <section class={classOf(level)}>
      <Line
        text={levelName(sign.texts, level.level)}
        cap={79}
        floor={WORD_FLOOR}
        kind="name"
        className="name"
        box={{ ...inner, y: 676 }}
      />
      <LiveAmount
        cents={level.cents}
        setting={{ cap, centsShare: 0.8, box: { x, y: 783, width }, colour: level.index }}
      />
      {by && (
        <Line
          text={by}
          cap={50}
          floor={34}
          kind="hand"
          className="hand"
          lines="one"
          tracking={0.01}
          box={{ ...inner, y: 965 }}
        />
      )}
    </section>
  );
}

/** A lower level over the full width: its amount is too wide for a column. */
function LowerStacked({ level, y, height }: { level: ShownLevel; y: number; height: number }) {
  const sign = useSign();
  const by = height >= 150 ? winsBy(sign, level) : "";
  const cap = Math.max(111, Math.min(sign.theme.lower.landscape, height - 50));
  return (
    <section class={classOf(level)}>
      <Line
        text={levelName(sign.texts, level.level)}
        cap={79}
        floor={WORD_FLOOR}
        kind="name"
        className="name"
        align="left"
        box={{ x: 96, y, width: 560 }}
      />
      {by && (
        <Line
          text={by}
          cap={44}
          floor={34}
          kind="hand"
          className="hand"
          align="left"
          tracking={0.01}
          box={{ x: 96, y: y + 98, width: 560 }}
        />
      )}
      <LiveAmount
        cents={level.cents}
        setting={{ cap, centsShare: 0.8, box: { x: 680, y, width: 1144 }, align: "right", colour: level.index }}
      />
    </section>
  );
}

function LowerPortrait({ level, y, compact }: { level: ShownLevel; y: number; compact: boolean }) {
  const sign = useSign();
  const by = compact ? "" : winsBy(sign, level);
  const cap = compact ? 111 : sign.theme.lower.portrait;
  return (
    <section class={classOf(level)}>
      <Line
        text={levelName(sign.texts, level.level)}
        cap={79}
        floor={WORD_FLOOR}
        kind="name"
        className="name"
        box={{ x: 76, y, width: 928 }}
      />
      <LiveAmount
        cents={level.cents}
        setting={{ cap, centsShare: 0.8, box: { x: 56, y: y + 106, width: 968 }, colour: level.index }}
      />
      {by && (
        <Line
          text={by}
          cap={50}
          floor={34}
          kind="hand"
          className="hand"
          tracking={0.01}
          box={{ x: 76, y: y + 262, width: 928 }}
        />
      )}
    </section>
  );
}
