// The overhead sign's entry: reads the address, starts a session for each link, and follows the presentation. Without a link
// in the address it is a screen, which shows a code until it is paired, and the links of its pairing then.

import { signal, useComputed } from "@preact/signals";
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { shownLink } from "../screen/pairing.js";
import { ScreenSession } from "../screen/session.js";
import { type Texts, textsOf } from "../text/index.js";
import { type Theme, applyTheme, themeOf } from "../themes/index.js";
import "../themes/fonts.css";
import "./stage.css";
import "./amount.css";
import "./cards.css";
import "./scene.css";
import "./ground.css";
import "./code.css";
import { CodePage } from "./code.js";
import { SignProvider } from "./context.js";
import { type Rulers, loadFonts, makeRulers } from "./measure.js";
import { type SignOptions, presentedOptions, readOptions } from "./options.js";
import { Scenes } from "./scenes.js";
import { SignSession } from "./session.js";
import { soundScenes } from "./sound.js";
import { Wall } from "./wall.js";

const address = readOptions(new URL(location.href));

/** What a sign is drawn with. */
interface Look {
  options: SignOptions;
  theme: Theme;
  texts: Texts;
  rulers: Rulers;
}

/** Applies what a sign shows by to the document, whose fonts have to be loaded. */
function applyLook(options: SignOptions, theme: Theme): Look {
  const root = document.documentElement;
  root.lang = options.locale;
  applyTheme(theme, root);
  const rulers = makeRulers(theme.text);
  root.style.setProperty("--digit", String(rulers.metrics.digit));
  return { options, theme, texts: textsOf(options.locale), rulers };
}

/** Follows the presentation of the sign's first link; null until its fonts are loaded. */
function useLook(first: SignSession | null): Look | null {
  const [look, setLook] = useState<Look | null>(null);
  // Computed, since the feed has ten messages a second, and the whole sign hangs on the look.
  const presentation = useComputed(() => first?.feed.value.presentation ?? null).value;
  // Before the first snapshot only the address is known: nothing is drawn that the presentation would change at once.
  const known = useComputed(
    () => first === null || first.feed.value.position !== null || first.problem.value !== null,
  ).value;
  const options = presentedOptions(address, presentation);
  useEffect(() => {
    if (!known) return undefined;
    let current = true;
    const theme = themeOf(options.theme);
    void loadFonts([theme.text, theme.link]).then(() => {
      if (current) setLook(applyLook(options, theme));
    });
    return () => {
      current = false;
    };
  }, [known, options.theme, options.locale]);
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

interface SignProps {
  sessions: readonly SignSession[];
  scenes: Scenes;
  screen: ScreenSession | null;
}

function Sign({ sessions, scenes, screen }: SignProps) {
  const portrait = useMedia("(orientation: portrait)");
  const still = useMedia("(prefers-reduced-motion: reduce)");
  const look = useLook(sessions[0] ?? null);
  if (!look) return null;
  const size = portrait ? { width: 1080, height: 1920 } : { width: 1920, height: 1080 };
  return (
    <SignProvider value={{ ...look, portrait, size, still }}>
      {sessions.length === 0 && screen ? (
        <CodePage state={screen.state.value} />
      ) : (
        <Wall sessions={sessions} scenes={scenes} />
      )}
    </SignProvider>
  );
}

const scenes = new Scenes();
const sessions = signal<readonly SignSession[]>(address.links.map((link) => new SignSession(link, scenes)));
const screen = address.links.length > 0 ? null : startScreen();

/** Starts the session of a screen, whose links come with its pairing. What it shows begins anew once it is unpaired. */
function startScreen(): ScreenSession {
  const shown = () => sessions.peek().flatMap(({ link, feed }) => shownLink(link, feed.peek()) ?? []);
  const started = new ScreenSession(shown, () => location.reload());
  started.state.subscribe((state) => {
    if (state.kind !== "paired") return;
    const pass = { token: started.token, refused: () => started.check() };
    sessions.value = state.links.map((link) => new SignSession(link, scenes, pass));
  });
  return started;
}

const hush = address.sound ? soundScenes(scenes) : () => {};
addEventListener("pagehide", () => {
  hush();
  screen?.close();
  for (const session of sessions.peek()) session.close();
  scenes.close();
});

/** Begins anew with each list of links: the look hangs on the first one. */
function App() {
  const links = sessions.value;
  const key = links.map(({ link }) => link).join("+");
  return <Sign key={key} sessions={links} scenes={scenes} screen={screen} />;
}

render(<App />, document.body);
