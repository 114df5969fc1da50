// The optional sound of a win, made by WebAudio. Browsers give sound to a page only after a gesture, or if the kiosk's
// browser is started so that none is needed; until then the sign is silent, and nothing is made up for later.

import { effect } from "@preact/signals";
import { type Note, tuneOf } from "../wins/tune.js";
import type { Scenes } from "./scenes.js";

/** Plays notes, each with a soft beginning and end. */
function play(context: AudioContext, notes: readonly Note[]): void {
  const now = context.currentTime + 0.02;
  for (const { at, pitch, seconds, gain } of notes) {
    const tone = new OscillatorNode(context, { type: "triangle", frequency: pitch });
    const volume = new GainNode(context, { gain: 0 });
    volume.gain.setValueAtTime(0, now + at);
    volume.gain.linearRampToValueAtTime(gain, now + at + 0.015);
    volume.gain.exponentialRampToValueAtTime(0.0001, now + at + seconds);
    tone.connect(volume).connect(context.destination);
    tone.start(now + at);
    tone.stop(now + at + seconds);
  }
}

/** Lets the scenes of wins sound. Returns what ends it. */
export function soundScenes(scenes: Scenes): () => void {
  const context = new AudioContext();
  const wake = () => void context.resume();
  addEventListener("pointerdown", wake);
  addEventListener("keydown", wake);
  let last = "";
  const stop = effect(() => {
    const scene = scenes.wins.value.scene;
    const step = scene ? `${scene.win.link} ${scene.win.hit} ${scene.step}` : "";
    if (step === last) return;
    last = step;
    document.documentElement.dataset["sound"] = context.state;
    if (scene && context.state === "running") play(context, tuneOf(scene.step));
  });
  return () => {
    stop();
    removeEventListener("pointerdown", wake);
    removeEventListener("keydown", wake);
    void context.close();
  };
}
