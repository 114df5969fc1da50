// The lower levels of a link on the whole sign. They do not move when a win takes the place above them.

import { useEffect, useState } from "preact/hooks";
import { WORD_FLOOR } from "../fit/chain.js";
import { LOWER_CENTS, type LowerCell, PAGE_TURN_MS, ROW_GAP, planLandscape, planPortrait } from "../fit/lower.js";
import { amountParts } from "../money.js";
import { levelName } from "../text/index.js";
import { LiveAmount, fitOf } from "./amount.js";
import { type SignContext, place, useSign } from "./context.js";
import { type ShownLevel, classOf, winsBy } from "./levels.js";
import { Line } from "./line.js";

/** Cap height of hands beside an amount, which are read from near. */
const ROW_HAND = 34;

/** Returns the measures of a level: width of its name in em, digits and group marks of its amount. */
export function measured({ rulers, texts, options }: SignContext, { level, cents }: ShownLevel) {
  const parts = amountParts(cents, options.locale);
  return {
    nameEm: rulers.text(levelName(texts, level)),
    digits: parts.filter((part) => part.kind === "digit" && !part.small).length,
    marks: parts.filter((part) => part.kind === "mark" && !part.small).length,
  };
}

/** Counts the turns of pages. */
function usePage(pages: number, rests: boolean): number {
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (pages < 2 || rests) return undefined;
    const timer = setInterval(() => setTurn((before) => before + 1), PAGE_TURN_MS);
    return () => clearInterval(timer);
  }, [pages, rests]);
  return turn % Math.max(1, pages);
}

interface LowerProps {
  levels: readonly ShownLevel[];
  /** Amounts are stale: nothing moves. */
  rests: boolean;
}

export function LowerLevels({ levels, rests }: LowerProps) {
  const sign = useSign();
  const { portrait, theme, rulers } = sign;
  const plan = portrait ? planPortrait : planLandscape;
  const cap = portrait ? theme.lower.portrait : theme.lower.landscape;
  const pages = plan(
    levels.map((level) => measured(sign, level)),
    cap,
    rulers.metrics,
  );
  const shown = usePage(pages.length, rests);
  const page = pages[shown] ?? [];
  return (
    <div key={shown} class={pages.length > 1 ? "fade-in" : ""}>
      {!portrait && <Dividers cells={page} />}
      {page.map((cell) => {
        const level = levels[cell.index];
        if (!level) return null;
        return cell.kind === "column" ? (
          <Column key={level.level} level={level} cell={cell} />
        ) : (
          <Row key={level.level} level={level} cell={cell} />
        );
      })}
    </div>
  );
}

/** Lines between cells that stand side by side. */
function Dividers({ cells }: { cells: readonly LowerCell[] }) {
  const top = cells[0]?.y;
  const right = cells.filter((cell) => cell.y === top).slice(1);
  return (
    <>
      {right.map(({ index, x, y, kind }) => (
        <div
          key={index}
          class="divider"
          style={place({ x: x - (kind === "column" ? 25 : 49), y, width: 2, height: 324 })}
        />
      ))}
    </>
  );
}

interface CellProps {
  level: ShownLevel;
  cell: LowerCell;
}

/** A level with its name above its amount. */
function Column({ level, cell }: CellProps) {
  const sign = useSign();
  const { x, y, width, cap } = cell;
  const by = cell.hand ? winsBy(sign, level) : "";
  const inner = { x: x + 20, width: width - 40 };
  return (
    <section class={classOf(level)}>
      <Line
        text={levelName(sign.texts, level.level)}
        cap={WORD_FLOOR}
        floor={WORD_FLOOR}
        kind="name"
        className="name"
        box={{ ...inner, y }}
      />
      <LiveAmount
        cents={level.cents}
        setting={{ cap, centsShare: LOWER_CENTS, box: { x, y: y + 107, width }, colour: level.index }}
      />
      {by && (
        <Line
          text={by}
          cap={50}
          floor={ROW_HAND}
          kind="hand"
          className="hand"
          lines="one"
          tracking={0.01}
          box={{ ...inner, y: y + (sign.portrait ? 262 : 289) }}
        />
      )}
    </section>
  );
}

/** A level with its amount to the right of its name. */
export function Row({ level, cell }: CellProps) {
  const sign = useSign();
  const { x, y, width, cap } = cell;
  const name = levelName(sign.texts, level.level);
  const em = 1 / sign.theme.text.ratio;
  // The name has its width without letter spacing at least; what is left is the amount's. A hand that would take of the
  // amount's floor or cents is left out.
  const nameWidth = sign.rulers.text(name) * WORD_FLOOR * em;
  const wins = cell.hand ? winsBy(sign, level) : "";
  const withHand = Math.max(nameWidth, sign.rulers.text(wins) * ROW_HAND * em);
  const keeps = fitOf(sign, level.cents, { cap, centsShare: LOWER_CENTS, width: width - withHand - ROW_GAP });
  const by = keeps.fits && keeps.cents ? wins : "";
  const least = by ? withHand : nameWidth;
  const room = width - least - ROW_GAP;
  return (
    <section class={classOf(level)}>
      <Line
        text={name}
        cap={WORD_FLOOR}
        floor={WORD_FLOOR}
        kind="name"
        className="name"
        align="left"
        tracking={Math.min(sign.theme.text.tracking, 0.02)}
        box={{ x, y: y + (by ? 0 : (cap - WORD_FLOOR) / 2), width: least + ROW_GAP / 2 }}
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
          box={{ x, y: y + 98, width: least + ROW_GAP / 2 }}
        />
      )}
      <LiveAmount
        cents={level.cents}
        setting={{
          cap,
          centsShare: LOWER_CENTS,
          box: { x: x + width - room, y, width: room },
          align: "right",
          colour: level.index,
        }}
      />
    </section>
  );
}
