// STUB
export function ReconciliationView() {
  return null;
}
