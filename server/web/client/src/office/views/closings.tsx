// STUB
export function Closing() {
  return null;
}
export function Closings() {
  return null;
}
