// STUB
export function Person() {
  return null;
}
