import { TYPES } from '../sql/types.js';

/** A type's name by its object identifier. */
export const typeByOid = (oid: number): string =>
  Object.entries(TYPES).find(([, [known]]) => known === oid)?.[0] ?? 'text';
