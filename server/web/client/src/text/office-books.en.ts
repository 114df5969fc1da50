export const books = {};
