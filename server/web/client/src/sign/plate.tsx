// The plate of a win: level, amount, table, hand and PENDING or PAID, and beside it the amount that goes on.

import { HAND_FLOOR, WORD_FLOOR, firstFitting } from "../fit/chain.js";
import { handName, levelName } from "../text/index.js";
import type { Scene } from "../wins/machine.js";
import { CountedAmount, LiveAmount, StillAmount, fitOf } from "./amount.js";
import { Hand } from "./cards.js";
import { type SignContext, place, px, useSign } from "./context.js";
import { Foil } from "./drawings.js";
import type { ShownLevel } from "./levels.js";
import { winsBy } from "./levels.js";
import { Line } from "./line.js";

/** Time after the validation at which the amount begins to count. */
export const COUNT_AFTER_MS = 1_300;

function Tag({ step, width, right, y }: { step: "pending" | "paid"; width: number; right: number | null; y: number }) {
  const { texts, rulers, theme } = useSign();
  const text = texts[step];
  const ratio = theme.text.ratio;
  const wide = (cap: number, tracking: number) => (rulers.text(text) + text.length * tracking) * (cap / ratio);
  const icon = wide(84, 0.02) + 190 <= width;
  const cap = wide(84, 0) + 70 <= width ? 84 : WORD_FLOOR;
  const room = width - (icon ? 190 : 70);
  const tracking = Math.max(0, Math.min(theme.text.tracking, (room / (cap / ratio) - rulers.text(text)) / text.length));
  const edge: Record<string, string> = right === null ? { left: "50%", transform: "translateX(-50%)" } : { right: px(right) };
  return (
    <div class={`tag-place`} style={{ top: px(y), ...edge }}>
      <div class={`tag ${step}`}>
        {icon && (
          <svg class="tag-icon" viewBox="0 0 100 100" aria-hidden="true">
            {step === "pending" ? <path d="M50 8a42 42 0 1 1 0 84 42 42 0 0 1 0-84ZM50 24v28l20 14" /> : <path d="M10 54 36 80 90 22" />}
          </svg>
        )}
        <span class="line-inline" data-kind="word" style={{ "--c": String(cap), letterSpacing: `${tracking}em`, marginRight: `${-tracking}em` }}>
          {text}
        </span>
      </div>
    </div>
  );
}

interface PlateProps {
  scene: Scene;
  index: number;
  /** Width of the plate in landscape. */
  width: number;
}

/** Returns the table's name, with the word for it if there is room. */
function tableText({ texts, rulers, theme }: SignContext, table: string, cap: number, width: number): string {
  return firstFitting([texts.table(table), table], width, (text) => rulers.text(text) * (cap / theme.text.ratio));
}

export function Plate(props: PlateProps) {
  const { portrait } = useSign();
  return portrait ? <PortraitPlate {...props} /> : <LandscapePlate {...props} />;
}

function plateClass(scene: Scene, index: number): string {
  return `plate level-${index % 3} step-${scene.step}`;
}

function LandscapePlate({ scene, index, width }: PlateProps) {
  const sign = useSign();
  const { texts, theme, rulers } = sign;
  const { win, step } = scene;
  const left = 44;
  const inner = width - 2 * left;
  const name = levelName(texts, win.level);
  const nameWidth = Math.min(inner, rulers.text(name) * (84 / theme.text.ratio) * 1.04 + 8);
  const hand = handName(texts, win.hand);
  const table = tableText(sign, win.table, 79, inner - 40 - rulers.text(hand) * (79 / theme.text.ratio));
  const tableWidth = rulers.text(table) * (79 / theme.text.ratio) + 8;
  const amount = { cap: 196, centsShare: 0.55, box: { x: 30, y: 192, width: width - 60 }, colour: index };
  const tagged = step === "pending" || step === "paid" ? step : null;
  const celebrates = step === "celebration";
  return (
    <section class={plateClass(scene, index)} style={place({ x: 76, y: 70, width, height: 530 })}>
      <div class="plate-edge" />
      <div class="plate-ground">{celebrates && <div class="rays party" />}</div>
      <Line text={name} cap={84} floor={WORD_FLOOR} kind="name" className="name" align="left" box={{ x: left, y: 48, width: tagged ? nameWidth : inner }} {...(tagged ? { tracking: Math.min(0.03, theme.text.tracking) } : {})} />
      {tagged && <Tag key={tagged} step={tagged} width={inner - nameWidth - 30} right={left} y={28} />}
      {celebrates && win.cards && <Hand cards={win.cards} size={84} style={{ right: px(left), top: px(22) }} className="small-hand" />}
      {celebrates ? (
        <CountedAmount cents={win.cents} setting={amount} startAt={scene.since + COUNT_AFTER_MS} />
      ) : (
        <StillAmount cents={win.cents} setting={amount} />
      )}
      <Line text={table} cap={79} floor={WORD_FLOOR} kind="table" className="hand" align="left" tracking={0} box={{ x: left, y: 427, width: tableWidth }} />
      <Line text={hand} cap={84} floor={HAND_FLOOR} kind="hand" className="hand" align="right" tracking={0} box={{ x: left + tableWidth + 24, y: 424, width: inner - tableWidth - 24 }} />
      {celebrates && <Foil pieces={36} />}
    </section>
  );
}

