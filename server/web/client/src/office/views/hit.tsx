// STUB
export function HitView() {
  return null;
}
