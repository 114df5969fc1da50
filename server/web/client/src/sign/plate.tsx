// The plate of a win: level, amount, table, hand and PENDING or PAID, and beside it the amount that goes on.

import type { ComponentChildren } from "preact";
import { HAND_FLOOR, WORD_FLOOR, firstFitting } from "../fit/chain.js";
import { handName, levelName } from "../text/index.js";
import type { Scene } from "../wins/machine.js";
import { CountedAmount, StillAmount } from "./amount.js";
import { Hand } from "./cards.js";
import { type SignContext, centred, levelClass, place, px, useSign } from "./context.js";
import { Foil } from "./drawings.js";
import { Line, textWidth } from "./line.js";
import { Rays } from "./rays.js";

/** Time after the validation at which the amount begins to count. */
export const COUNT_AFTER_MS = 1_300;

/** Returns how PENDING or PAID fits a width: with its icon, without it, then at the floor without letter spacing. */
function fitTag(
  sign: SignContext,
  text: string,
  width: number,
): { cap: number; tracking: number; icon: boolean; width: number } {
  const sized = (cap: number, tracking: number, icon: boolean) => {
    return { cap, tracking, icon, width: textWidth(sign, text, cap, tracking) + (icon ? 176 : 64) };
  };
  const full = Math.min(sign.theme.text.tracking, 0.05);
  const ways = [sized(84, full, true), sized(84, full, false)];
  return ways.find((way) => way.width <= width) ?? sized(WORD_FLOOR, 0, false);
}

type Tagged = "pending" | "won" | "paid";

interface TagProps {
  step: Tagged;
  width: number;
  /** Distance from the right edge; null for the middle. */
  right: number | null;
  y: number;
}

const TAG_ICONS: Readonly<Record<Tagged, string>> = {
  pending: "M50 8a42 42 0 1 1 0 84 42 42 0 0 1 0-84ZM50 24v28l20 14",
  won: "M50 8 92 50 50 92 8 50Z",
  paid: "M10 54 36 80 90 22",
};

