// The sign's texts in Spanish.

import type { Texts } from "./en.js";

export const es: Texts = {
  pending: "Pendiente",
  paid: "Pagado",
  notLive: "Sin señal",
  since: (time) => `desde ${time}`,
  table: (table) => `Mesa ${table}`,
  newLevel: (level) => `Nuevo ${level}`,
  mustHitBy: (amount) => `Sale antes de ${amount}`,
  notInPlay: "Fuera de juego",
  unknownLink: (link) => `No hay un bote llamado ${link}`,
  unknownLinkHint: "Revise el nombre al final de la dirección de esta página.",
  noLink: "¿Qué bote?",
  noLinkHint: "La dirección de un letrero termina con el nombre de su enlace, como /sign/main.",
  noConnection: "Sin conexión",
  noConnectionHint: "El letrero mostrará sus botes en cuanto el servidor responda.",
  demonstration: "Nombre del enlace",
  levels: {
    mega: "Mega",
    grand: "Grand",
    major: "Major",
    minor: "Minor",
    mini: "Mini",
    meter: "Bote",
    jackpot: "Bote",
  },
  hands: {
    "royal-flush": "Escalera real",
    "straight-flush": "Escalera de color",
    "four-of-a-kind": "Póquer",
    "full-house": "Full",
    flush: "Color",
    straight: "Escalera",
    "three-of-a-kind": "Trío",
    "two-pairs": "Doble pareja",
    "two-pair": "Doble pareja",
    "four-aces": "Póquer de ases",
    magic_card: "Carta mágica",
    lucky_bonus: "Bono de la suerte",
  },
};
