// The amount beside a plate: the level's new one if the first level was won. The new amount of any other level runs in
// its own place, which does not move, so the first level stays on the sign here.

import { WORD_FLOOR } from "../fit/chain.js";
import { levelName } from "../text/index.js";
import { LiveAmount, fitOf } from "./amount.js";
import { type SignContext, place, useSign } from "./context.js";
import { type ShownLevel, winsBy } from "./levels.js";
import { Line } from "./line.js";

const CAP = 127;
const CENTS_SHARE = 0.62;

/** Cap height to which a link's name may shrink here. A longer name is left out. */
const NAME_FLOOR = 30;

/** Returns the width of the plate: narrower if the amount beside it needs the room. */
export function plateWidth(sign: SignContext, beside: ShownLevel): number {
  return fitOf(sign, beside.cents, { cap: CAP, centsShare: CENTS_SHARE, width: 636 }).fits ? 1124 : 968;
}

/** Returns a link's name if one line takes it. */
function shortName({ rulers, theme }: SignContext, name: string | null, width: number): string | null {
  if (name === null) return null;
  return (rulers.link(name) + name.length * 0.04) * (NAME_FLOOR / theme.link.ratio) <= width ? name : null;
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
  const name = isNew ? texts.newLevel(named) : named;
  const x = portrait ? 76 : 76 + plate + 16;
  const width = portrait ? 928 : 1864 - x;
  const short = shortName(sign, linkName, width - 20);
  const by = portrait ? "" : winsBy(sign, level);
  const setting = { cap: CAP, centsShare: CENTS_SHARE, colour: level.index };
  return (
    <section class={`level level-${level.index % 3} beside`}>
      {short && (
        <Line
          text={short}
          cap={portrait ? 46 : 36}
          floor={NAME_FLOOR}
          kind="link"
          font="link"
          className="link-name"
          trackingLeast={0.04}
          box={{ x: x + 10, y: portrait ? 58 : 90, width: width - 20 }}
        />
      )}
      {!portrait && <div class="rule plain" style={place({ x: x + 60, y: 168, width: width - 120, height: 2 })} />}
      <Line
        text={name}
        cap={79}
        floor={WORD_FLOOR}
        kind="name"
        className="name"
        box={{ x, y: portrait ? 846 : 235, width }}
      />
      <LiveAmount
        cents={level.cents}
        setting={{ ...setting, box: portrait ? { x: 56, y: 950, width: 968 } : { x, y: 360, width } }}
      />
      {by && (
        <Line text={by} cap={50} floor={34} kind="hand" className="hand" tracking={0.01} box={{ x, y: 525, width }} />
      )}
    </section>
  );
}
