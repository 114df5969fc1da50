// The names of hands and bonuses in Spanish.

import type { Names } from "./names.js";

export const hands: Names = {
  "royal-flush": "Escalera real",
  "straight-flush": "Escalera de color",
  "four-aces": "Póker de ases",
  "four-of-a-kind": "Póker",
  "full-house": "Full",
  flush: "Color",
  straight: "Escalera",
  "three-of-a-kind": "Trío",
  "two-pair": "Doble pareja",
  pair: "Pareja",
  "high-card": "Carta alta",
  "mini-royal": "Mini real",
  magic_card: "Carta mágica",
  lucky_bonus: "Bono de la suerte",
};
