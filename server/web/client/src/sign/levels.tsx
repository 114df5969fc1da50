// The first level of a link at rest, and what all levels have in common.

import { HAND_FLOOR, WORD_FLOOR } from "../fit/chain.js";
import { amountText, toCents } from "../money.js";
import { handName, levelName } from "../text/index.js";
import { LiveAmount } from "./amount.js";
import { Hand } from "./cards.js";
import { type SignContext, px, useSign } from "./context.js";
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
