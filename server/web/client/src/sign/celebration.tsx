// The celebration over the whole screen, for a win of the first level.

import { handName, levelName } from "../text/index.js";
import type { Scene } from "../wins/machine.js";
import { CountedAmount } from "./amount.js";
import { Hand } from "./cards.js";
import { centred, levelClass, px, useSign } from "./context.js";
import { Emblem, Foil } from "./drawings.js";
import { Line, textWidth } from "./line.js";
import { COUNT_AFTER_MS } from "./plate.js";
import { Rays } from "./rays.js";

export function Celebration({ scene, index, linkName }: { scene: Scene; index: number; linkName: string | null }) {
  const { portrait, size } = useSign();
  return (
    <section class={`celebration ${levelClass(index)}`}>
      <Rays {...size} middle={0.46} ground={["--win-ground", "--win-edge"]} />
      <Foil pieces={64} />
      <div class="stage-box">
        {portrait ? (
          <Portrait scene={scene} index={index} linkName={linkName} />
        ) : (
          <Landscape scene={scene} index={index} />
        )}
      </div>
    </section>
  );
}

/** The hand that was dealt; the emblem where its cards are not known. */
function Dealt({ cards, size, top }: { cards: readonly string[] | null; size: number; top: number }) {
  if (cards === null) {
    return (
      <div class="celebration-emblem">
        <Emblem />
      </div>
    );
  }
  return <Hand cards={cards} size={size} style={centred(top)} className="large-hand" />;
}

function Landscape({ scene, index }: { scene: Scene; index: number }) {
  const sign = useSign();
  const { texts, theme } = sign;
  const { win } = scene;
  const level = levelName(texts, win.level);
  const table = texts.table(win.table);
  const levelWidth = textWidth(sign, level, 84, theme.text.tracking) + 10;
  const tableWidth = textWidth(sign, table, 84, 0.01) + 10;
  const start = 960 - (levelWidth + 140 + tableWidth) / 2;
  const amount = {
    cap: theme.mega.won,
    centsShare: 0.5,
    box: { x: 40, y: 607 + (254 - theme.mega.won) / 2, width: 1840 },
    colour: index,
  };
  return (
    <>
      <Dealt cards={win.cards} size={226} top={60} />
      <Line
        text={handName(texts, win.hand)}
        cap={102}
        kind="word"
        className="won-hand"
        tracking={0.1}
        box={{ x: 96, y: 462, width: 1728 }}
      />
      <CountedAmount cents={win.cents} setting={amount} startAt={scene.since + COUNT_AFTER_MS} />
      <Line text={level} cap={84} kind="name" align="left" box={{ x: start, y: 943, width: levelWidth }} />
      <div class="diamond" style={{ left: px(start + levelWidth + 70), top: px(985) }} />
      <Line
        text={table}
        cap={84}
        kind="table"
        align="left"
        tracking={0.01}
        box={{ x: start + levelWidth + 140, y: 943, width: tableWidth }}
      />
    </>
  );
}

function Portrait({ scene, index, linkName }: { scene: Scene; index: number; linkName: string | null }) {
  const { texts, theme } = useSign();
  const { win } = scene;
  const amount = {
    cap: Math.max(theme.mega.portrait, 170),
    centsShare: 0.5,
    box: { x: 40, y: 1130, width: 1000 },
    colour: index,
  };
  return (
    <>
      {linkName && <Line kind="link" text={linkName} cap={46} lines="two" box={{ x: 76, y: 108, width: 928 }} />}
      <Dealt cards={win.cards} size={258} top={330} />
      <Line
        text={handName(texts, win.hand)}
        cap={116}
        kind="word"
        className="won-hand"
        tracking={0.08}
        lines="two"
        box={{ x: 70, y: 908, width: 940 }}
      />
      <CountedAmount cents={win.cents} setting={amount} startAt={scene.since + COUNT_AFTER_MS} />
      <Line text={levelName(texts, win.level)} cap={120} kind="name" box={{ x: 76, y: 1470, width: 928 }} />
      <Line text={texts.table(win.table)} cap={100} kind="table" tracking={0.01} box={{ x: 76, y: 1666, width: 928 }} />
    </>
  );
}
