// Drawings that are made by script: emblems, frames, suits, the ground of a theme.

import type { JSX } from "preact";
import { artworkAddress } from "../themes/own.js";
import { useSign } from "./context.js";
import { useTurns } from "./turns.js";

export const SUITS: Readonly<Record<string, string>> = {
  s: "M50 4C44 20 9 42 9 66c0 14 10 22 21 22 8 0 13-3 17-9-1 8-5 14-12 18h30c-7-4-11-10-12-18 4 6 9 9 17 9 11 0 21-8 21-22C91 42 56 20 50 4Z",
  h: "M50 94C26 72 6 54 6 32 6 17 17 7 29 7c9 0 17 5 21 14 4-9 12-14 21-14 12 0 23 10 23 25 0 22-20 40-44 62Z",
  d: "M50 3 87 50 50 97 13 50Z",
  c: "M50 5c13 0 22 10 22 21 0 6-2 11-6 15 3-1 5-2 9-2 12 0 21 9 21 21s-9 21-21 21c-9 0-17-5-21-13 1 11 5 21 13 27H33c8-6 12-16 13-27-4 8-12 13-21 13C13 81 4 72 4 60s9-21 21-21c4 0 6 1 9 2-4-4-6-9-6-15C28 15 37 5 50 5Z",
};

export function Suit({ suit, className }: { suit: string; className: string }) {
  return (
    <svg class={className} viewBox="0 0 100 100" aria-hidden="true">
      <path d={SUITS[suit] ?? SUITS["s"]} />
    </svg>
  );
}

function Crown() {
  return (
    <svg class="emblem crown" viewBox="0 0 104 72" aria-hidden="true">
      <path class="fill" d="M14 56 8 17 31 36 52 9 73 36 96 17 90 56Z" />
      <path class="stroke" d="M14 56 8 17 31 36 52 9 73 36 96 17 90 56Z" />
      <path class="solid" d="M14 62h76v5H14ZM52 29l6 11-6 11-6-11Z" />
      <circle class="solid" cx="8" cy="15" r="4.5" />
      <circle class="solid" cx="52" cy="6" r="4.5" />
      <circle class="solid" cx="96" cy="15" r="4.5" />
    </svg>
  );
}

export function Emblem() {
  const { theme } = useSign();
  if (theme.emblem === "crown") return <Crown />;
  if (theme.emblem === "medal") {
    return (
      <svg class="emblem medal" viewBox="0 0 100 100" aria-hidden="true">
        <circle class="stroke" cx="50" cy="50" r="47" />
        <circle class="stroke thin" cx="50" cy="50" r="41" />
        <path class="solid" transform="translate(22 21) scale(.56)" d={SUITS["s"]} />
      </svg>
    );
  }
  return (
    <svg class="emblem spade" viewBox="-6 -6 112 112" aria-hidden="true">
      <path class="stroke" d={SUITS["s"]} />
    </svg>
  );
}

/** Returns a rectangle with corners that step inwards twice. */
function stepped(width: number, height: number, inset: number, step: number): string {
  const left = inset;
  const top = inset;
  const right = width - inset;
  const bottom = height - inset;
  const s = step;
  return (
    `M${left + 2 * s} ${top}H${right - 2 * s}v${s}h${s}v${s}h${s}V${bottom - 2 * s}h${-s}v${s}h${-s}v${s}` +
    `H${left + 2 * s}v${-s}h${-s}v${-s}h${-s}V${top + 2 * s}h${s}v${-s}h${s}Z`
  );
}

/** The frame of gold and heritage; neon draws its tube round the first level alone. */
export function Frame() {
  const { theme, size } = useSign();
  const { width, height } = size;
  if (theme.frame === "tube") return null;
  const view = { class: "frame", viewBox: `0 0 ${width} ${height}`, "aria-hidden": true } as const;
  if (theme.frame === "stepped") {
    return (
      <svg {...view}>
        <path class="line-strong" d={stepped(width, height, 26, 16)} />
        <path class="line-fine" d={stepped(width, height, 36, 16)} />
      </svg>
    );
  }
  const corners: readonly (readonly [number, number, number])[] = [
    [38, 38, 0],
    [width - 38, 38, 90],
    [width - 38, height - 38, 180],
    [38, height - 38, 270],
  ];
  return (
    <svg {...view}>
      <rect class="line-bold" x="26" y="26" width={width - 52} height={height - 52} />
      <rect class="line-fine" x="38" y="38" width={width - 76} height={height - 76} />
      {corners.map(([x, y, turn]) => (
        <g key={turn} transform={`translate(${x} ${y}) rotate(${turn})`}>
          <path class="line-mid" d="M46 0A46 46 0 0 1 0 46M34 0A34 34 0 0 1 0 34" />
          <circle class="dot" cx="12" cy="12" r="5.5" />
        </g>
      ))}
    </svg>
  );
}

