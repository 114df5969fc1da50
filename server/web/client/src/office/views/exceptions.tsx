// STUB
export function Exceptions() {
  return null;
}
