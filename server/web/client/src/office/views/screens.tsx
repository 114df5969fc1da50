// STUB
export function Screens() {
  return null;
}
