// The ground of a win with its rays, drawn into a small canvas that the browser enlarges. Everything is in one opaque
// picture: layers that turn, blend and fade over the whole screen would be put together again in each frame.

import { useEffect, useRef } from "preact/hooks";
import { useSign } from "./context.js";

/** Width of the canvas as a part of what it covers: rays have soft edges. */
const SCALE = 0.25;
const FRAME_MS = 66;
/** Two degrees a second. */
const DEGREES_A_MS = 0.002;
const RAYS = 72;
const TURN = 2 * Math.PI;

interface RaysProps {
  /** Size of what is covered, in pixels of a sign of 1920x1080. */
  width: number;
  height: number;
  /** Middle of the rays as a part of the height. */
  middle: number;
  /** Variables of the theme: the ground in the middle and at the edge. */
  ground: readonly [string, string];
  /** Part of the rays' strength, behind texts that are smaller. */
  strength?: number;
}

/** Draws the ground, the rays turned by an angle, and the ground over their middle and round their edge. */
function draw(
  canvas: CanvasRenderingContext2D,
  { width, height, middle }: RaysProps,
  [centre, edge, ray]: readonly [string, string, string],
  opacity: number,
  angle: number,
): void {
  const reach = Math.hypot(width, height);
  const fade = (stops: readonly (readonly [number, string])[], radius: number, squeeze: number) => {
    canvas.save();
    canvas.translate(width / 2, height * middle);
    canvas.scale(1, squeeze);
    const gradient = canvas.createRadialGradient(0, 0, 0, 0, 0, radius);
    for (const [at, colour] of stops) gradient.addColorStop(at, colour);
    canvas.fillStyle = gradient;
    canvas.fillRect(-reach, -reach / squeeze, 2 * reach, (2 * reach) / squeeze);
    canvas.restore();
  };
  const squeeze = height / width;
  fade(
    [
      [0, centre],
      [1, edge],
    ],
    width * 0.75,
    squeeze * 1.07,
  );
  if (opacity > 0) {
    canvas.save();
    canvas.translate(width / 2, height * middle);
    canvas.rotate(angle);
    canvas.globalAlpha = opacity;
    canvas.fillStyle = ray;
    canvas.beginPath();
    for (let index = 0; index < RAYS; index += 1) {
      const from = (index / RAYS) * TURN;
      const to = from + TURN / RAYS / 2;
      canvas.moveTo(0, 0);
      canvas.lineTo(Math.cos(from) * reach, Math.sin(from) * reach);
      canvas.lineTo(Math.cos(to) * reach, Math.sin(to) * reach);
    }
    canvas.fill();
    canvas.restore();
    const clear = `${centre}00`;
    fade(
      [
        [0, centre],
        [0.12, centre],
        [1, clear],
      ],
      Math.max(width, height) * 0.2,
      1,
    );
  }
  fade(
    [
      [0, `${edge}00`],
      [0.47, `${edge}00`],
      [1, edge],
    ],
    width * 0.85,
    squeeze * 1.03,
  );
}

export function Rays(props: RaysProps) {
  const { theme, still } = useSign();
  const element = useRef<HTMLCanvasElement>(null);
  const { width, height } = props;
  useEffect(() => {
    const context = element.current?.getContext("2d", { alpha: false });
    if (!context) return undefined;
    const colour = (name: string) => theme.variables[name] ?? "#000000";
    const colours = [colour(props.ground[0]), colour(props.ground[1]), colour("--win-ray")] as const;
    const opacity = still ? 0 : Number(theme.variables["--win-ray-opacity"] ?? 0) * (props.strength ?? 1);
    const began = performance.now();
    const frame = () => {
      const angle = (((performance.now() - began) * DEGREES_A_MS) / 360) * TURN;
      context.setTransform(SCALE, 0, 0, SCALE, 0, 0);
      draw(context, props, colours, opacity, angle);
    };
    frame();
    if (still) return undefined;
    const timer = setInterval(frame, FRAME_MS);
    return () => clearInterval(timer);
  }, [theme, still, width, height]);
  return <canvas ref={element} class="rays-field" width={width * SCALE} height={height * SCALE} aria-hidden="true" />;
}
