import type { TableDef } from '../../sql/table.js';
import { SqlSyntaxFailure, type Token } from '../../sql/tokens.js';
import { Words } from '../../sql/words.js';
import { SqliteError, type SqlValue } from '../../sqlite/sqlite.js';
import { MyFailure, syntaxFailure, unknownTable, unsupported } from '../failure.js';

/** What a statement was when SQLite refused it. */
export interface Refused {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly tables: ReadonlyMap<string, TableDef>;
  readonly database: string;
  /** The row that was about to be written: its table, then its values. */
  readonly noted: readonly SqlValue[];
}

/** SQLite's refusal in MySQL's words. */
export function explainError(error: unknown, refused: Refused): unknown {
  if (error instanceof SqlSyntaxFailure)
    return syntaxFailure(error.from < 0 ? '' : refused.text.slice(error.from), lineOf(refused, error.from));
  if (!(error instanceof SqliteError)) return error;
  const { message } = error;
  const database = refused.database;
  const rest = (start: string): string | undefined =>
    message.includes(start) ? message.slice(message.indexOf(start) + start.length) : undefined;
  const table = rest('no such table: ');
  if (table !== undefined) return unknownTable(database, table.replace('main.', ''));
  const column = rest('no such column: ') ?? rest('has no column named ');
  if (column !== undefined) return new MyFailure(1054, '42S22', `Unknown column '${column}' in 'field list'`);
  const call = rest('no such function: ');
  if (call !== undefined) return new MyFailure(1305, '42000', `FUNCTION ${database}.${call} does not exist`);
  const unique = rest('UNIQUE constraint failed: ');
  if (unique !== undefined) return duplicate(refused, unique);
  const nulled = rest('NOT NULL constraint failed: ');
  if (nulled !== undefined) return missing(refused, nulled.slice(nulled.indexOf('.') + 1));
  if (message.includes('FOREIGN KEY constraint failed')) return broken(refused);
  const check = rest('CHECK constraint failed: ');
  if (check !== undefined) return new MyFailure(3819, 'HY000', `Check constraint '${check}' is violated.`);
  const near = rest('near "');
  if (near !== undefined) {
    const text = near.slice(0, near.lastIndexOf('"'));
    const found = refused.tokens.find((token) => token.text.toLowerCase() === text.toLowerCase());
    return syntaxFailure(found ? refused.text.slice(found.from) : text, found && lineOf(refused, found.from));
  }
  if (message.includes('incomplete input')) return syntaxFailure('');
  if (message.includes('interrupted'))
    return new MyFailure(3024, 'HY000', 'Query execution was interrupted, maximum statement execution time exceeded');
  if (message.includes('is full'))
    return new MyFailure(1114, 'HY000', `The table '${refused.tokens[2]?.text ?? ''}' is full`);
  if (message.includes('too big'))
    return new MyFailure(1301, 'HY000', 'Result was larger than max_allowed_packet (1048576) - truncated');
  if (/columns but|values for/.test(message))
    return new MyFailure(1136, '21S01', "Column count doesn't match value count at row 1");
  if (message.includes('misuse of aggregate')) return new MyFailure(1111, 'HY000', 'Invalid use of group function');
  return unsupported(message);
}

function lineOf({ text }: Refused, from: number): number {
  return text.slice(0, Math.max(0, from)).split('\n').length;
}

function notedValue({ noted, tables }: Refused, column: string): string {
  const table = tables.get(String(noted[0] ?? ''));
  const at = table?.columns.findIndex(({ name }) => name === column) ?? -1;
  return at < 0 ? '' : String(noted[at + 1] ?? 'NULL');
}

function duplicate(refused: Refused, list: string): MyFailure {
  const columns = list.split(', ').map((one) => one.slice(one.indexOf('.') + 1));
  const name = list.slice(0, list.indexOf('.'));
  const table = refused.tables.get(name);
  const key = table?.constraints.find((one) => one.columns.join() === columns.join());
  const label = key?.kind === 'primary' || !key ? 'PRIMARY' : key.name;
  const own = key || table?.columns.some((one) => one.name === columns[0] && one.sequence) ? label : columns[0];
  let value = columns.map((column) => notedValue(refused, column)).join('-');
  // A counted key is noted before it has its value.
  if (value === '-1' || value === 'NULL') value = refused.tokens.find(({ type }) => type === 'number')?.text ?? value;
  return new MyFailure(1062, '23000', `Duplicate entry '${value}' for key '${name}.${own}'`);
}

function missing({ tokens }: Refused, column: string): MyFailure {
  const isNamed =
    tokens.some(({ text }) => text === column) ||
    !tokens.some(({ key }, i) => key === '(' && tokens[i - 2]?.key === 'into');
  return isNamed
    ? new MyFailure(1048, '23000', `Column '${column}' cannot be null`)
    : new MyFailure(1364, 'HY000', `Field '${column}' doesn't have a default value`);
}

function broken({ tokens, tables, database }: Refused): MyFailure {
  const words = new Words(tokens, (word) => word);
  words.at = 1;
  if (words.sees('into') || words.sees('from')) words.at++;
  const target = words.path().at(-1)!;
  const isChild =
    tokens[0]!.key === 'insert' ||
    (tokens[0]!.key === 'update' && tables.get(target)?.constraints.some(({ kind }) => kind === 'foreign'));
  const pairs = [...tables.values()].flatMap((table) =>
    table.constraints.filter(({ kind }) => kind === 'foreign').map((key) => ({ table, key })),
  );
  const found = pairs.find(({ table, key }) => (isChild ? table.name === target : key.table === target)) ?? pairs[0];
  if (!found) return new MyFailure(1452, '23000', 'Cannot add or update a child row: a foreign key constraint fails');
  const { table, key } = found;
  const list = (names: readonly string[] = []): string => names.map((one) => `\`${one}\``).join(', ');
  const where = `(\`${database}\`.\`${table.name}\`, CONSTRAINT \`${key.name}\` FOREIGN KEY (${list(key.columns)}) REFERENCES \`${key.table}\` (${list(key.references)})${key.actions ? ` ${key.actions}` : ''})`;
  return isChild
    ? new MyFailure(1452, '23000', `Cannot add or update a child row: a foreign key constraint fails ${where}`)
    : new MyFailure(1451, '23000', `Cannot delete or update a parent row: a foreign key constraint fails ${where}`);
}
