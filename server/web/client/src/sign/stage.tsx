// The stage: places one link on the whole picture by its session's state, and moves the picture against burn-in.

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { WORD_FLOOR } from "../fit/chain.js";
import { clock } from "../text/index.js";
import { artworkAddress } from "../themes/own.js";
import { type Night, isNight } from "../wall/night.js";
import type { Scene } from "../wins/machine.js";
import { Beside, plateWidth } from "./beside.js";
import { Celebration } from "./celebration.js";
import { type Box, type SignContext, place, px, useSign } from "./context.js";
import { Emblem, Frame, Ground } from "./drawings.js";
import { winningHands } from "./hands.js";
import { type ShownLevel, TopLevel } from "./levels.js";
import { Line, type LineProps, fitLine, textWidth } from "./line.js";
import { LowerLevels } from "./lower.js";
import { linkName } from "./options.js";
import { Plate } from "./plate.js";
import type { ShownSession } from "./session.js";
import { useTurns } from "./turns.js";

const SHIFT_EVERY_MS = 60_000;
const SHIFT_RADIUS = 8;
/** Steps of 2 px round a circle of 8 px radius. */
const SHIFT_STEPS = 25;

/** Moves the whole picture round a small circle. */
function useShift(): Record<string, string> {
  const angle = (useTurns(true, SHIFT_EVERY_MS) / SHIFT_STEPS) * 2 * Math.PI;
  return { "--shift-x": px(SHIFT_RADIUS * (Math.cos(angle) - 1)), "--shift-y": px(SHIFT_RADIUS * Math.sin(angle)) };
}

/** Interval of the look at the time of the day. */
const NIGHT_LOOK_MS = 15_000;

/** Returns if it is night where the sign hangs. */
function useNight(night: Night | null): boolean {
  const look = () => {
    const now = new Date();
    return night !== null && isNight(night, now.getHours() * 60 + now.getMinutes());
  };
  const [dark, setDark] = useState(look);
  useEffect(() => {
    if (!night) return undefined;
    const timer = setInterval(() => setDark(look()), NIGHT_LOOK_MS);
    return () => clearInterval(timer);
  }, [night]);
  return dark;
}

const LINK_WIDTH = 1700;

const linkLine = { kind: "link", cap: 46, lines: "two" } as const;

/** Returns how a link's name fits the top of a landscape sign, and the width that it takes. */
function fitTop(sign: SignContext, text: string) {
  const fit = fitLine(sign, { ...linkLine, text, box: { x: 0, y: 0, width: LINK_WIDTH } });
  const wide = fit.lines.map((line) => textWidth(sign, line, fit.cap, fit.tracking, "link"));
  const width = Math.min(LINK_WIDTH, Math.max(...wide) + 8);
  return { ...fit, width, emblem: width <= 1200 && fit.lines.length === 1 };
}

/** Height of a logo, and the place of its top. */
const LOGO = { landscape: { y: 46, height: 92 }, portrait: { y: 78, height: 262 } } as const;

/** Returns the place of a theme's logo; null without one. */
function logoBox({ theme, portrait }: SignContext): Box | null {
  const logo = theme.house?.logo;
  if (!logo) return null;
  const { y, height } = portrait ? LOGO.portrait : LOGO.landscape;
  const width = Math.min((height * logo.width) / logo.height, portrait ? 900 : 1200);
  return { x: (portrait ? 540 : 960) - width / 2, y, width, height };
}

/** The logo of the house; the name where it can't be loaded. */
function LogoOrName({ name }: { name: string }) {
  const sign = useSign();
  const box = logoBox(sign);
  const logo = sign.theme.house?.logo;
  const [lost, setLost] = useState<string | null>(null);
  if (!box || !logo || lost === logo.digest) return <LinkName name={name} />;
  return (
    <>
      <img class="logo" src={artworkAddress(logo)} alt={name} style={place(box)} onError={() => setLost(logo.digest)} />
      {sign.portrait && sign.theme.frame !== "tube" && (
        <div class="rule" style={place({ x: 140, y: 362, width: 800, height: 2 })} />
      )}
    </>
  );
}

