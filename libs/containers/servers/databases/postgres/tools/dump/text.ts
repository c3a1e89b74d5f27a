import { columnsOf, fullName, literal, quote, relationsOf, type Answers, type Relation, type Row } from './queries.js';

/** What a dump is made of. */
export interface Wish {
  readonly tables: readonly Relation[];
  readonly withOwner: boolean;
  readonly cleans: boolean;
  readonly ifExists: boolean;
  readonly version: string;
}

export const HEADER = (version: string): string =>
  `--
-- PostgreSQL database dump
--

-- Dumped from database version ${version}
-- Dumped by pg_dump version ${version}

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET transaction_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

`;
export const END = '--\n-- PostgreSQL database dump complete\n--\n\n';

const title = (name: string, type: string, schema: string, owner: string, what = 'Name'): string =>
  `--\n-- ${what}: ${name}; Type: ${type}; Schema: ${schema}; Owner: ${owner}\n--\n\n`;

const ownerOf = ({ owners }: Answers, schema: string, name: string): string =>
  owners.find(([own, relation]) => own === schema && relation === name)?.[2] ?? 'postgres';

const footersOf = ({ footers }: Answers, { schema, name }: Relation, part: string): string[] =>
  footers.flatMap(([own, table, kind, line]) => (own === schema && table === name && kind === part ? [line!] : []));

/** `"name" CHECK (…)` as a constraint. */
function constraintOf(line: string): { readonly name: string; readonly rule: string } {
  const end = line.indexOf('"', 1);
  return { name: line.slice(1, end), rule: line.slice(end + 2) };
}

/** Tables, their sequences and defaults: what stands before the data. */
export function textBefore(answers: Answers, wish: Wish): string {
  const drops = wish.cleans
    ? wish.tables
        .toReversed()
        .map((table) => drop(table, wish))
        .join('')
    : '';
  const schemas = new Set(wish.tables.map(({ schema }) => schema).filter((schema) => schema !== 'public'));
  const makes = [...schemas].map(
    (schema) => `${title(schema, 'SCHEMA', '-', 'postgres')}CREATE SCHEMA ${quote(schema)};\n\n\n`,
  );
  const head = "SET default_tablespace = '';\n\nSET default_table_access_method = heap;\n\n";
  const tables = wish.tables.map((table) => tableText(answers, wish, table) + sequencesText(answers, wish, table));
  const defaults = wish.tables.flatMap((table) =>
    columnsOf(answers, table).flatMap((column) => defaultText(answers, table, column)),
  );
  return drops + makes.join('') + head + tables.join('') + defaults.join('');
}

const drop = (table: Relation, { ifExists }: Wish): string =>
  `DROP TABLE ${ifExists ? 'IF EXISTS ' : ''}${fullName(table)};\n`;

function tableText(answers: Answers, { withOwner }: Wish, table: Relation): string {
  const owner = ownerOf(answers, table.schema, table.name);
  const columns = columnsOf(answers, table).map(([, , name, type, nullable, value]) => {
    const isIdentity = value?.startsWith('generated') === true;
    const given = value && !isIdentity && !value.startsWith('nextval(') ? ` DEFAULT ${value}` : '';
    const identity = isIdentity ? ` ${value.toUpperCase()}` : '';
    return `    ${quote(name!)} ${type}${given}${nullable === 'NO' ? ' NOT NULL' : ''}${identity}`;
  });
  const checks = footersOf(answers, table, 'check')
    .map(constraintOf)
    .map(({ name, rule }) => `    CONSTRAINT ${quote(name)} ${rule}`);
  const create = `CREATE TABLE ${fullName(table)} (\n${[...columns, ...checks].join(',\n')}\n);\n\n\n`;
  const owns = withOwner ? `ALTER TABLE ${fullName(table)} OWNER TO ${quote(owner)};\n\n` : '';
  return title(table.name, 'TABLE', table.schema, owner) + create + owns;
}

/** The sequence that a column's default takes its values from. */
function sequenceOf([schema, , , , , value]: Row): Pick<Relation, 'schema' | 'name'> | undefined {
  const path = value?.startsWith("nextval('") === true ? value.slice("nextval('".length).split("'", 1)[0]! : undefined;
  if (path === undefined) return undefined;
  const at = path.indexOf('.');
  return at < 0 ? { schema: schema!, name: path } : { schema: path.slice(0, at), name: path.slice(at + 1) };
}

function sequencesText(answers: Answers, { withOwner }: Wish, table: Relation): string {
  return columnsOf(answers, table)
    .map((column) => {
      const sequence = sequenceOf(column);
      if (sequence === undefined) return '';
      const [, , name, type] = column;
      const owner = ownerOf(answers, table.schema, table.name);
      const full = fullName(sequence);
      const as = type === 'bigint' ? '' : `    AS ${type}\n`;
      const own = (kind: string): string => title(sequence.name, kind, sequence.schema, owner);
      return (
        `${own('SEQUENCE')}CREATE SEQUENCE ${full}\n${as}    START WITH 1\n    INCREMENT BY 1\n    NO MINVALUE\n    NO MAXVALUE\n    CACHE 1;\n\n\n` +
        (withOwner ? `ALTER SEQUENCE ${full} OWNER TO ${quote(owner)};\n\n` : '') +
        `${own('SEQUENCE OWNED BY')}ALTER SEQUENCE ${full} OWNED BY ${fullName(table)}.${quote(name!)};\n\n\n`
      );
    })
    .join('');
}

