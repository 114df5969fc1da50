// STUB
export function Audit() {
  return null;
}
