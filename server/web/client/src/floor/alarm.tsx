// What calls a person: each new hit is announced once, sounds, and keeps the screen on as long as hits wait.

import { useEffect, useRef, useState } from "preact/hooks";
import { waiting, loaded } from "./store.js";
import { amountOf } from "./sum.js";
import { chime, keepAwake, remind } from "./tablet.js";
import { useWords } from "./words.js";

export function Alarm() {
  const words = useWords();
  const known = useRef<ReadonlySet<string> | null>(null);
  const [text, setText] = useState("");
  const names = waiting.value.map((hit) => hit.hit).join(" ");
  const waits = waiting.value.length > 0;

  useEffect(() => {
    if (!loaded.value) return;
    const before = known.current;
    known.current = new Set(waiting.value.map((hit) => hit.hit));
    const fresh = waiting.value.filter((hit) => !before?.has(hit.hit));
    if (fresh.length === 0) return;
    chime();
    setText(
      fresh
        .map((hit) => words.t.list.announce(words.what(hit), words.place(hit), words.money(amountOf(hit))))
        .join(". "),
    );
  }, [names, loaded.value]);

  useEffect(() => {
    remind(waits);
    void keepAwake(waits);
  }, [waits]);

  return (
    <p class="unseen" role="alert" aria-live="assertive">
      {text}
    </p>
  );
}