function defaultText(answers: Answers, table: Relation, column: Row): string[] {
  const sequence = sequenceOf(column);
  if (sequence === undefined) return [];
  const name = column[2]!;
  const head = title(`${table.name} ${name}`, 'DEFAULT', table.schema, ownerOf(answers, table.schema, table.name));
  const value = `nextval(${literal(fullName(sequence))}::regclass)`;
  return [`${head}ALTER TABLE ONLY ${fullName(table)} ALTER COLUMN ${quote(name)} SET DEFAULT ${value};\n\n\n`];
}

/** The columns of a table, as COPY and INSERT name them. */
export const columnList = (answers: Answers, table: Relation): string =>
  columnsOf(answers, table)
    .map(([, , name]) => quote(name!))
    .join(', ');

export function dataText(answers: Answers, table: Relation, lines: string): string {
  const owner = ownerOf(answers, table.schema, table.name);
  const head = title(table.name, 'TABLE DATA', table.schema, owner, 'Data for Name');
  return `${head}COPY ${fullName(table)} (${columnList(answers, table)}) FROM stdin;\n${lines}\\.\n\n\n`;
}

/** The same as INSERT statements, of the lines that COPY has given. */
export function insertText(
  answers: Answers,
  table: Relation,
  rows: readonly (string | null)[][],
  names: boolean,
): string {
  const head = title(
    table.name,
    'TABLE DATA',
    table.schema,
    ownerOf(answers, table.schema, table.name),
    'Data for Name',
  );
  const types = columnsOf(answers, table).map(([, , , type]) => type!);
  const list = names ? ` (${columnList(answers, table)})` : '';
  const lines = rows.map((row) => {
    const values = row.map((value, i) => valueText(value, types[i] ?? 'text'));
    return `INSERT INTO ${fullName(table)}${list} VALUES (${values.join(', ')});\n`;
  });
  return `${head}${lines.join('')}\n\n`;
}

function valueText(value: string | null, type: string): string {
  if (value === null) return 'NULL';
  if (type === 'boolean') return value === 't' ? 'true' : 'false';
  return /^(?:smallint|integer|bigint|numeric|real|double)/.test(type) ? value : literal(value);
}

/** Where sequences stand, for the tables of the dump. */
export function sequenceValues(answers: Answers, { tables }: Wish): string {
  const own = tables.flatMap((table) => columnsOf(answers, table).flatMap((column) => sequenceOf(column) ?? []));
  return answers.sequences
    .filter(([schema, name]) => own.some((one) => one.schema === schema && one.name === name))
    .map(([schema, name, owner, last]) => {
      const full = fullName({ schema: schema!, name: name! });
      return `${title(name!, 'SEQUENCE SET', schema!, owner!)}SELECT pg_catalog.setval(${literal(full)}, ${last ?? 1}, ${last !== null});\n\n\n`;
    })
    .join('');
}

/** Keys, indexes and references: what stands behind the data. */
export function textBehind(answers: Answers, { tables }: Wish): string {
  const all = (
    part: string,
    type: string,
    make: (line: string) => { name: string; rule: string } | undefined,
  ): string =>
    tables
      .flatMap((table) =>
        footersOf(answers, table, part).flatMap((line) => {
          const made = make(line);
          if (made === undefined) return [];
          const head = title(
            `${table.name} ${made.name}`,
            type,
            table.schema,
            ownerOf(answers, table.schema, table.name),
          );
          return [
            `${head}ALTER TABLE ONLY ${fullName(table)}\n    ADD CONSTRAINT ${quote(made.name)} ${made.rule};\n\n\n`,
          ];
        }),
      )
      .join('');
  const keys = new Set<string>();
  const constraints = all('index', 'CONSTRAINT', (line) => {
    const { name, rule } = constraintOf(line);
    const kind = rule.startsWith('PRIMARY KEY')
      ? 'PRIMARY KEY'
      : rule.startsWith('UNIQUE CONSTRAINT')
        ? 'UNIQUE'
        : undefined;
    if (kind === undefined) return undefined;
    keys.add(name);
    return { name, rule: `${kind} ${rule.slice(rule.indexOf('('))}` };
  });
  const indexes = answers.indexes
    .filter(
      ([schema, table, name]) => !keys.has(name!) && tables.some((one) => one.schema === schema && one.name === table),
    )
    .map(([schema, table, name, definition]) => {
      const owner = ownerOf(answers, schema!, table!);
      return `${title(name!, 'INDEX', schema!, owner)}${definition};\n\n\n`;
    });
  const references = all('foreign', 'FK CONSTRAINT', (line) => {
    const { name, rule } = constraintOf(line);
    const at = rule.indexOf(' REFERENCES ') + ' REFERENCES '.length;
    const path = rule.slice(at).split('(', 1)[0]!;
    return { name, rule: path.includes('.') ? rule : `${rule.slice(0, at)}public.${rule.slice(at)}` };
  });
  return constraints + indexes.join('') + references;
}

export const viewsOf = (answers: Answers): Relation[] => relationsOf(answers).filter(({ isView }) => isView);
