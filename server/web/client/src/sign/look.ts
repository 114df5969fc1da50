// What a sign is drawn with: theme, texts and fonts, by its address, the presentation of its first link and its theme.

import { useComputed } from "@preact/signals";
import { useEffect, useMemo, useState } from "preact/hooks";
import { type Texts, textsOf } from "../text/index.js";
import { type Theme, applyTheme, isShipped, themeOf } from "../themes/index.js";
import { type HouseTheme, artworkAddress, composed } from "../themes/own.js";
import { useHouseTheme } from "./house-theme.js";
import { type Rulers, loadFonts, makeRulers } from "./measure.js";
import { type AddressOptions, type SignOptions, presentedOptions } from "./options.js";
import type { ShownSession } from "./session.js";

/** Longest wait for the pictures of a theme: without them it is shown all the same. */
const PICTURES_WAIT_MS = 5_000;

export interface Look {
  options: SignOptions;
  theme: Theme;
  texts: Texts;
  rulers: Rulers;
}

/** Applies what a sign shows by to the document, whose fonts have to be loaded. */
function applyLook(options: SignOptions, theme: Theme): Look {
  const root = document.documentElement;
  root.lang = options.locale;
  applyTheme(theme, root);
  const rulers = makeRulers(theme.text, options.currency);
  root.style.setProperty("--digit", String(rulers.metrics.digit));
  return { options, theme, texts: textsOf(options.locale), rulers };
}

/** Loads the pictures of a theme, so that it is shown with them at once. One that can't be loaded is left out. */
async function loadPictures({ house }: Theme): Promise<void> {
  const pictures = [house?.logo, house?.background].flatMap((picture) => (picture ? [picture] : []));
  const loading = pictures.map(async (picture) => {
    const image = new Image();
    image.src = artworkAddress(picture);
    await image.decode();
  });
  const late = new Promise<void>((done) => setTimeout(done, PICTURES_WAIT_MS));
  if (loading.length > 0) await Promise.race([Promise.allSettled(loading), late]);
}

/** Gives levels the names that the theme has by position: of the first link that has a level of this name. */
function named(texts: Texts, theme: Theme, levels: readonly (readonly string[])[]): Texts {
  const names = theme.house?.levelNames ?? [];
  if (names.every((name) => name === null)) return texts;
  const own: Record<string, string> = {};
  for (const link of levels)
    for (const [index, level] of link.entries()) {
      const name = names[index];
      if (name && !(level in own)) own[level] = name;
    }
  return { ...texts, levels: { ...texts.levels, ...own } };
}

/**
 * Follows the presentation of the sign's first link and its theme; null until fonts and theme are loaded. A theme that
 * can't be read leaves the sign as it is. `draft` is shown in place of any other theme.
 */
export function useLook(
  sessions: readonly ShownSession[],
  address: AddressOptions,
  draft: HouseTheme | null = null,
): Look | null {
  const first = sessions[0] ?? null;
  const [look, setLook] = useState<Look | null>(null);
  // Computed, since the feed has ten messages a second, and the whole sign hangs on the look.
  const presentation = useComputed(() => first?.feed.value.presentation ?? null).value;
  const levels = useComputed(() =>
    sessions.map((session) => session.feed.value.levels.map(({ level }) => level).join(" ")).join("|"),
  ).value;
  // Before the first snapshot only the address is known: nothing is drawn that the presentation would change at once.
  const known = useComputed(
    () => first === null || first.feed.value.position !== null || first.problem.value !== null,
  ).value;
  const wanted = address.theme ?? presentation?.theme ?? null;
  const version = presentation?.theme === wanted ? (presentation?.theme_version ?? null) : null;
  const found = useHouseTheme(draft || isShipped(wanted) ? null : wanted, version);
  const house = draft ?? found.theme;
  const theme = useMemo(() => (house ? composed(house) : themeOf(wanted)), [house, wanted]);
  const options = presentedOptions(address, presentation, theme.house ?? null);
  // A theme that could not be read yet changes nothing; a sign that shows nothing yet takes the default one.
  const ready = known && (house !== null || isShipped(wanted) || (found.settled && look === null));
  useEffect(() => {
    if (!ready) return undefined;
    let current = true;
    void Promise.all([loadFonts([theme.text, theme.link]), loadPictures(theme)]).then(() => {
      if (current) setLook(applyLook(options, theme));
    });
    return () => {
      current = false;
    };
  }, [ready, theme, options.locale]);
  return useMemo(
    () =>
      look && {
        ...look,
        texts: named(
          look.texts,
          look.theme,
          levels.split("|").map((link) => link.split(" ")),
        ),
      },
    [look, levels],
  );
}
