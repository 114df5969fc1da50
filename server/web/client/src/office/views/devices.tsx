// STUB
export function Devices() {
  return null;
}
