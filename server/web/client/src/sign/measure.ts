// Widths of texts in the theme's fonts, measured with one hidden element once the fonts are there.

import type { Measure, Metrics } from "../fit/chain.js";
import type { FontRole } from "../themes/index.js";

const SIZE = 200;
/** Texts whose widths are remembered; all are forgotten when there are more. */
const REMEMBERED = 200;

export type FontName = "text" | "link";

/** Ruler of one font. */
function makeMeasure(name: FontName): Measure {
  const ruler = document.createElement("span");
  ruler.className = `ruler font-${name}`;
  ruler.setAttribute("aria-hidden", "true");
  document.body.append(ruler);
  const known = new Map<string, number>();
  return (text) => {
    let width = known.get(text);
    if (width === undefined) {
      ruler.textContent = text;
      width = ruler.getBoundingClientRect().width / SIZE;
      if (known.size >= REMEMBERED) known.clear();
      known.set(text, width);
    }
    return width;
  };
}

export interface Rulers {
  text: Measure;
  link: Measure;
  metrics: Metrics;
}

/** Loads fonts. One that can't be loaded leaves the fallback, which is measured too. */
export async function loadFonts(roles: readonly FontRole[]): Promise<void> {
  await Promise.allSettled(roles.map(({ family }) => document.fonts.load(`800 ${SIZE}px "${family}"`)));
}

/** Measures the fonts of the theme that is applied. The rulers made before measure nothing any more. */
export function makeRulers(text: FontRole, currency: boolean): Rulers {
  for (const old of document.querySelectorAll(".ruler")) old.remove();
  const measure = makeMeasure("text");
  const digit = Math.max(..."0123456789".split("").map((figure) => measure(figure.repeat(8)) / 8));
  const metrics = {
    ratio: text.ratio,
    digit,
    comma: measure(",,,,,,,,") / 8,
    point: measure("........") / 8,
    currency: currency ? measure("$") : 0,
  };
  return { text: measure, link: makeMeasure("link"), metrics };
}
