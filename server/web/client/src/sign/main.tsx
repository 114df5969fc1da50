// The overhead sign's entry: reads the address, and starts a session for each link. `?demonstration=on` shows invented
// amounts instead, in the theme that the page around it sends: the preview of the theme editor.

import { render } from "preact";
import { readOptions } from "./options.js";
import { Scenes } from "./scenes.js";
import { SignSession } from "./session.js";
import { Sign } from "./sign.js";
import { soundScenes } from "./sound.js";

function start(): void {
  const address = readOptions(new URL(location.href));
  const scenes = new Scenes();
  const sessions = address.links.map((link) => new SignSession(link, scenes));
  const hush = address.sound ? soundScenes(scenes) : () => {};
  addEventListener("pagehide", () => {
    hush();
    for (const session of sessions) session.close();
    scenes.close();
  });
  render(<Sign address={address} sessions={sessions} scenes={scenes} />, document.body);
}

if (new URLSearchParams(location.search).get("demonstration") === "on")
  void import("./demonstration.js").then(({ demonstrate }) => demonstrate());
else start();
