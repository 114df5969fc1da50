// Texts of a plot that would lie over one another: the first ones stand, the others are left out.

/** The place of a text: its box in pixels. */
export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Width of a character of a plot's small texts, a little more than measured, so that texts never touch. */
const CHARACTER = 7.5;
const ABOVE = 13;
const BELOW = 5;

/** Returns the box of a text whose baseline begins, or ends, at a point. */
export function boxOf(text: string, x: number, y: number, anchor: "start" | "end"): Box {
  const width = text.length * CHARACTER;
  return {
    left: anchor === "end" ? x - width : x,
    right: anchor === "end" ? x : x + width,
    top: y - ABOVE,
    bottom: y + BELOW,
  };
}

function meet(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

/** Returns the texts whose boxes meet neither what is taken nor one another, in their order. */
export function placed<Text extends { box: Box }>(texts: readonly Text[], taken: readonly Box[]): Text[] {
  const boxes = [...taken];
  return texts.filter(({ box }) => {
    if (boxes.some((other) => meet(box, other))) return false;
    boxes.push(box);
    return true;
  });
}
