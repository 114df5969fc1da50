// The overhead sign's entry: reads the address, loads the theme's fonts, and starts a session.

import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { textsOf } from "../text/index.js";
import { applyTheme, themeOf } from "../themes/index.js";
import "../themes/fonts.css";
import "./stage.css";
import "./amount.css";
import "./scene.css";
import "./ground.css";
import { SignProvider } from "./context.js";
import { type Rulers, loadRulers } from "./measure.js";
import { readOptions } from "./options.js";
import { SignSession } from "./session.js";
import { Message, Stage } from "./stage.js";

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

function Sign({ session, rulers }: { session: SignSession | null; rulers: Rulers }) {
  const portrait = useMedia("(orientation: portrait)");
  const still = useMedia("(prefers-reduced-motion: reduce)");
  const problem = session?.problem.value;
  const shown = session !== null && session.feed.value.position !== null;
  return (
    <SignProvider value={{ options, theme, texts, rulers, portrait, still }}>
      {session === null ? (
        <Message title={texts.noLink} hint={texts.noLinkHint} />
      ) : problem === "unknown_link" ? (
        <Message title={texts.unknownLink(options.link)} hint={texts.unknownLinkHint} />
      ) : problem === "no_connection" ? (
        <Message title={texts.noConnection} hint={texts.noConnectionHint} />
      ) : shown ? (
        <Stage session={session} />
      ) : null}
    </SignProvider>
  );
}

async function start(): Promise<void> {
  document.documentElement.lang = options.locale;
  applyTheme(theme, document.documentElement);
  const rulers = await loadRulers(theme.text, theme.link);
  document.documentElement.style.setProperty("--digit", String(rulers.metrics.digit));
  const session = options.link ? new SignSession(options.link) : null;
  addEventListener("pagehide", () => session?.close());
  render(<Sign session={session} rulers={rulers} />, document.body);
}

void start();