function Tag({ step, width, right, y }: TagProps) {
  const sign = useSign();
  const { cap, tracking, icon } = fitTag(sign, sign.texts[step], width);
  const edge = right === null ? centred(y) : { top: px(y), right: px(right) };
  return (
    <div class="tag-place" style={edge}>
      <div class={`tag ${step}`}>
        {icon && (
          <svg class="tag-icon" viewBox="0 0 100 100" aria-hidden="true">
            <path d={TAG_ICONS[step]} />
          </svg>
        )}
        <span
          class="line-inline"
          data-kind="word"
          style={{ "--c": String(cap), letterSpacing: `${tracking}em`, marginRight: `${-tracking}em` }}
        >
          {sign.texts[step]}
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
function tableText(sign: SignContext, table: string, width: number): string {
  return firstFitting([sign.texts.table(table), table], width, (text) => textWidth(sign, text, WORD_FLOOR));
}

const SIDE = 44;

export function Plate(props: PlateProps) {
  const sign = useSign();
  if (sign.portrait) return <PortraitPlate {...props} />;
  const name = textWidth(sign, levelName(sign.texts, props.scene.win.level), WORD_FLOOR);
  const inner = props.width - 2 * SIDE;
  const tag = fitTag(sign, sign.texts.pending, 0).width;
  return name + 24 + tag <= inner ? <WidePlate {...props} /> : <NarrowPlate {...props} />;
}

interface FrameProps {
  scene: Scene;
  index: number;
  box: Parameters<typeof place>[0];
  children: ComponentChildren;
}

/** The edge and the ground of a plate, with rays and foil while it celebrates. */
function Frame({ scene, index, box, children }: FrameProps) {
  const celebrates = scene.step === "celebration";
  return (
    <section class={`plate ${levelClass(index)} step-${scene.step}`} style={place(box)}>
      <div class="plate-edge" />
      <div class="plate-ground">
        {celebrates && (
          <Rays
            width={box.width}
            height={box.height ?? 0}
            middle={0.45}
            strength={0.7}
            ground={["--plate", "--plate-edge"]}
          />
        )}
        {celebrates && <Foil pieces={28} />}
      </div>
      {children}
    </section>
  );
}

/** Returns what a step shows: the word of its tag, if it has one, and the cards of a hand that is celebrated. */
function shown({ step, win }: Scene) {
  return {
    tagged: step === "pending" || step === "won" || step === "paid" ? step : null,
    cards: step === "celebration" ? win.cards : null,
  } as const;
}

function Won({
  scene,
  cap,
  y,
  width,
  centsShare,
  index,
}: {
  scene: Scene;
  cap: number;
  y: number;
  width: number;
  centsShare: number;
  index: number;
}) {
  const setting = { cap, centsShare, box: { x: 12, y, width: width - 24 }, colour: index };
  if (scene.step !== "celebration") return <StillAmount cents={scene.win.cents} setting={setting} />;
  return <CountedAmount cents={scene.win.cents} setting={setting} startAt={scene.since + COUNT_AFTER_MS} />;
}

/** Plate of fonts that are narrow enough for the level and PENDING in one row. */
function WidePlate({ scene, index, width }: PlateProps) {
  const sign = useSign();
  const { texts } = sign;
  const { win } = scene;
  const inner = width - 2 * SIDE;
  const name = levelName(texts, win.level);
  const { tagged, cards } = shown(scene);
  const nameWidth = Math.min(textWidth(sign, name, 84) * 1.06, inner - 24 - fitTag(sign, texts.pending, 0).width);
  const hand = handName(texts, win.hand);
  const table = tableText(sign, win.table, inner - 60 - textWidth(sign, hand, WORD_FLOOR));
  const tableWidth = textWidth(sign, table, WORD_FLOOR) + 8;
  return (
    <Frame scene={scene} index={index} box={{ x: 76, y: 70, width, height: 530 }}>
      <Line
        text={name}
        cap={84}
        kind="name"
        align="left"
        box={{ x: SIDE, y: 48, width: tagged ? nameWidth : inner }}
        tracking={Math.min(0.05, sign.theme.text.tracking)}
      />
      {tagged && <Tag key={tagged} step={tagged} width={inner - nameWidth - 24} right={SIDE} y={28} />}
      {cards && <Hand cards={cards} size={84} style={{ right: px(SIDE), top: px(22) }} className="small-hand" />}
      <Won scene={scene} cap={196} y={192} width={width} centsShare={0.55} index={index} />
      <Line
        text={table}
        cap={WORD_FLOOR}
        kind="table"
        align="left"
        tracking={0}
        box={{ x: SIDE, y: 425, width: tableWidth }}
      />
      <Line
        text={hand}
        cap={WORD_FLOOR}
        kind="hand"
        className="base-line"
        align="right"
        tracking={0}
        box={{ x: SIDE + tableWidth + 24, y: 425, width: inner - tableWidth - 24, height: 79 }}
      />
    </Frame>
  );
}

/** Plate with PENDING in a row of its own. */
function NarrowPlate({ scene, index, width }: PlateProps) {
  const sign = useSign();
  const { texts } = sign;
  const { win } = scene;
  const inner = width - 2 * SIDE;
  const name = levelName(texts, win.level);
  const { tagged, cards } = shown(scene);
  const nameWidth = textWidth(sign, name, WORD_FLOOR) + 8;
  const table = tableText(sign, win.table, inner - nameWidth - 40);
  return (
    <Frame scene={scene} index={index} box={{ x: 76, y: 70, width, height: 530 }}>
      <Line
        text={name}
        cap={WORD_FLOOR}
        kind="name"
        align="left"
        tracking={0}
        box={{ x: SIDE, y: 40, width: nameWidth }}
      />
      <Line
        text={table}
        cap={WORD_FLOOR}
        kind="table"
        align="right"
        tracking={0}
        box={{ x: SIDE + nameWidth + 24, y: 40, width: inner - nameWidth - 24 }}
      />
      <Won scene={scene} cap={140} y={148} width={width} centsShare={0.6} index={index} />
      {tagged && <Tag key={tagged} step={tagged} width={inner} right={null} y={322} />}
      {cards && <Hand cards={cards} size={82} style={centred(322)} className="small-hand" />}
      <Line
        text={handName(texts, win.hand)}
        cap={HAND_FLOOR}
        kind="hand"
        tracking={0}
        box={{ x: SIDE, y: 458, width: inner }}
      />
    </Frame>
  );
}

function PortraitPlate({ scene, index }: PlateProps) {
  const sign = useSign();
  const { texts } = sign;
  const { win } = scene;
  const width = 968;
  const inner = { x: 36, width: width - 72 };
  const { tagged, cards } = shown(scene);
  const up = tagged ? 0 : -60;
  return (
    <Frame scene={scene} index={index} box={{ x: 56, y: 130, width, height: 690 }}>
      {tagged && <Tag key={tagged} step={tagged} width={inner.width} right={null} y={26} />}
      {cards && <Hand cards={cards} size={62} style={centred(20)} className="small-hand" />}
      <Line text={levelName(texts, win.level)} cap={84} kind="name" box={{ ...inner, y: 180 + (cards ? 0 : up) }} />
      <Won scene={scene} cap={165} y={298} width={width} centsShare={0.5} index={index} />
      <Line
        text={tableText(sign, win.table, inner.width)}
        cap={WORD_FLOOR}
        kind="table"
        tracking={0}
        box={{ ...inner, y: 510 }}
      />
      <Line text={handName(texts, win.hand)} cap={50} kind="hand" tracking={0} box={{ ...inner, y: 614 }} />
    </Frame>
  );
}
