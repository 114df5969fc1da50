// The sign: the wall of its links in its look.

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { HouseTheme } from "../themes/own.js";
import "../themes/fonts.css";
import "./stage.css";
import "./amount.css";
import "./cards.css";
import "./scene.css";
import "./ground.css";
import { SignProvider } from "./context.js";
import { useLook } from "./look.js";
import type { AddressOptions } from "./options.js";
import type { Scenes } from "./scenes.js";
import type { ShownSession } from "./session.js";
import { Wall } from "./wall.js";

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
  address: AddressOptions;
  sessions: readonly ShownSession[];
  scenes: Scenes;
  /** A theme that is being edited, in place of any other. */
  draft?: HouseTheme | null;
  /** What a screen without links shows. */
  unnamed?: ComponentChildren;
}

export function Sign({ address, sessions, scenes, draft = null, unnamed }: SignProps) {
  const portrait = useMedia("(orientation: portrait)");
  const still = useMedia("(prefers-reduced-motion: reduce)");
  const look = useLook(sessions, address, draft);
  if (!look) return null;
  const size = portrait ? { width: 1080, height: 1920 } : { width: 1920, height: 1080 };
  return (
    <SignProvider value={{ ...look, portrait, size, still }}>
      {sessions.length === 0 ? unnamed : <Wall sessions={sessions} scenes={scenes} />}
    </SignProvider>
  );
}
