// The live preview: a real sign with invented amounts in a frame of this server, which is sent the draft.

import { useEffect, useRef, useState } from "preact/hooks";
import type { DemonstrationMessage, DemonstrationState } from "../../sign/demonstration.js";
import { LEVEL_COLOURS } from "../../themes/index.js";
import type { HouseTheme } from "../../themes/own.js";
import { useOffice } from "../office.js";
import { Segments } from "../parts.js";

/** Name of a link in the address: the demonstration opens no feed. */
const ADDRESS = "/sign/demonstration?demonstration=on";
const STATES: readonly DemonstrationState[] = ["amounts", "pending", "win", "stale"];

export function Preview({ theme }: { theme: HouseTheme }) {
  const { t } = useOffice();
  const x = t.themes;
  const frame = useRef<HTMLIFrameElement>(null);
  const [ready, setReady] = useState(0);
  const [state, setState] = useState<DemonstrationState>("amounts");
  const [shape, setShape] = useState("landscape");
  const [levels, setLevels] = useState("3");
  useEffect(() => {
    const listen = (event: MessageEvent) => {
      if (event.origin === location.origin && event.source === frame.current?.contentWindow)
        setReady((before) => before + 1);
    };
    addEventListener("message", listen);
    return () => removeEventListener("message", listen);
  }, []);
  useEffect(() => {
    if (ready === 0) return;
    const message: DemonstrationMessage = { kind: "demonstration", theme, state, levels: Number(levels) };
    frame.current?.contentWindow?.postMessage(message, location.origin);
  }, [ready, theme, state, levels]);
  const named = (names: Readonly<Record<string, string>>, all: readonly string[]) =>
    all.map((one) => [one, names[one] ?? one] as const);
  return (
    <section class="card theme-preview" aria-label={x.preview}>
      <Segments
        label={x.preview}
        options={named(x.states, STATES)}
        value={state}
        choose={(one) => setState(one as DemonstrationState)}
      />
      <div class={`preview-frame ${shape}`}>
        <iframe ref={frame} src={ADDRESS} title={x.previewOf} tabIndex={-1} />
      </div>
      <div class="preview-side">
        <Segments
          label={x.shape}
          options={named(x.shapes, ["landscape", "portrait"])}
          value={shape}
          choose={setShape}
        />
        <label class="preview-levels">
          <span>{x.levelCount}</span>
          <select value={levels} onChange={(event) => setLevels(event.currentTarget.value)}>
            {Array.from({ length: LEVEL_COLOURS }, (_, index) => index + 1).map((count) => (
              <option key={count} value={count}>
                {count}
              </option>
            ))}
          </select>
        </label>
      </div>
    </section>
  );
}
