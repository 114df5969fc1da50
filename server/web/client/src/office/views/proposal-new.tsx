// STUB
export function ProposalNew() {
  return null;
}
