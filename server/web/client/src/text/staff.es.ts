// The texts that the pages for staff share, in Spanish.

import type { StaffTexts } from "./staff.en.js";

const RANKS: Readonly<Record<string, string>> = { A: "as", K: "rey", Q: "reina", J: "jota" };
const SUITS: Readonly<Record<string, string>> = { s: "picas", h: "corazones", d: "diamantes", c: "tréboles" };

export const es: StaffTexts = {
  logIn: "Entrar",
  logInAgain: "Entre de nuevo",
  logInAgainHint: "Su sesión ha terminado. Lo que escribió sigue ahí.",
  logOut: "Salir",
  name: "Nombre",
  password: "Contraseña",
  code: "Código de la aplicación de autenticación",
  setPassword: "Poner la contraseña",
  firstCode: "Código del administrador",
  newPassword: "Contraseña nueva",
  newPasswordHint: "De 12 a 128 caracteres, al menos cinco distintos, sin su nombre",
  haveCode: "Primera entrada o contraseña olvidada: tengo un código",
  havePassword: "Tengo una contraseña",
  noAnswer: "El servidor no responde. Esta página vuelve a preguntar sola.",
  refused: "El servidor lo rechazó.",
  unexpected: "Esta página cometió un error. Vuelva a cargarla.",
  details: "Detalles",
  toDemo: "A la portada de la demostración",
  demoLogsIn: "¿Sin contraseña? La portada de la demostración le da entrada.",
  closedCard: "carta cerrada",
  card: (rank, suit) => `${RANKS[rank] ?? rank} de ${SUITS[suit] ?? suit}`,
};
