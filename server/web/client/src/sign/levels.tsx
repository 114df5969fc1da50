// The first level of a link at rest, and what all levels have in common.

import type { ComponentChildren } from "preact";
import { amountText, toCents } from "../money.js";
import { handName, levelName } from "../text/index.js";
import { type AmountSetting, LiveAmount } from "./amount.js";
import { Hand } from "./cards.js";
import { type SignContext, centred, levelClass, useSign } from "./context.js";
import { Tube } from "./drawings.js";
import { Line, type LineProps } from "./line.js";

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

type TextPlace = Pick<LineProps, "cap" | "box"> & Partial<LineProps>;

interface LevelProps {
  level: ShownLevel;
  name: TextPlace;
  amount: Omit<AmountSetting, "colour">;
  /** Place of the text under the level; null if none stands there. */
  hand: TextPlace | null;
  className?: string;
  /** Drawings behind the texts. */
  children?: ComponentChildren;
}

/** A level: its name, its amount, and the hand that wins it. */
export function Level({ level, name, amount, hand, className, children }: LevelProps) {
  const sign = useSign();
  const by = hand && winsBy(sign, level);
  const classes = className ?? (level.disabled ? "off" : "");
  return (
    <section class={`level ${levelClass(level.index)} ${classes}`}>
      {children}
      <Line text={levelName(sign.texts, level.level)} kind="name" {...name} />
      <LiveAmount cents={level.cents} setting={{ ...amount, colour: level.index }} />
      {hand && by && <Line text={by} kind="hand" tracking={0.01} {...hand} />}
    </section>
  );
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
  const { theme } = useSign();
  // Royal flush is the one hand with nothing to choose but its suit: its cards may stand for it.
  const cards = level.hands[0] === "royal-flush" && !level.disabled && level.ceiling === null ? ROYAL : null;
  const shift = alone ? 260 : 0;
  const cap = theme.mega.portrait * (alone ? 1.3 : 1);
  const below = shift + (cap - theme.mega.portrait);
  const inner = { x: 76, width: 928 };
  return (
    <Level
      level={level}
      name={{ cap: 100, box: { ...inner, y: 408 + shift } }}
      amount={{ cap, centsShare: 0.5, box: { x: 56, y: 552 + shift, width: 968 } }}
      hand={{ cap: 80, lines: "first", box: { ...inner, y: (cards ? 968 : 860) + below } }}
    >
      {theme.frame === "tube" && <Tube x={38} y={348} width={1004} height={alone ? 1500 : 745} gap={0} />}
      {cards && <Hand cards={cards} size={100} style={centred(792 + below)} className="small-hand calm-hand" />}
    </Level>
  );
}

function TopLandscape({ level, alone, nameGap }: TopProps) {
  const sign = useSign();
  const { theme } = sign;
  const shift = alone ? 190 : 0;
  const cap = theme.mega.landscape * (alone ? 1.3 : 1);
  const y = 150 + shift / 3;
  const beside = winsBy(sign, level) !== "";
  return (
    <Level
      level={level}
      name={{
        cap: 84,
        align: beside ? "left" : "center",
        box: beside ? { x: 96, y, width: 620 } : { x: 260, y, width: 1400 },
      }}
      amount={{ cap, centsShare: 0.5, box: { x: 56, y: 258 + shift + (312 - cap) / 2, width: 1808 } }}
      hand={{
        cap: 84,
        className: "base-line",
        align: "right",
        tracking: theme.text.handTracking ?? 0,
        box: { x: 740, y, width: 1084, height: 84 },
      }}
    >
      {theme.frame === "tube" && <Tube x={36} y={84} width={1848} height={alone ? 920 : 534} gap={nameGap} />}
    </Level>
  );
}
