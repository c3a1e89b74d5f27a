import { quoteName, type Token } from './tokens.js';
import type { Words } from './words.js';

export interface ColumnDef {
  readonly name: string;
  /** As the dialect stores it: 'int4', 'varchar(50)', 'int unsigned'. */
  readonly type: string;
  readonly notNull: boolean;
  /** In the dialect's words; absent: none. */
  readonly default?: string;
  /** In SQLite's. */
  readonly defaultSql?: string;
  /** The sequence it takes its values from (PostgreSQL), or itself (AUTO_INCREMENT). */
  readonly sequence?: string;
  readonly identity?: 'always' | 'by default';
  /** A column that is computed, in SQLite's words. */
  readonly generated?: string;
  /** ON UPDATE CURRENT_TIMESTAMP. */
  readonly touches?: boolean;
  readonly comment?: string;
}
export interface ConstraintDef {
  readonly name: string;
  readonly kind: 'primary' | 'unique' | 'foreign' | 'check';
  readonly columns: readonly string[];
  /** CHECK: in the dialect's and in SQLite's words. */
  readonly text?: string;
  readonly sql?: string;
  readonly table?: string;
  readonly references?: readonly string[];
  /** 'ON DELETE CASCADE'. */
  readonly actions?: string;
}
export interface IndexDef {
  readonly name: string;
  readonly columns: readonly string[];
  readonly isUnique: boolean;
  /** What stands in its parentheses, in SQLite's words. */
  readonly sql: string;
  readonly where?: string;
}
export interface TableDef {
  readonly name: string;
  readonly owner: string;
  readonly columns: readonly ColumnDef[];
  readonly constraints: readonly ConstraintDef[];
  readonly indexes: readonly IndexDef[];
  /** Options that show: ENGINE, charset. */
  readonly options?: string;
}

/** What dialects differ in. */
export interface Grammar {
  readonly dialect: 'postgres' | 'mysql';
  /** Throws for a type that it does not know. */
  readType(words: Words): { readonly type: string; readonly isSerial: boolean };
  /** An expression in SQLite's words. */
  rewrite(tokens: readonly Token[]): string;
  /** An expression in the dialect's own words, as it shows it. */
  show(tokens: readonly Token[]): string;
}

const STOPS = [
  ...[',', ')', 'not', 'null', 'default', 'primary', 'unique', 'references', 'check', 'constraint', 'key'],
  ...['auto_increment', 'comment', 'on', 'generated', 'collate', 'character', 'charset'],
];

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The elements of CREATE TABLE between the parentheses. */
export function readTable(words: Words, name: string, owner: string, grammar: Grammar): TableDef {
  const table = { columns: [] as ColumnDef[], constraints: [] as ConstraintDef[], indexes: [] as IndexDef[] };
  words.expect('(');
  do {
    if (!readConstraint(words, name, table, grammar)) readColumn(words, name, table, grammar);
  } while (words.take(','));
  words.expect(')');
  const keys = table.constraints.filter(({ kind }) => kind === 'primary').flatMap(({ columns }) => columns);
  const columns = table.columns.map((one) => (keys.includes(one.name) ? { ...one, notNull: true } : one));
  return { name, owner, ...table, columns };
}

type Parts = { columns: ColumnDef[]; constraints: ConstraintDef[]; indexes: IndexDef[] };

function constraintName(table: string, kind: ConstraintDef['kind'], columns: readonly string[], parts: Parts): string {
  const suffix = { primary: 'pkey', unique: 'key', foreign: 'fkey', check: 'check' }[kind];
  const base = [table, ...(kind === 'primary' ? [] : columns), suffix].join('_');
  const taken = (one: string): boolean => parts.constraints.some((constraint) => constraint.name === one);
  let name = base;
  for (let i = 1; taken(name) && i < 100; i++) name = `${base}${i}`;
  return name;
}

