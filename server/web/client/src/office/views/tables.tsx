// STUB
export function TableView() {
  return null;
}
export function Tables() {
  return null;
}
