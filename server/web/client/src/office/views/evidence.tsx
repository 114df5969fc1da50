// STUB
export function Evidence() {
  return null;
}
