// The amount beside a plate: the level's new one if the first level was won. The new amount of any other level runs in
// its own place, which does not move, so the first level stays on the sign here.

import { SMALL_HAND_FLOOR, SMALL_LINK_FLOOR } from "../fit/chain.js";
import { levelName } from "../text/index.js";
import { fitOf } from "./amount.js";
import { type SignContext, place, useSign } from "./context.js";
import { Level, type ShownLevel } from "./levels.js";
import { Line, textWidth } from "./line.js";

const CAP = 127;
const CENTS_SHARE = 0.62;

/** Returns the width of the plate: narrower if the amount beside it needs the room. */
export function plateWidth(sign: SignContext, beside: ShownLevel): number {
  return fitOf(sign, beside.cents, { cap: CAP, centsShare: CENTS_SHARE, width: 636 }).fits ? 1124 : 968;
}

/** Returns a link's name if one line takes it at its floor. */
function shortName(sign: SignContext, name: string | null, width: number): string | null {
  return name !== null && textWidth(sign, name, SMALL_LINK_FLOOR, 0.04, "link") <= width ? name : null;
}

interface BesideProps {
  level: ShownLevel;
  /** The amount is the new one of the level that was won. */
  isNew: boolean;
  linkName: string | null;
  /** Width of the plate in landscape. */
  plate: number;
}

export function Beside({ level, isNew, linkName, plate }: BesideProps) {
  const sign = useSign();
  const { texts, portrait } = sign;
  const named = levelName(texts, level.level);
  const x = portrait ? 76 : 76 + plate + 16;
  const width = portrait ? 928 : 1864 - x;
  const short = shortName(sign, linkName, width - 20);
  return (
    <Level
      level={level}
      className="beside"
      name={{ text: isNew ? texts.newLevel(named) : named, cap: 79, box: { x, y: portrait ? 846 : 235, width } }}
      amount={{
        cap: CAP,
        centsShare: CENTS_SHARE,
        box: portrait ? { x: 56, y: 950, width: 968 } : { x, y: 360, width },
      }}
      hand={portrait ? null : { cap: 50, floor: SMALL_HAND_FLOOR, box: { x, y: 525, width } }}
    >
      {short && (
        <Line
          kind="link"
          text={short}
          cap={portrait ? 46 : 36}
          floor={SMALL_LINK_FLOOR}
          box={{ x: x + 10, y: portrait ? 58 : 90, width: width - 20 }}
        />
      )}
      {!portrait && <div class="rule plain" style={place({ x: x + 60, y: 168, width: width - 120, height: 2 })} />}
    </Level>
  );
}
