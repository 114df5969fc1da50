// The names of hands and bonuses in English.

import type { Names } from "./names.js";

export const hands: Names = {
  "royal-flush": "Royal flush",
  "straight-flush": "Straight flush",
  "four-aces": "Four aces",
  "four-of-a-kind": "Four of a kind",
  "full-house": "Full house",
  flush: "Flush",
  straight: "Straight",
  "three-of-a-kind": "Three of a kind",
  "two-pair": "Two pair",
  pair: "Pair",
  "high-card": "High card",
  "mini-royal": "Mini royal",
  magic_card: "Magic Card",
  lucky_bonus: "Lucky Bonus",
};
