// STUB
export function Verification() {
  return null;
}