/** A tube of light round a box, with a gap in its upper side. */
export function Tube({
  x,
  y,
  width,
  height,
  gap,
}: {
  x: number;
  y: number;
  width: number;
  height: number;
  gap: number;
}) {
  const { size } = useSign();
  const r = 46;
  const middle = x + width / 2;
  const path =
    `M${middle + gap / 2} ${y}H${x + width - r}a${r} ${r} 0 0 1 ${r} ${r}V${y + height - r}a${r} ${r} 0 0 1 ${-r} ${r}` +
    `H${x + r}a${r} ${r} 0 0 1 ${-r} ${-r}V${y + r}a${r} ${r} 0 0 1 ${r} ${-r}H${middle - gap / 2}`;
  return (
    <svg class="tube" viewBox={`0 0 ${size.width} ${size.height}`} aria-hidden="true">
      <path class="outer" d={path} />
      <path class="core" d={path} />
    </svg>
  );
}

/** Returns one closed curve of a guilloche. */
function rose(petals: number, radius: number, depth: number, phase: number): string {
  const points: string[] = [];
  for (let index = 0; index <= 360; index += 1) {
    const angle = (index / 360) * 2 * Math.PI;
    const reach = radius * (1 + depth * Math.cos(petals * angle + phase));
    points.push(`${(Math.cos(angle) * reach * 1.5).toFixed(1)} ${(Math.sin(angle) * reach).toFixed(1)}`);
  }
  return `M${points.join("L")}Z`;
}

function Guilloche() {
  const curves: JSX.Element[] = [];
  for (let index = 0; index < 14; index += 1) {
    curves.push(
      <path key={index} d={rose(9 + (index % 3) * 4, 150 + index * 32, 0.2 + (index % 4) * 0.05, index * 0.7)} />,
    );
  }
  return (
    <svg class="guilloche" viewBox="-960 -540 1920 1080" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      {curves}
    </svg>
  );
}

/** One degree a minute, in steps of less than two pixels. */
const RAY_STEP_MS = 6_000;
const RAY_STEP_DEGREES = 0.1;

/** Rays that turn too slowly to be seen, so that no pixel stays lit. */
function CalmRays() {
  const { still } = useSign();
  const degrees = (useTurns(!still, RAY_STEP_MS) * RAY_STEP_DEGREES) % 360;
  return <div class="rays calm" style={{ transform: `rotate(${degrees.toFixed(1)}deg)` }} />;
}

/** The ground, which bleeds past every edge. */
export function Ground() {
  const { theme } = useSign();
  const picture = theme.house?.background;
  if (picture)
    return (
      <div class="ground" aria-hidden="true">
        <img
          class="ground-picture"
          key={picture.digest}
          src={artworkAddress(picture)}
          alt=""
          style={{ "--picture-opacity": String((picture.opacity_percent ?? 0) / 100) }}
        />
      </div>
    );
  return (
    <div class="ground" aria-hidden="true">
      {theme.ground === "rays" && <CalmRays />}
      {theme.ground === "smoke" && <div class="smoke" />}
      {theme.ground === "guilloche" && <Guilloche />}
      <div class="vignette" />
    </div>
  );
}

/** Returns a number between 0 and 1 that is always the same for an index: the foil needs no chance. */
function scattered(index: number, salt: number): number {
  let value = Math.imul(index * 31 + salt, 0x9e3779b1);
  value = Math.imul(value ^ (value >>> 15), 0x85ebca6b);
  return ((value ^ (value >>> 13)) >>> 0) / 4_294_967_296;
}

/** Foil that falls for eight seconds. */
export function Foil({ pieces }: { pieces: number }) {
  const { theme } = useSign();
  return (
    <div class="foil-fall" aria-hidden="true">
      {Array.from({ length: pieces }, (_, index) => {
        const near = index % 9 === 0;
        const size = (near ? 38 : 12) + scattered(index, 1) * 14;
        return (
          <i
            key={index}
            class={near ? "near" : ""}
            style={{
              left: `${(scattered(index, 2) * 106 - 3).toFixed(2)}%`,
              width: `calc(${size.toFixed(1)} * var(--px))`,
              height: `calc(${(size * (0.5 + scattered(index, 3) * 0.6)).toFixed(1)} * var(--px))`,
              "--foil-colour": theme.confetti[index % theme.confetti.length] ?? "#fff",
              "--fall": `${(3.4 + scattered(index, 4) * 2.2).toFixed(2)}s`,
              "--wait": `${(scattered(index, 5) * 2.6).toFixed(2)}s`,
              "--drift": `${((scattered(index, 6) - 0.5) * 26).toFixed(1)}vw`,
              "--turn": `${(360 + scattered(index, 7) * 900).toFixed(0)}deg`,
            }}
          />
        );
      })}
    </div>
  );
}
