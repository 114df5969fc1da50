// The texts of the front page, in Spanish.

import type { FrontTexts } from "./front.en.js";

export const es: FrontTexts = {
  brand: "Meterhouse",
  demoRuns: "La demostración está en marcha",
  demoSilent: "La demostración no responde",
  size: (links, tables) => `${links} enlaces, ${tables} mesas, dinero de juego`,
  title: ["Juegue una escalera real, vea su pago,", "encuéntrela en los libros."],
  lead: "Las mesas comparten un premio. Cada apuesta añade unos centavos, una escalera real se lo lleva todo. Abra los cuatro lugares en orden, cada uno en su pestaña.",
  keypad: {
    title: "El teclado del crupier",
    text: (badge) =>
      `Toque asientos, pulse COIN IN y marque una escalera real en el asiento 3. Su placa de crupier es ${badge}.`,
    open: "Abrir el teclado",
    coinIn: "COIN IN",
  },
  sign: {
    title: "El rótulo",
    text: "Vea subir los contadores con cada apuesta y aparecer el premio como Pendiente.",
    open: "Abrir el rótulo",
    wins: "La escalera real lo gana",
  },
  floor: {
    title: "La sala",
    text: "Vea el premio tal como está en la mesa, compare las cartas y apruébelo.",
    withPin: (pin) => `Vea el premio tal como está en la mesa. Apruébelo con el PIN ${pin}.`,
    pending: "Pendiente",
  },
  office: {
    title: "La oficina",
    text: "Encuentre el pago en los libros, al centavo, diferencia 0.00.",
  },
  openAs: (role, name) => `Abrir como ${role} ${name}`,
  orAs: "o como",
  pin: (pin) => `PIN ${pin}`,
  roles: {
    supervisor: "supervisor",
    manager: "gerente",
    auditor: "auditor",
    administrator: "administrador",
  },
  oneSession:
    "En este navegador solo hay una persona a la vez, y las pestañas abiertas pasan a ella. Para una segunda, como en un cambio de dos personas, use una ventana privada.",
  glossaryTitle: "Palabras del oficio",
  glossary: [
    ["Envidia", "Premio fijo a los demás jugadores con apuesta cuando alguien tiene una mano alta."],
    ["Bandeja", "La de las fichas del crupier: de ella se pagan los premios pequeños."],
    ["Comprobante", "El papel con el que la caja paga un premio grande."],
    ["GAME OVER", "La tecla del crupier que termina la ronda, con todo lo que se pagó en ella."],
  ],
  manual: "Manual de los juegos",
  allSigns: "Rótulos de todos los enlaces",
  rules: (title) => `Servidor real, reglas reales: ${title}`,
  plainTitle: "¿Adónde?",
  plainLead: "Cada lugar pide su propia entrada. Los rótulos y el manual no piden ninguna.",
  signs: "Rótulos",
  signsText: "Lo que ven los jugadores: los contadores de un enlace y sus premios.",
  noLinks: "Aún no hay enlaces. Un gerente abre el primero en la oficina.",
  floorText: "Para supervisores y caja: premios pendientes, cartas, aprobaciones, pagos y comprobantes.",
  officeText: "Para gerentes, auditores y administradores: enlaces, libros, propuestas, informes, personas.",
  openFloor: "Abrir la sala",
  openOffice: "Abrir la oficina",
  keypadText: "Para la tableta del crupier en una mesa. Pide una vez la credencial de la mesa.",
  table: "Nombre de la mesa",
  tableHint: "Como C4P-07",
  openTable: "Abrir el teclado",
  manualText: "Lo que paga cada mano y cómo se reparte cada juego. Abierto a todos.",
  openManual: "Abrir el manual",
  states: {
    open: "Abierto",
    suspended: "Suspendido",
    closed: "Cerrado",
    faulted: "Con fallo",
    unavailable: "Sin respuesta",
  },
  noAnswer: "El servidor no responde. Esta página vuelve a preguntar sola.",
};
