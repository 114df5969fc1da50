// STUB
export function Proposals() {
  return null;
}
