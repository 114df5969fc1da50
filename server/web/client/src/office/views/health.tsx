// STUB
export function Health() {
  return null;
}
