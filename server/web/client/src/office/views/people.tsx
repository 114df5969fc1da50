// STUB
export function People() {
  return null;
}
