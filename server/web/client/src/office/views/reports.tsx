// STUB
export function ReportView() {
  return null;
}
export function Reports() {
  return null;
}
