// What both forms of the front page share: the brand, and what they are given.

import type { ComponentChildren } from "preact";
import type { FrontTexts } from "../text/front.js";
import type { Link } from "./main.js";

export interface PageProps {
  t: FrontTexts;
  locale: string;
  links: Link[];
  reachable: boolean;
}

/** The bar at the top: the brand, and the state at the right. */
export function TopBar({ t, children }: { t: FrontTexts; children?: ComponentChildren }) {
  return (
    <header class="front-bar">
      <svg class="front-mark" viewBox="0 0 32 24" fill="none" stroke="currentColor" stroke-width="3" aria-hidden="true">
        <path d="M2 22 9 3l4 14L20 3l-1.5 19H30" stroke-linejoin="round" stroke-linecap="round" />
      </svg>
      <span class="front-brand">{t.brand}</span>
      <div class="front-state">{children}</div>
    </header>
  );
}

/** An arrow that says that a button leads to a page. */
export function Arrow() {
  return (
    <svg class="arrow" viewBox="0 0 12 20" fill="none" stroke="currentColor" stroke-width="2.6" aria-hidden="true">
      <path d="m3 3 6.5 7L3 17" />
    </svg>
  );
}