/** False: what comes is a column. */
export function readConstraint(words: Words, table: string, parts: Parts, grammar: Grammar): boolean {
  const given = words.take('constraint') ? words.takeAnyName(['primary', 'unique', 'foreign', 'check']) : undefined;
  const nameFor = (kind: ConstraintDef['kind'], columns: readonly string[]): string =>
    given ?? constraintName(table, kind, columns, parts);
  if (words.take('primary', 'key')) {
    const columns = words.names();
    parts.constraints.push({ name: nameFor('primary', columns), kind: 'primary', columns });
  } else if (words.take('unique')) {
    words.takeAny(['key', 'index']);
    const own = words.sees('(') ? undefined : words.name();
    const columns = words.names();
    parts.constraints.push({ name: own ?? nameFor('unique', columns), kind: 'unique', columns });
  } else if (words.take('foreign', 'key')) {
    if (!words.sees('(')) words.name();
    const columns = words.names();
    parts.constraints.push(readReference(words, nameFor('foreign', columns), columns));
  } else if (words.take('check')) {
    const tokens = words.group();
    const columns = parts.columns.map((one) => one.name).filter((one) => tokens.some((token) => token.key === one));
    const named = columns.length === 1 ? columns : [];
    parts.constraints.push({
      ...{ name: nameFor('check', named), kind: 'check', columns: named },
      ...{ text: grammar.show(tokens), sql: grammar.rewrite(tokens) },
    });
  } else if (grammar.dialect === 'mysql' && words.takeAny(['key', 'index']) !== undefined) {
    const own = words.sees('(') ? undefined : words.name();
    const columns = words.names();
    parts.indexes.push({ name: own ?? columns[0]!, columns, isUnique: false, sql: columns.map(quoteName).join(', ') });
  } else return given === undefined ? false : words.fail();
  return true;
}

function readReference(words: Words, name: string, columns: readonly string[]): ConstraintDef {
  words.expect('references');
  const table = words.path().at(-1)!;
  const references = words.sees('(') ? words.names() : [];
  return { name, kind: 'foreign', columns, table, references, actions: readActions(words) };
}

function readActions(words: Words): string {
  const actions: string[] = [];
  for (;;) {
    if (words.take('match')) words.name();
    else if (words.take('deferrable') || words.take('not', 'deferrable')) continue;
    else if (words.take('initially')) words.name();
    else if (words.sees('on', 'delete') || words.sees('on', 'update')) {
      words.expect('on');
      const event = words.takeAny(['delete', 'update'])!;
      const action = words.takeAny(['cascade', 'restrict', 'set', 'no']) ?? words.fail();
      const second =
        action === 'set' ? words.takeAny(['null', 'default']) : action === 'no' && words.takeAny(['action']);
      const whole = second ? `${action} ${second}` : action;
      if (whole !== 'no action') actions.push(`ON ${event} ${whole}`.toUpperCase());
    } else return actions.join(' ');
  }
}

export function readColumn(words: Words, table: string, parts: Parts, grammar: Grammar): void {
  const name = words.name();
  const { type, isSerial } = grammar.readType(words);
  const column: Mutable<ColumnDef> = { name, type, notNull: isSerial };
  if (isSerial) column.sequence = `${table}_${name}_seq`;
  let label: string | undefined;
  for (;;) {
    const nameFor = (kind: ConstraintDef['kind']): string => {
      const known = label ?? constraintName(table, kind, [name], parts);
      label = undefined;
      return known;
    };
    const columns = [name];
    if (words.take('constraint')) label = words.name();
    else if (words.take('not', 'null')) column.notNull = true;
    else if (words.take('null')) continue;
    else if (words.take('primary', 'key'))
      parts.constraints.push({ name: nameFor('primary'), kind: 'primary', columns });
    else if (words.take('unique')) {
      words.take('key');
      const own = grammar.dialect === 'mysql' ? name : nameFor('unique');
      parts.constraints.push({ name: own, kind: 'unique', columns });
    } else if (words.sees('references')) parts.constraints.push(readReference(words, nameFor('foreign'), columns));
    else if (words.take('check')) {
      const tokens = words.group();
      const sql = grammar.rewrite(tokens);
      parts.constraints.push({ name: nameFor('check'), kind: 'check', columns, text: grammar.show(tokens), sql });
    } else if (words.take('default')) {
      const tokens = words.until(STOPS);
      column.default = grammar.show(tokens);
      column.defaultSql = grammar.rewrite(tokens);
    } else if (words.take('auto_increment')) {
      column.sequence = name;
      column.notNull = true;
    } else if (words.take('comment')) column.comment = words.text();
    else if (words.take('collate') || words.take('charset') || words.take('character', 'set')) words.name();
    else if (words.take('on', 'update')) {
      column.touches = true;
      words.name();
      if (words.sees('(')) words.group();
    } else if (words.take('generated')) readGenerated(words, table, column, grammar);
    else if (words.take('key')) parts.constraints.push({ name: nameFor('primary'), kind: 'primary', columns });
    else break;
  }
  if (!words.isAtEnd && !words.sees(',') && !words.sees(')') && !words.sees('first') && !words.sees('after'))
    words.fail();
  parts.columns.push(column);
}

