// The overhead sign's entry: reads the address, loads the theme's fonts, and starts a session for each link.

import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { textsOf } from "../text/index.js";
import { applyTheme, themeOf } from "../themes/index.js";
import "../themes/fonts.css";
import "./stage.css";
import "./amount.css";
import "./cards.css";
import "./scene.css";
import "./ground.css";
import { SignProvider } from "./context.js";
import { type Rulers, loadRulers } from "./measure.js";
import { readOptions } from "./options.js";
import { Scenes } from "./scenes.js";
import { SignSession } from "./session.js";
import { soundScenes } from "./sound.js";
import { Message, Picture } from "./stage.js";
import { Wall } from "./wall.js";

const options = readOptions(new URL(location.href));
const theme = themeOf(options.theme);
const texts = textsOf(options.locale);

/** Follows a media query. */
function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const follow = () => setMatches(list.matches);
    list.addEventListener("change", follow);
    return () => list.removeEventListener("change", follow);
  }, [query]);
  return matches;
}

interface SignProps {
  sessions: readonly SignSession[];
  scenes: Scenes;
  rulers: Rulers;
}

function Sign({ sessions, scenes, rulers }: SignProps) {
  const portrait = useMedia("(orientation: portrait)");
  const still = useMedia("(prefers-reduced-motion: reduce)");
  const size = portrait ? { width: 1080, height: 1920 } : { width: 1920, height: 1080 };
  return (
    <SignProvider value={{ options, theme, texts, rulers, portrait, size, still }}>
      {sessions.length === 0 ? (
        <Picture stale={false} won={false}>
          <Message title={texts.noLink} hint={texts.noLinkHint} />
        </Picture>
      ) : (
        <Wall sessions={sessions} scenes={scenes} />
      )}
    </SignProvider>
  );
}

async function start(): Promise<void> {
  document.documentElement.lang = options.locale;
  applyTheme(theme, document.documentElement);
  // The feeds connect while the fonts load.
  const scenes = new Scenes();
  const sessions = options.links.map((link) => new SignSession(link, scenes));
  const rulers = await loadRulers(theme.text, theme.link);
  document.documentElement.style.setProperty("--digit", String(rulers.metrics.digit));
  const hush = options.sound ? soundScenes(scenes) : () => {};
  addEventListener("pagehide", () => {
    hush();
    for (const session of sessions) session.close();
    scenes.close();
  });
  render(<Sign sessions={sessions} scenes={scenes} rulers={rulers} />, document.body);
}

void start();
