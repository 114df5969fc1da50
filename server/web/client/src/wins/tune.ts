// The sounds of a win as data: notes with their time, length and loudness.

import type { SceneStep } from "./machine.js";

export interface Note {
  /** Seconds after the beginning. */
  at: number;
  /** Frequency in hertz. */
  pitch: number;
  seconds: number;
  /** Loudness of 0 to 1. */
  gain: number;
}

const C5 = 523.25;
const E5 = 659.25;
const G5 = 783.99;
const C6 = 1046.5;
const E6 = 1318.51;

/** Three notes that rise: there is a hit to look at. */
const CHIME: readonly Note[] = [C5, E5, G5].map((pitch, index) => {
  return { at: index * 0.16, pitch, seconds: 0.7, gain: 0.16 };
});

/** A fanfare of broken chords, and the chord at which the count stops (3.8 s after the celebration began). */
const FANFARE: readonly Note[] = [
  ...[C5, E5, G5, C6, E5, G5, C6, E6].map((pitch, index) => {
    return { at: 1.3 + index * 0.3, pitch, seconds: 0.5, gain: 0.14 };
  }),
  ...[C5, E5, G5, C6].map((pitch) => {
    return { at: 3.8, pitch, seconds: 2.2, gain: 0.12 };
  }),
];

/** Returns the sound with which a step of a scene begins. */
export function tuneOf(step: SceneStep): readonly Note[] {
  if (step === "pending") return CHIME;
  return step === "celebration" ? FANFARE : [];
}
