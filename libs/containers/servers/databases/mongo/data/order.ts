/** Texts by their code units, as BSON's bytes would for all but rare characters. */
export const compareStrings = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
