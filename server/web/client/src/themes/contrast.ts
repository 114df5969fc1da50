// Contrast of a theme of the house: the same figures as the server's, which refuses less than 7:1. Both are compared with
// tests/api/themes/contrasts.json.

/** Least contrast, in hundredths. */
export const CONTRAST_LEAST = 700;

type Rgb = readonly [number, number, number];

/** Reads "#f6cf6b"; null for anything else. */
export function readColour(text: string): Rgb | null {
  const found = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text);
  if (!found) return null;
  const [, red = "", green = "", blue = ""] = found;
  return [Number.parseInt(red, 16), Number.parseInt(green, 16), Number.parseInt(blue, 16)];
}

function writeColour(colour: Rgb): string {
  return `#${colour.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

/** Linear light of a channel, in millionths. */
function light(value: number): number {
  const part = value / 255;
  return Math.round(1_000_000 * (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
}

/** Returns the luminance, with 10,000,000,000 for white. */
function luminance([red, green, blue]: Rgb): number {
  return light(red) * 2_126 + light(green) * 7_152 + light(blue) * 722;
}

/** Returns the contrast between two colours in hundredths, cut off. */
export function contrast(one: Rgb, other: Rgb): number {
  const [low = 0, high = 0] = [luminance(one) + 500_000_000, luminance(other) + 500_000_000].sort((a, b) => a - b);
  return Math.floor((high * 100) / low);
}

/** Returns a colour with another one over it, of an opacity in thousandths. */
export function under(ground: Rgb, over: Rgb, opacity: number): Rgb {
  const mixed = ground.map((value, index) =>
    Math.floor((value * (1_000 - opacity) + (over[index] ?? 0) * opacity + 500) / 1_000),
  );
  return [mixed[0] ?? 0, mixed[1] ?? 0, mixed[2] ?? 0];
}

/** Mixes two colours as texts; the share of the second one is in thousandths. */
export function mix(one: string, other: string, share: number): string {
  return writeColour(under(readColour(one) ?? [0, 0, 0], readColour(other) ?? [0, 0, 0], share));
}

/** Makes a colour lighter until a dimmed sign at night still shows it by 7:1. */
export function forNight(colour: string): string {
  for (let share = 0; share < 1_000; share += 40) {
    const lighter = mix(colour, "#ffffff", share);
    if (luminance(readColour(lighter) ?? [255, 255, 255]) >= 5_300_000_000) return lighter;
  }
  return "#ffffff";
}