function PortraitPlate({ scene, index }: PlateProps) {
  const sign = useSign();
  const { texts } = sign;
  const { win, step } = scene;
  const width = 968;
  const inner = { x: 36, width: width - 72 };
  const amount = { cap: 165, centsShare: 0.5, box: { x: 24, y: 298, width: width - 48 }, colour: index };
  const tagged = step === "pending" || step === "paid" ? step : null;
  const celebrates = step === "celebration";
  const up = tagged ? 0 : -60;
  return (
    <section class={plateClass(scene, index)} style={place({ x: 56, y: 130, width, height: 690 })}>
      <div class="plate-edge" />
      <div class="plate-ground">{celebrates && <div class="rays party" />}</div>
      {tagged && <Tag key={tagged} step={tagged} width={inner.width} right={null} y={26} />}
      {celebrates && win.cards && <Hand cards={win.cards} size={62} style={{ left: "50%", top: px(20), transform: "translateX(-50%)" }} className="small-hand" />}
      <Line text={levelName(texts, win.level)} cap={84} floor={WORD_FLOOR} kind="name" className="name" box={{ ...inner, y: 180 + (celebrates && win.cards ? 0 : up) }} />
      {celebrates ? (
        <CountedAmount cents={win.cents} setting={amount} startAt={scene.since + COUNT_AFTER_MS} />
      ) : (
        <StillAmount cents={win.cents} setting={amount} />
      )}
      <Line text={tableText(sign, win.table, 79, inner.width)} cap={79} floor={WORD_FLOOR} kind="table" className="hand" tracking={0} box={{ ...inner, y: 510 }} />
      <Line text={handName(texts, win.hand)} cap={50} floor={HAND_FLOOR} kind="hand" className="hand" tracking={0} box={{ ...inner, y: 614 }} />
      {celebrates && <Foil pieces={36} />}
    </section>
  );
}

/** Setting of the amount beside a plate. */
function besideSetting(x: number, width: number, index: number) {
  return { cap: 127, centsShare: 0.62, box: { x, y: 360, width }, colour: index };
}

/** Returns the width of the plate: narrower if the amount beside it needs the room. */
export function plateWidth(sign: SignContext, beside: ShownLevel): number {
  const wide = fitOf(sign, beside.cents, { cap: 127, centsShare: 0.62, width: 636 });
  return wide.fits && wide.cents ? 1124 : 940;
}

/**
 * The amount beside a plate: the level's new one if the first level was won. The new amount of any other level runs in
 * its own place, which does not move, so the first level stays on the sign here.
 */
export function Beside({ level, isNew, linkName, plate }: { level: ShownLevel; isNew: boolean; linkName: string | null; plate: number }) {
  const sign = useSign();
  const { texts, portrait } = sign;
  const named = levelName(texts, level.level);
  const name = isNew ? texts.newLevel(named) : named;
  const by = winsBy(sign, level);
  if (portrait) {
    return (
      <section class={`level level-${level.index % 3} beside`}>
        {linkName && <Line text={linkName} cap={46} floor={36} kind="link" font="link" className="link-name" trackingLeast={0.04} box={{ x: 76, y: 58, width: 928 }} />}
        <Line text={name} cap={79} floor={WORD_FLOOR} kind="name" className="name" box={{ x: 76, y: 846, width: 928 }} />
        <LiveAmount cents={level.cents} setting={{ cap: 127, centsShare: 0.62, box: { x: 56, y: 950, width: 968 }, colour: level.index }} />
      </section>
    );
  }
  const x = 76 + plate + 16;
  const width = 1864 - x;
  return (
    <section class={`level level-${level.index % 3} beside`}>
      {linkName && <Line text={linkName} cap={36} floor={30} kind="link" font="link" className="link-name" lines="two" trackingLeast={0.04} box={{ x: x + 10, y: 90, width: width - 20 }} />}
      <div class="rule plain" style={place({ x: x + 60, y: 168, width: width - 120, height: 2 })} />
      <Line text={name} cap={79} floor={WORD_FLOOR} kind="name" className="name" box={{ x, y: 235, width }} />
      <LiveAmount cents={level.cents} setting={besideSetting(x, width, level.index)} />
      {by && <Line text={by} cap={50} floor={34} kind="hand" className="hand" tracking={0.01} box={{ x, y: 525, width }} />}
    </section>
  );
}
