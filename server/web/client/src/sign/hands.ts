// The hands that a sign names under a level.

import type { LevelHand } from "../api/feed.js";

/**
 * Returns the hands that win a level: those that take all of it.
 *
 * If none does, those that take the greatest part.
 */
export function winningHands(hands: readonly LevelHand[]): string[] {
  const greatest = Math.max(...hands.map(({ percent }) => percent));
  return hands.filter(({ percent }) => percent === greatest).map(({ hand }) => hand);
}
