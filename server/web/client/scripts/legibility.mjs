// Measures a rendered sign inside the browser: cap heights in millimetres on a screen of 55 inches, texts that overlap
// or leave the picture, and contrast against the brightest ground behind each text.

/** Least height of a capital in millimetres on a screen of 55 inches, by kind. Links and hands are read from near. */
export const MILLIMETRES = { name: 50, word: 50, table: 50, amount: 70, cents: 50, link: 19, hand: 21.5 };

/** Runs in the page: returns one row a text. */
export function measureTexts() {
  const portrait = innerHeight > innerWidth;
  const millimetres = (portrait ? 685 : 1218) / innerWidth;
  const scale = (portrait ? 1080 : 1920) / innerWidth;
  const context = document.createElement("canvas").getContext("2d");
  const capitals = new Map();
  /** Returns the height of a capital of a font, in em. */
  const capitalOf = ({ fontWeight, fontFamily }) => {
    const font = `${fontWeight} 1000px ${fontFamily}`;
    if (!capitals.has(font)) {
      context.font = font;
      capitals.set(font, context.measureText("H").actualBoundingBoxAscent / 1000);
    }
    return capitals.get(font);
  };
  const root = document.querySelector(".celebration") ?? document.body;
  const marks = root === document.body ? [] : [...document.querySelectorAll(".stale-mark [data-kind]")];
  const veil = document.querySelector(".night-veil");
  const light = 1 - (veil ? Number(getComputedStyle(veil).opacity) : 0);
  const dimmed = (colour) =>
    `rgb(${colour
      .match(/[\d.]+/g)
      .slice(0, 3)
      .map((value) => value * light)
      .join(" ")})`;
  /** Returns how much the transforms of an element and those around it enlarge it. */
  const enlarged = (element) => {
    let factor = 1;
    for (let one = element; one; one = one.parentElement) {
      const { a, b, c, d } = new DOMMatrix(getComputedStyle(one).transform);
      factor *= Math.max(Math.hypot(a, b), Math.hypot(c, d));
    }
    return factor;
  };
  const rows = [];
  for (const element of [...root.querySelectorAll("[data-kind]"), ...marks]) {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    // A rolling cell holds two digits, which its mask hides in part.
    if (element.classList.contains("rolling")) continue;
    const rects = [];
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const range = document.createRange();
      range.selectNodeContents(walker.currentNode);
      rects.push(...[...range.getClientRects()].filter((rect) => rect.width > 0 && rect.height > 0));
    }
    const text = element.textContent.trim();
    if (!text || rects.length === 0) continue;
    const glyph = element.querySelector(".glyph") ?? element;
    const style = getComputedStyle(glyph);
    const cap = capitalOf(style) * Number.parseFloat(style.fontSize) * enlarged(glyph);
    rows.push({
      kind: element.dataset.kind,
      text,
      cap: cap * scale,
      mm: cap * millimetres,
      colour: dimmed(style.color),
      owner: element.closest(".face, .line, .tag, .stale-mark")?.className ?? "",
      left: Math.min(...rects.map((rect) => rect.left)),
      right: Math.max(...rects.map((rect) => rect.right)),
      top: Math.min(...rects.map((rect) => rect.top)),
      bottom: Math.max(...rects.map((rect) => rect.bottom)),
      width: innerWidth,
      height: innerHeight,
    });
  }
  return rows;
}

/** Returns what is wrong with the rows of a page. */
export function faults(rows) {
  const found = [];
  for (const row of rows) {
    const floor = MILLIMETRES[row.kind];
    if (row.mm < floor) found.push(`${row.kind} "${row.text}" is ${row.mm.toFixed(1)} mm high, below ${floor} mm`);
    if (row.left < 0 || row.top < 0 || row.right > row.width || row.bottom > row.height)
      found.push(`${row.kind} "${row.text}" leaves the picture`);
  }
  for (const [index, one] of rows.entries()) {
    for (const other of rows.slice(index + 1)) {
      const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (wide > 3 && high > 3)
        found.push(`"${one.text}" and "${other.text}" overlap by ${wide.toFixed(0)}x${high.toFixed(0)} px`);
    }
  }
  return found;
}

/** Runs in the page: returns the greatest luminance of a picture in each box. */
export async function brightest({ png, boxes }) {
  const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const context = canvas.getContext("2d");
  context.drawImage(bitmap, 0, 0);
  const linear = (value) => (value <= 10 ? value / 3294 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  return boxes.map((box) => {
    const { data } = context.getImageData(
      box.left,
      box.top,
      Math.max(1, box.right - box.left),
      Math.max(1, box.bottom - box.top),
    );
    let most = 0;
    for (let index = 0; index < data.length; index += 16) {
      most = Math.max(
        most,
        0.2126 * linear(data[index]) + 0.7152 * linear(data[index + 1]) + 0.0722 * linear(data[index + 2]),
      );
    }
    return most;
  });
}

/** Returns the contrast of a CSS colour with a ground of a luminance. */
export function contrast(colour, ground) {
  const [red, green, blue] = colour.match(/[\d.]+/g).map(Number);
  const linear = (value) => (value <= 10 ? value / 3294 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  const text = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  return (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
}