function LinkName({ name }: { name: string }) {
  const sign = useSign();
  if (sign.portrait) {
    const line = {
      kind: "link",
      text: name,
      cap: 50,
      lines: "three",
      box: { x: 76, y: 268, width: 928 },
    } as const;
    const long = fitLine(sign, line).lines.length > 1;
    return (
      <>
        {!long && (
          <div class="emblem-place">
            <Emblem />
          </div>
        )}
        <Line {...line} box={long ? { ...line.box, y: 130 } : line.box} />
        {sign.theme.frame !== "tube" && <div class="rule" style={place({ x: 140, y: 362, width: 800, height: 2 })} />}
      </>
    );
  }
  const { width, emblem, lines, cap } = fitTop(sign, name);
  const left = 960 - (width + (emblem ? 130 : 0)) / 2;
  const box =
    lines.length > 1
      ? { x: 960 - LINK_WIDTH / 2, y: 46, width: LINK_WIDTH }
      : { x: left + (emblem ? 130 : 0), y: 70 + (46 - cap) / 2, width };
  return (
    <>
      {emblem && (
        <div class="emblem-place" style={{ left: px(left) }}>
          <Emblem />
        </div>
      )}
      <Line {...linkLine} text={name} box={box} />
    </>
  );
}

/** Returns the gap that a neon tube leaves for the link's name. */
function nameGap(sign: SignContext, name: string | null): number {
  if (!name) return 0;
  const logo = logoBox(sign);
  if (logo) return logo.width + 90;
  const { width, emblem } = fitTop(sign, name);
  return width + (emblem ? 250 : 90);
}

/** The mark of amounts that are not confirmed. It hangs from the top edge, beside a plate if there is one. */
export function StaleMark({
  since,
  box,
  lines: most = 2,
}: {
  since: number | null;
  box: { x: number; width: number };
  /** Lines at most. */
  lines?: 1 | 2;
}) {
  const sign = useSign();
  const { texts, options } = sign;
  const time = since === null ? "" : clock(Date.now() - (performance.now() - since), options.locale);
  const second = time ? texts.since(time) : "";
  const wide = (text: string) => textWidth(sign, text, WORD_FLOOR) * 1.06 + 210;
  const one = second ? `${texts.notLive} ${second}` : texts.notLive;
  const lines =
    wide(one) <= box.width
      ? [one]
      : most > 1 && second && wide(second) - 110 <= box.width
        ? [texts.notLive, second]
        : [texts.notLive];
  return (
    <div class="stale-place" style={{ left: px(box.x), width: px(box.width) }}>
      <div class={`stale-mark ${lines.length > 1 ? "two" : ""}`} role="status">
        <svg class="stale-icon" viewBox="0 0 54 80" aria-hidden="true">
          <path d="M0 0h20v80H0ZM34 0h20v80H34Z" />
        </svg>
        <span>
          {lines.map((line) => (
            <span key={line} class="line-inline row" data-kind="word" style={{ "--c": "79" }}>
              {line}
            </span>
          ))}
        </span>
      </div>
    </div>
  );
}

export function shownLevels(session: ShownSession, hands: readonly string[]): ShownLevel[] {
  const { levels, disabled } = session.feed.value;
  const known = session.levels.value;
  return levels.map(({ level, cents }, index) => {
    const view = known.find((row) => row.level === level);
    const given = hands[index];
    return {
      level,
      index,
      cents,
      hands: given ? [given] : winningHands(view?.hands ?? []),
      ceiling: view?.ceiling ?? null,
      disabled: disabled.includes(level),
    };
  });
}

/** The upper part while a win is on the plate. */
function WinArea({
  scene,
  levels,
  linkName,
}: {
  scene: Scene;
  levels: readonly ShownLevel[];
  linkName: string | null;
}) {
  const sign = useSign();
  const index = Math.max(
    0,
    levels.findIndex((row) => row.level === scene.win.level),
  );
  const top = levels[0];
  if (!top) return null;
  const plate = plateWidth(sign, top);
  return (
    <div class={`win-area going-${scene.step}`} key={scene.win.hit}>
      <Plate scene={scene} index={index} width={plate} />
      <Beside level={top} isNew={index === 0} linkName={linkName} plate={plate} />
    </div>
  );
}

