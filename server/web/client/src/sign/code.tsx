// The page of a screen without a name: its code, large, and what to do with it.

import { type ScreenState, halvesOf } from "../screen/pairing.js";
import { clock } from "../text/index.js";
import { place, useSign } from "./context.js";
import { Frame } from "./drawings.js";
import { Line } from "./line.js";
import { Message, Picture } from "./stage.js";

/** Places of the title, the code and the words below it, and the heights of their capitals. */
const LANDSCAPE = { x: 160, width: 1600, title: 160, code: 380, words: 760, cap: 64, letter: 250 };
const PORTRAIT = { x: 70, width: 940, title: 500, code: 760, words: 1080, cap: 62, letter: 170 };
/** Least height of a letter of the code. */
const LETTER_LEAST = 90;

function Code({ code, until }: { code: string; until: number }) {
  const { portrait, texts, options } = useSign();
  const at = portrait ? PORTRAIT : LANDSCAPE;
  const { x, width } = at;
  return (
    <div class="stage-box message">
      <Frame />
      <Line
        text={texts.pairTitle}
        kind="word"
        className="name"
        cap={at.cap}
        lines="first"
        box={{ x, y: at.title, width }}
      />
      <div role="status" aria-label={texts.pairCode(code.split("").join(" "))}>
        <Line
          text={halvesOf(code).join(" ")}
          kind="word"
          className="screen-code"
          cap={at.letter}
          floor={LETTER_LEAST}
          tracking={0.06}
          box={{ x, y: at.code, width }}
        />
      </div>
      <div class="screen-words" style={place({ x, y: at.words, width })}>
        <p>{texts.pairHow}</p>
        <p class="screen-until">{texts.pairUntil(clock(until, options.locale))}</p>
      </div>
    </div>
  );
}

export function CodePage({ state }: { state: ScreenState }) {
  const { texts } = useSign();
  // One black picture before the first answer: a message about nothing would flash on each start.
  if (state.kind === "starting" || state.kind === "paired") return null;
  return (
    <Picture stale={false} won={false}>
      {state.kind === "code" ? (
        <Code code={state.code} until={state.until} />
      ) : state.kind === "full" ? (
        <Message title={texts.pairFull} hint={texts.pairFullHint} />
      ) : (
        <Message title={texts.noConnection} hint={texts.noConnectionHint} />
      )}
    </Picture>
  );
}
