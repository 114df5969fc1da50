// What belongs to the tablet, not to a person: sound, single letters, the people who signed here last, and the wake lock.

import { signal } from "@preact/signals";
import { readSigners, withSigner } from "./signers.js";

/** Pause between two sounds while hits wait. */
const REPEAT_EVERY_MS = 30_000;
const KEYS = { muted: "floor.muted", letters: "floor.letters", signers: "floor.signers", longPins: "floor.longPins" };

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // A browser that stores nothing forgets it with the page.
  }
}

export const muted = signal(read(KEYS.muted) === "true");
export const letters = signal(read(KEYS.letters) !== "false");
export const signers = signal<readonly string[]>(readSigners(read(KEYS.signers)));

export function rememberSigner(name: string): void {
  signers.value = withSigner(signers.value, name);
  write(KEYS.signers, JSON.stringify(signers.value));
}

/** Names whose PIN has more than four digits: the fourth digit does not sign for them. */
export const longPins = signal<readonly string[]>(readSigners(read(KEYS.longPins)));

export function setLongPin(name: string, long: boolean): void {
  longPins.value = long ? withSigner(longPins.value, name) : longPins.value.filter((known) => known !== name);
  write(KEYS.longPins, JSON.stringify(longPins.value));
}

export function setMuted(value: boolean): void {
  muted.value = value;
  write(KEYS.muted, String(value));
  if (!value) void unlockSound();
}

export function setLetters(value: boolean): void {
  letters.value = value;
  write(KEYS.letters, String(value));
}

/** State of the sound: a browser plays none before the first touch. */
export const sound = signal<"ready" | "asleep">("asleep");
let audio: AudioContext | null = null;

/** Wakes the sound. A browser allows that in an event of a person only. */
export async function unlockSound(): Promise<void> {
  audio ??= new AudioContext();
  if (audio.state !== "running") await audio.resume().catch(() => {});
  sound.value = audio.state === "running" ? "ready" : "asleep";
}

/** Two notes that rise: frequency in hertz, start and length in seconds. */
const NOTES = [
  [659.25, 0, 0.16],
  [987.77, 0.17, 0.38],
] as const;

/** Plays the sound of a hit that waits. */
export function chime(): void {
  if (muted.value || !audio || audio.state !== "running") return;
  for (const [frequency, start, length] of NOTES) {
    const tone = audio.createOscillator();
    const gain = audio.createGain();
    const from = audio.currentTime + start;
    tone.frequency.value = frequency;
    gain.gain.setValueAtTime(0.0001, from);
    gain.gain.exponentialRampToValueAtTime(0.3, from + 0.02);
    gain.gain.exponentialRampToValueAtTime(0.0001, from + length);
    tone.connect(gain).connect(audio.destination);
    tone.start(from);
    tone.stop(from + length);
  }
}

let repeat: ReturnType<typeof setInterval> | undefined;

/** Repeats the sound as long as hits wait. */
export function remind(waits: boolean): void {
  clearInterval(repeat);
  repeat = waits ? setInterval(chime, REPEAT_EVERY_MS) : undefined;
}

/** State of the screen: kept on, or left to the tablet; null if the browser can't keep it on. */
export const screenOn = signal<boolean | null>("wakeLock" in navigator ? false : null);
let lock: WakeLockSentinel | null = null;
let wanted = false;

/** Keeps the screen on while hits wait. A hidden page loses the lock, so it is asked for again when it shows. */
export async function keepAwake(waits: boolean): Promise<void> {
  wanted = waits;
  if (!("wakeLock" in navigator)) return;
  if (!waits) {
    await lock?.release().catch(() => {});
    return;
  }
  if (lock || document.visibilityState !== "visible") return;
  try {
    lock = await navigator.wakeLock.request("screen");
    screenOn.value = true;
    lock.addEventListener("release", () => {
      lock = null;
      screenOn.value = false;
    });
    if (!wanted) await lock.release();
  } catch {
    screenOn.value = false;
  }
}

/** Follows touches and visibility; returns what ends it. */
export function followTablet(): () => void {
  const touched = (event: Event) => {
    // The key of the sound itself does it with its click, which would else turn the sound off.
    if (!(event.target instanceof Element && event.target.closest(".sound"))) void unlockSound();
  };
  if (navigator.userActivation?.hasBeenActive) void unlockSound();
  const shown = () => void keepAwake(wanted);
  addEventListener("pointerdown", touched);
  addEventListener("keydown", touched);
  document.addEventListener("visibilitychange", shown);
  return () => {
    removeEventListener("pointerdown", touched);
    removeEventListener("keydown", touched);
    document.removeEventListener("visibilitychange", shown);
  };
}
