// The way back to the front page of a demo, which has the people and their PINs. A house has no such page to go back to.

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { findDemo } from "../front/demo.js";
import { inLocale } from "../front/locale.js";

/** True once the server has said that it is a demo; null until it was asked. */
const isDemo = signal<boolean | null>(null);

async function ask(): Promise<void> {
  if (isDemo.value !== null) return;
  isDemo.value = false;
  // Without an answer the link is missing, and nothing else: the front page is asked for by its address all the same.
  isDemo.value = await findDemo().then(
    (demo) => demo !== "none",
    () => null,
  );
}

/** A link to the front page; nothing unless the server is a demo. */
export function DemoLink({ text }: { text: string }) {
  useEffect(() => void ask(), []);
  if (!isDemo.value) return null;
  return (
    <a class="demo-link" href={inLocale("/")}>
      {text}
    </a>
  );
}
