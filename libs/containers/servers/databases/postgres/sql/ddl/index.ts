import { alterTable } from './alter.js';
import type { Run } from './grammar.js';
import { createIndexOf, dropIndexes } from './indexes.js';
import { alterSequence, createSchema, createSequence, dropSchema, dropSequence } from './schemas.js';
import { createTableOf, dropTables, truncate } from './tables.js';
import { createView, dropViews } from './views.js';

/** Statements that define things, by their first words. */
export const CREATE: readonly (readonly [start: readonly string[], run: Run])[] = [
  [['create', 'table'], createTableOf],
  [['create', 'unlogged', 'table'], createTableOf],
  [['drop', 'table'], dropTables],
  [['drop', 'index'], dropIndexes],
  [['drop', 'view'], dropViews],
  [['drop', 'sequence'], dropSequence],
  [['drop', 'schema'], dropSchema],
  [['create', 'sequence'], createSequence],
  [['create', 'schema'], createSchema],
  [['alter', 'sequence'], alterSequence],
  [['truncate'], truncate],
  [['alter', 'table'], alterTable],
];
/** These read from behind CREATE. */
export const CREATE_MORE: readonly (readonly [seen: readonly string[], run: Run])[] = [
  [['index'], createIndexOf],
  [['unique', 'index'], createIndexOf],
  [['view'], createView],
  [['or', 'replace', 'view'], createView],
];
