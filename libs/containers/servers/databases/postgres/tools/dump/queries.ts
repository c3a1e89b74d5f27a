import { quoteText } from '../../../sql/tokens.js';

/** What a dump asks of the catalogue, by the part of the dump that needs it. */
const OWN = "NOT IN ('pg_catalog', 'information_schema')";

export const QUERIES = {
  relations: `SELECT table_schema, table_name, table_type FROM information_schema.tables WHERE table_schema ${OWN} ORDER BY 1, 2`,
  columns: `SELECT table_schema, table_name, column_name, tt_type, is_nullable, column_default FROM information_schema.columns WHERE table_schema ${OWN} ORDER BY table_schema, table_name, ordinal_position`,
  footers: 'SELECT schema, name, part, line FROM tt_footers',
  indexes: `SELECT schemaname, tablename, indexname, indexdef FROM pg_indexes WHERE schemaname ${OWN} ORDER BY 1, 3`,
  sequences: 'SELECT schemaname, sequencename, sequenceowner, last_value FROM pg_sequences ORDER BY 1, 2',
  owners:
    'SELECT n.nspname, c.relname, r.rolname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_roles r ON r.oid = c.relowner',
} as const;

export type QueryName = keyof typeof QUERIES;
export type Row = (string | null)[];
/** The answers. */
export type Answers = Record<QueryName, Row[]>;

/** A table or view of the dump. */
export interface Relation {
  readonly schema: string;
  readonly name: string;
  readonly isView: boolean;
}

const NAME = /^[a-z_][a-z0-9_$]*$/;
/** A name as it has to be written. */
export const quote = (name: string): string => (NAME.test(name) ? name : `"${name.replaceAll('"', '""')}"`);
export const fullName = ({ schema, name }: Pick<Relation, 'schema' | 'name'>): string =>
  `${quote(schema)}.${quote(name)}`;
export const literal = quoteText;

export const relationsOf = ({ relations }: Answers): Relation[] =>
  relations.map(([schema, name, type]) => ({ schema: schema!, name: name!, isView: type === 'VIEW' }));

export const columnsOf = ({ columns }: Answers, { schema, name }: Relation): Row[] =>
  columns.filter(([own, table]) => own === schema && table === name);

/** Where a pattern of -t means a relation: `users`, `public.users`, `u*`. */
export function isWanted({ schema, name }: Relation, patterns: readonly string[]): boolean {
  return (
    patterns.length === 0 ||
    patterns.some((pattern) => matches(pattern, pattern.includes('.') ? `${schema}.${name}` : name))
  );
}

function matches(pattern: string, name: string): boolean {
  const parts = pattern.split('*');
  let at = 0;
  for (const [i, part] of parts.entries()) {
    const found = i === 0 ? (name.startsWith(part) ? 0 : -1) : name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return parts.length > 1 ? parts.at(-1) === '' || name.endsWith(parts.at(-1)!) : at === name.length;
}