function readGenerated(words: Words, table: string, column: Mutable<ColumnDef>, grammar: Grammar): void {
  const when = words.take('always') ? 'always' : 'by default';
  if (when === 'by default') words.expect('by', 'default');
  words.expect('as');
  if (words.take('identity')) {
    if (words.sees('(')) words.group();
    column.identity = when;
    column.sequence = `${table}_${column.name}_seq`;
    column.notNull = true;
  } else {
    column.generated = grammar.rewrite(words.group());
    words.takeAny(['stored', 'virtual']);
  }
}

/** CREATE TABLE in SQLite's words. `typeOf`: what SQLite is told of a type. */
export function formatTable(
  { name, columns, constraints }: TableDef,
  typeOf: (column: ColumnDef) => string,
  as = name,
): string {
  const own = columns.map((column) => {
    if (column.sequence !== undefined && column.sequence === column.name)
      return `${quoteName(column.name)} INTEGER PRIMARY KEY AUTOINCREMENT`;
    const parts = [quoteName(column.name), typeOf(column)];
    if (column.notNull) parts.push('NOT NULL');
    if (column.generated !== undefined) parts.push(`GENERATED ALWAYS AS (${column.generated}) STORED`);
    else if (column.sequence !== undefined) parts.push(`DEFAULT (nextval('${column.sequence.replaceAll("'", "''")}'))`);
    else if (column.defaultSql !== undefined) parts.push(`DEFAULT (${column.defaultSql})`);
    return parts.join(' ');
  });
  const counted = columns.find(({ sequence, name: one }) => sequence === one)?.name;
  const held = constraints
    .filter(({ kind, columns: [first] }) => !(kind === 'primary' && counted !== undefined && first === counted))
    .map((constraint) => formatConstraint(constraint));
  return `CREATE TABLE ${quoteName(as)} (${[...own, ...held].join(', ')})`;
}

function formatConstraint({ name, kind, columns, sql, table, references = [], actions }: ConstraintDef): string {
  const list = (names: readonly string[]): string => `(${names.map(quoteName).join(', ')})`;
  const head = `CONSTRAINT ${quoteName(name)}`;
  if (kind === 'primary') return `${head} PRIMARY KEY ${list(columns)}`;
  if (kind === 'unique') return `${head} UNIQUE ${list(columns)}`;
  if (kind === 'check') return `${head} CHECK (${sql})`;
  const target = references.length > 0 ? ` ${list(references)}` : '';
  return `${head} FOREIGN KEY ${list(columns)} REFERENCES ${quoteName(table!)}${target} ${actions}`;
}

export const formatIndex = (table: string, { name, isUnique, sql, where }: IndexDef): string =>
  `CREATE ${isUnique ? 'UNIQUE ' : ''}INDEX ${quoteName(name)} ON ${quoteName(table)} (${sql})${where ? ` WHERE ${where}` : ''}`;
