// The overhead sign's entry: reads the address, loads the theme's fonts, and starts a session.

import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type Texts, textsOf } from "../text/index.js";
import { type Theme, applyTheme, themeOf } from "../themes/index.js";
import "../themes/fonts.css";
import "./stage.css";
import "./amount.css";
import "./scene.css";
import "./ground.css";
import { SignProvider } from "./context.js";
import { type Rulers, loadRulers } from "./measure.js";
import { type SignOptions, presentedOptions, readOptions } from "./options.js";
import { SignSession } from "./session.js";
import { Message, Stage } from "./stage.js";

const address = readOptions(new URL(location.href));

/** What a sign is drawn with. */
interface Look {
  options: SignOptions;
  theme: Theme;
  texts: Texts;
  rulers: Rulers;
}

/** Applies what a sign shows by to the document, and loads the theme's fonts. */
async function loadLook(options: SignOptions): Promise<Look> {
  const theme = themeOf(options.theme);
  document.documentElement.lang = options.locale;
  applyTheme(theme, document.documentElement);
  const rulers = await loadRulers(theme.text, theme.link);
  document.documentElement.style.setProperty("--digit", String(rulers.metrics.digit));
  return { options, theme, texts: textsOf(options.locale), rulers };
}

/** Follows the presentation of the link; null until its fonts are loaded. */
function useLook(session: SignSession | null): Look | null {
  const [look, setLook] = useState<Look | null>(null);
  const presentation = session?.feed.value.presentation ?? null;
  // Before the first snapshot only the address is known: nothing is drawn that the presentation would change at once.
  const known = session === null || session.feed.value.position !== null || session.problem.value !== null;
  const options = presentedOptions(address, presentation);
  useEffect(() => {
    if (!known) return;
    let current = true;
    void loadLook(options).then((loaded) => {
      if (current) setLook(loaded);
    });
    return () => {
      current = false;
    };
  }, [known, options.theme, options.locale, options.name]);
  return look;
}

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

function Sign({ session }: { session: SignSession | null }) {
  const portrait = useMedia("(orientation: portrait)");
  const still = useMedia("(prefers-reduced-motion: reduce)");
  const problem = session?.problem.value;
  const shown = session !== null && session.feed.value.position !== null;
  const look = useLook(session);
  if (!look) return null;
  const { options, texts } = look;
  return (
    <SignProvider value={{ ...look, portrait, still }}>
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

const session = address.link ? new SignSession(address.link) : null;
addEventListener("pagehide", () => session?.close());
render(<Sign session={session} />, document.body);
