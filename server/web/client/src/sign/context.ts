// What every part of the sign reads: its theme, texts, rulers and orientation.

import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Texts } from "../text/en.js";
import { LEVEL_COLOURS, type Theme } from "../themes/index.js";
import type { Rulers } from "./measure.js";
import type { SignOptions } from "./options.js";

export interface SignContext {
  options: SignOptions;
  theme: Theme;
  texts: Texts;
  rulers: Rulers;
  portrait: boolean;
  /** The part of the picture that a link has: all of it, or a half. */
  size: { width: number; height: number };
  /** The viewer's system asks for less motion. */
  still: boolean;
}

const Context = createContext<SignContext | null>(null);

export const SignProvider = Context.Provider;

export function useSign(): SignContext {
  const context = useContext(Context);
  if (!context) throw new Error("a part of the sign outside of its provider");
  return context;
}

/** Returns the class of a level by its index, which chooses its colours. */
export function levelClass(index: number): string {
  return `level-${index % LEVEL_COLOURS}`;
}

/** Writes a length in the pixels of a sign of 1920x1080. */
export function px(length: number): string {
  return `calc(${length} * var(--px))`;
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height?: number;
}

/** Places an element on the stage. */
export function place({ x, y, width, height }: Box): Record<string, string> {
  const style: Record<string, string> = { left: px(x), top: px(y), width: px(width) };
  if (height !== undefined) style["height"] = px(height);
  return style;
}

/** Places an element in the middle of what it stands in. */
export function centred(y: number): Record<string, string> {
  return { left: "50%", top: px(y), transform: "translateX(-50%)" };
}