/** The whole picture: its ground, which bleeds past every edge, and what stands on it. */
export function Picture({ stale, won, children }: { stale: boolean; won: boolean; children: ComponentChildren }) {
  const { portrait, options } = useSign();
  const shift = useShift();
  // A win is shown in full light at any hour.
  const night = useNight(options.night) && !won;
  const states = [portrait ? "portrait" : "landscape", stale ? "stale" : "", night ? "night" : ""];
  return (
    <div class={`sign ${states.join(" ")}`} style={shift}>
      <svg class="blur-source" aria-hidden="true">
        <filter id="vertical-blur">
          <feGaussianBlur stdDeviation="0 7" />
        </filter>
      </svg>
      <Ground />
      {children}
      {options.night && <div class="night-veil" aria-hidden="true" />}
    </div>
  );
}

/** One link on the whole picture, with the scene of its win. */
export function Stage({ session, scene }: { session: ShownSession; scene: Scene | null }) {
  const sign = useSign();
  const { options, portrait, theme } = sign;
  const live = session.live.value;
  const levels = shownLevels(session, options.hands);
  const stale = live.kind === "stale";
  const top = levels[0];
  const name = linkName(options, session.feed.value);
  const whole = scene?.step === "celebration" && scene.win.whole && scene.win.level === top?.level;
  const lower = levels.slice(1);
  const alone = lower.length === 0;
  const beside = scene && top && !whole && !portrait ? 76 + plateWidth(sign, top) + 16 : null;
  const staleBox =
    beside === null ? { x: portrait ? 56 : 60, width: portrait ? 968 : 1800 } : { x: beside, width: 1864 - beside };
  return (
    <>
      <div class={`stage-box ${whole ? "covered" : ""}`}>
        <Frame />
        {!scene && !stale && name && <LogoOrName name={name} />}
        {top &&
          (scene ? (
            <WinArea scene={whole ? { ...scene, step: "won" } : scene} levels={levels} linkName={stale ? null : name} />
          ) : (
            <TopLevel level={top} alone={alone} nameGap={nameGap(sign, stale ? null : name)} />
          ))}
        {!alone && theme.frame !== "tube" && !(portrait && scene) && (
          <div
            class="rule"
            style={place(
              portrait ? { x: 100, y: 1105, width: 880, height: 2 } : { x: 216, y: 637, width: 1488, height: 2 },
            )}
          />
        )}
        <LowerLevels levels={lower} rests={stale} />
      </div>
      {scene && whole && <Celebration key={scene.win.hit} scene={scene} index={0} linkName={name} />}
      {stale && (
        <div class="stage-box over">
          {/* In portrait the plate of a win begins right below one line. */}
          <StaleMark since={live.since} box={staleBox} lines={portrait && scene ? 1 : 2} />
        </div>
      )}
    </>
  );
}

/** Returns the message about a link that can't be shown; null for one that can. */
export function problemOf({ texts }: SignContext, session: ShownSession): { title: string; hint: string } | null {
  switch (session.problem.value) {
    case "unknown_link":
      return { title: texts.unknownLink(session.link), hint: texts.unknownLinkHint };
    case "no_connection":
      return { title: texts.noConnection, hint: texts.noConnectionHint };
    default:
      return null;
  }
}

interface MessageProps extends Pick<LineProps, "cap" | "lines" | "box"> {
  title: string;
  hint: string;
  /** Distance of the hint from the title. */
  hintAt: number;
}

/** A title with a hint below it. */
export function MessageLines({ title, hint, hintAt, ...line }: MessageProps) {
  return (
    <>
      <Line {...line} text={title} kind="word" className="name" tracking={0.02} />
      <p class="hint" style={place({ ...line.box, y: line.box.y + hintAt })}>
        {hint}
      </p>
    </>
  );
}

/** A plain message in the place of a link. */
export function Message(problem: { title: string; hint: string }) {
  const { portrait } = useSign();
  const box = portrait ? { x: 90, y: 820, width: 900 } : { x: 160, y: 420, width: 1600 };
  return (
    <div class="stage-box message">
      <Frame />
      <MessageLines {...problem} cap={100} lines="first" box={box} hintAt={portrait ? 330 : 280} />
    </div>
  );
}
