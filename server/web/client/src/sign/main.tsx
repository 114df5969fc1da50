// The overhead sign's entry: reads the address, and starts a session for each link. Without a link in the address it is a
// screen, which shows a code until it is paired, and the links of its pairing then. `?demonstration=on` shows invented
// amounts instead, in the theme that the page around it sends: the preview of the theme editor.

import { type Signal, signal } from "@preact/signals";
import { render } from "preact";
import { shownLink } from "../screen/pairing.js";
import { ScreenSession } from "../screen/session.js";
import "./code.css";
import { CodePage } from "./code.js";
import { readOptions } from "./options.js";
import { Scenes } from "./scenes.js";
import { SignSession } from "./session.js";
import { Sign } from "./sign.js";
import { soundScenes } from "./sound.js";

type Sessions = Signal<readonly SignSession[]>;

/** Starts the session of a screen, whose links come with its pairing. What it shows begins anew once it is unpaired. */
function startScreen(sessions: Sessions, scenes: Scenes): ScreenSession {
  const shown = () => sessions.peek().flatMap(({ link, feed }) => shownLink(link, feed.peek()) ?? []);
  const started = new ScreenSession(shown, () => location.reload());
  started.state.subscribe((state) => {
    if (state.kind !== "paired") return;
    const pass = { token: started.token, refused: () => started.check() };
    sessions.value = state.links.map((link) => new SignSession(link, scenes, pass));
  });
  return started;
}

function start(): void {
  const address = readOptions(new URL(location.href));
  const scenes = new Scenes();
  const sessions: Sessions = signal(address.links.map((link) => new SignSession(link, scenes)));
  const screen = address.links.length > 0 ? null : startScreen(sessions, scenes);
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
    return (
      <Sign
        key={links.map(({ link }) => link).join("+")}
        address={address}
        sessions={links}
        scenes={scenes}
        unnamed={screen && <CodePage state={screen.state.value} />}
      />
    );
  }
  render(<App />, document.body);
}

if (new URLSearchParams(location.search).get("demonstration") === "on")
  void import("./demonstration.js").then(({ demonstrate }) => demonstrate());
else start();
