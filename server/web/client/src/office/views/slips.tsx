// STUB
export function SlipView() {
  return null;
}
export function Slips() {
  return null;
}
