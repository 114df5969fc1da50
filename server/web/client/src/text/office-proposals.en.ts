export const proposals = {};
