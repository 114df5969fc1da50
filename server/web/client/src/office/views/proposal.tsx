// STUB
export function ProposalView() {
  return null;
}
