// Words, times and elements.

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** An element with a class, a text and children. */
export function element(name, className = "", content = "", ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (content) made.textContent = content;
  made.append(...children);
  return made;
}

/** Sets a text only where it differs: no layout for nothing. */
export function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** hh:mm:ss in the sign's own time zone. */
export function clock(date) {
  const two = (number) => String(number).padStart(2, "0");
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** hh:mm:ss today, the day on any other. */
export function moment(iso) {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return "";
  if (date.toDateString() === new Date().toDateString()) return clock(date);
  return `${date.getDate()} ${MONTHS[date.getMonth()]}`;
}

/** "royal-flush" as "Royal flush". */
export function words(name) {
  const text = String(name).replaceAll("-", " ").replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** "1 table", "8 tables". */
export function counted(number, noun) {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** Whether the people who look at this asked for stillness. */
const stillness = matchMedia("(prefers-reduced-motion: reduce)");
export const still = () => stillness.matches;
