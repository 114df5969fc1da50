// The wall: all links of one sign. Two stand side by side, more take turns, and a win has the whole sign.

import { useEffect } from "preact/hooks";
import { levelName } from "../text/index.js";
import { LINK_TURN_MS, shownOf } from "../wall/turns.js";
import { type SignContext, useSign } from "./context.js";
import { Halves, halfPlan } from "./half.js";
import { linkName } from "./options.js";
import type { Scenes } from "./scenes.js";
import type { ShownSession } from "./session.js";
import { Message, Picture, Stage, problemOf, shownLevels } from "./stage.js";
import { useTurns } from "./turns.js";

interface WallProps {
  sessions: readonly ShownSession[];
  scenes: Scenes;
}

/** Returns if each of two links fits on half of the picture; one without amounts does. */
function fitHalves(sign: SignContext, sessions: readonly ShownSession[]): boolean {
  return sessions.every((session) => {
    const levels = shownLevels(session, sign.options.hands);
    return levels.length === 0 || halfPlan(sign, levels) !== null;
  });
}

function titleOf(sign: SignContext, sessions: readonly ShownSession[]): string {
  const { options, texts } = sign;
  const [only] = sessions;
  if (!only || sessions.length > 1)
    return sessions.map((session) => linkName(options, session.feed.value) ?? "").join(" · ");
  const top = only.feed.value.levels[0];
  return [linkName(options, only.feed.value) ?? "", ...(top ? [levelName(texts, top.level)] : [])].join(" ");
}

export function Wall({ sessions, scenes }: WallProps) {
  const sign = useSign();
  const scene = scenes.wins.value.scene;
  const winner = scene ? sessions.findIndex((session) => session.link === scene.win.link) : -1;
  const halves = sessions.length === 2 && fitHalves(sign, sessions);
  const turn = useTurns(sessions.length > 1 && !halves && winner < 0, LINK_TURN_MS);
  const shown = shownOf({ count: sessions.length, halves, winner: winner < 0 ? null : winner, turn });
  const title = titleOf(sign, sessions);
  useEffect(() => {
    if (title !== "") document.title = title;
  }, [title]);
  const seen = shown.kind === "pair" ? sessions : sessions.slice(shown.index, shown.index + 1);
  // One black picture before the first message: a message about nothing would flash on each start.
  if (seen.every((session) => session.feed.value.position === null && session.problem.value === null)) return null;
  const stale = seen.every((session) => session.live.value.kind === "stale");
  return (
    <Picture stale={stale} won={winner >= 0}>
      {shown.kind === "pair" ? (
        <Halves sessions={sessions} />
      ) : (
        seen.map((session) => (
          <div key={session.link} class={sessions.length > 1 ? "fade-in" : ""}>
            <Whole session={session} scene={winner < 0 ? null : scene} />
          </div>
        ))
      )}
    </Picture>
  );
}

/** One link on the whole picture, or the reason why it is not shown. */
function Whole({ session, scene }: { session: ShownSession; scene: Parameters<typeof Stage>[0]["scene"] }) {
  const problem = problemOf(useSign(), session);
  if (problem) return <Message {...problem} />;
  return session.feed.value.position === null ? null : <Stage session={session} scene={scene} />;
}
