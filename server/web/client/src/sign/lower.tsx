// The lower levels of a link on the whole sign. They do not move when a win takes the place above them.

import { SMALL_HAND_FLOOR, WORD_FLOOR } from "../fit/chain.js";
import {
  LOWER_CENTS,
  type LowerCell,
  type LowerLevel,
  PAGE_TURN_MS,
  ROW_GAP,
  planLandscape,
  planPortrait,
} from "../fit/lower.js";
import { levelName } from "../text/index.js";
import { fitOf, sizeOf } from "./amount.js";
import { type SignContext, place, useSign } from "./context.js";
import { Level, type ShownLevel, winsBy } from "./levels.js";
import { textWidth } from "./line.js";
import { useTurns } from "./turns.js";

/** Returns the measures of a level: width of its name in em, digits and group marks of its amount. */
export function measured(sign: SignContext, { level, cents }: ShownLevel): LowerLevel {
  return { nameEm: sign.rulers.text(levelName(sign.texts, level)), ...sizeOf(sign, cents) };
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
  const shown = useTurns(pages.length > 1 && !rests, PAGE_TURN_MS) % Math.max(1, pages.length);
  const page = pages[shown] ?? [];
  return (
    <div key={shown} class={pages.length > 1 ? "fade-in" : ""}>
      {!portrait && <Dividers cells={page} />}
      {page.map((cell) => {
        const level = levels[cell.index];
        if (!level) return null;
        return cell.kind === "column" ? (
          <Stack key={level.level} level={level} cell={cell} amountAt={107} handAt={portrait ? 262 : 289} margin={20} />
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
  cell: Omit<LowerCell, "index" | "kind">;
}

interface StackProps extends CellProps {
  /** Distances of amount and hand from the top, and of name and hand from the sides. */
  amountAt: number;
  handAt: number;
  margin: number;
}

/** A level with its name above its amount. */
export function Stack({ level, cell: { x, y, width, cap, hand }, amountAt, handAt, margin }: StackProps) {
  const inner = { x: x + margin, width: width - 2 * margin };
  return (
    <Level
      level={level}
      name={{ cap: WORD_FLOOR, box: { ...inner, y } }}
      amount={{ cap, centsShare: LOWER_CENTS, box: { x, y: y + amountAt, width } }}
      hand={hand ? { cap: 50, floor: SMALL_HAND_FLOOR, box: { ...inner, y: y + handAt } } : null}
    />
  );
}

/** A level with its amount to the right of its name. */
export function Row({ level, cell: { x, y, width, cap, hand } }: CellProps) {
  const sign = useSign();
  // The name has its width without letter spacing at least; what is left is the amount's. A hand that would take of the
  // amount's floor or cents is left out.
  const nameWidth = textWidth(sign, levelName(sign.texts, level.level), WORD_FLOOR);
  const wins = hand ? winsBy(sign, level) : "";
  const withHand = Math.max(nameWidth, textWidth(sign, wins, SMALL_HAND_FLOOR));
  const keeps = fitOf(sign, level.cents, { cap, centsShare: LOWER_CENTS, width: width - withHand - ROW_GAP });
  const by = wins !== "" && keeps.fits && keeps.cents;
  const least = by ? withHand : nameWidth;
  const room = width - least - ROW_GAP;
  const left = { x, width: least + ROW_GAP / 2 };
  const small = { cap: SMALL_HAND_FLOOR, floor: SMALL_HAND_FLOOR, align: "left", tracking: 0 } as const;
  return (
    <Level
      level={level}
      name={{
        cap: WORD_FLOOR,
        align: "left",
        tracking: Math.min(sign.theme.text.tracking, 0.02),
        box: { ...left, y: y + (by ? 0 : (cap - WORD_FLOOR) / 2) },
      }}
      amount={{ cap, centsShare: LOWER_CENTS, box: { x: x + width - room, y, width: room }, align: "right" }}
      hand={by ? { ...small, box: { ...left, y: y + 98 } } : null}
    />
  );
}
