// STUB
export function Me() {
  return null;
}
