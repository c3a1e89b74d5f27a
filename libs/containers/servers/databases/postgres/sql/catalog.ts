import type { TableDef } from '../../sql/table.js';
import { quoteName, quoteText } from '../../sql/tokens.js';
import { showDefault } from './ddl/grammar.js';
import { oidOf, showType, splitType } from './types.js';
import type { Work } from './work.js';

export interface Role {
  readonly name: string;
  readonly canLogin: boolean;
  readonly isSuperuser: boolean;
  readonly createsDatabases: boolean;
  readonly createsRoles: boolean;
  /** SCRAM-SHA-256$…; absent: none. */
  readonly password?: string;
}
export interface DatabaseEntry {
  readonly name: string;
  readonly oid: number;
  readonly owner: string;
}
export interface Backend {
  readonly pid: number;
  readonly database: string;
  readonly user: string;
  readonly application: string;
  readonly address: string;
  readonly state: string;
  readonly query: string;
}
/** What all databases of a server share. */
export interface Cluster {
  readonly roles: readonly Role[];
  readonly databases: readonly DatabaseEntry[];
  readonly backends: readonly Backend[];
  readonly settings: Readonly<Record<string, string>>;
}

type Row = readonly (string | number | null)[];
const USER_OID = 16_384;

/** Where a table's name begins with its schema. */
export function splitName(name: string): readonly [schema: string, name: string] {
  const at = name.indexOf('.');
  return at < 0 ? ['public', name] : [name.slice(0, at), name.slice(at + 1)];
}

interface View {
  readonly columns: string;
  rows(work: Work, cluster: Cluster): Row[];
}

const tablesOf = (work: Work): TableDef[] => [...work.tables.values()];
const viewsOf = (work: Work): string[] =>
  work.sqlite
    .run("SELECT name FROM sqlite_master WHERE type = 'view' ORDER BY name")
    .rows.map(([name]) => String(name));
const sequencesOf = (work: Work): Row[] =>
  work.sqlite
    .run('SELECT name, owner, value, called FROM tt_sequence ORDER BY name')
    .rows.map(([name, owner, value, called]) => [String(name), String(owner), Number(value), Number(called)]);

interface Relation {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  readonly kind: 'r' | 'v' | 'S' | 'i';
  readonly owner: string;
  readonly table?: TableDef;
}

/** All relations with plain numbers: they hold for one statement. */
function relationsOf(work: Work): Relation[] {
  const found: Omit<Relation, 'oid'>[] = [];
  const add = (full: string, kind: Relation['kind'], owner: string, table?: TableDef): void => {
    const [schema, name] = splitName(full);
    found.push({ schema, name, kind, owner, ...(table && { table }) });
  };
  for (const table of tablesOf(work)) {
    add(table.name, 'r', table.owner, table);
    for (const { name, kind } of table.constraints)
      if (kind === 'primary' || kind === 'unique') add(name, 'i', table.owner);
    for (const { name } of table.indexes) add(name, 'i', table.owner);
  }
  for (const name of viewsOf(work)) add(name, 'v', work.user);
  for (const [name, owner] of sequencesOf(work)) add(String(name), 'S', String(owner));
  return found.map((relation, i) => ({ ...relation, oid: USER_OID + 1 + i }));
}

const namespaceOf = (work: Work, schema: string): number =>
  schema === 'public' ? 2_200 : USER_OID + 5_000 + work.schemas.indexOf(schema);
const roleOid = (cluster: Cluster, name: string): number => {
  const at = cluster.roles.findIndex((role) => role.name === name);
  return at <= 0 ? 10 : USER_OID + 9_000 + at;
};
const yes = (value: boolean): number => (value ? 1 : 0);

function columnRows(work: Work, cluster: Cluster): Row[] {
  const catalog = cluster.settings['database'] ?? '';
  return tablesOf(work).flatMap((table) => {
    const [schema, own] = splitName(table.name);
    return table.columns.map((column, i): Row => {
      const { base, numbers } = splitType(column.type);
      const length = base === 'varchar' || base === 'bpchar' ? (numbers[0] ?? null) : null;
      return [
        ...[catalog, schema, own, column.name, i + 1, showDefault(column) || null, column.notNull ? 'NO' : 'YES'],
        ...[showType(base), length, base === 'numeric' ? (numbers[0] ?? null) : null, base, showType(column.type)],
      ];
    });
  });
}

function footersOf(table: TableDef, all: readonly TableDef[]): Row[] {
  const [schema, name] = splitName(table.name);
  const line = (part: string, text: string): Row => [schema, name, part, text];
  const list = (columns: readonly string[]): string => `(${columns.join(', ')})`;
  const keys = table.constraints.flatMap((one) => {
    if (one.kind === 'primary') return [`"${one.name}" PRIMARY KEY, btree ${list(one.columns)}`];
    return one.kind === 'unique' ? [`"${one.name}" UNIQUE CONSTRAINT, btree ${list(one.columns)}`] : [];
  });
  const indexes = table.indexes.map(
    (one) => `"${one.name}" ${one.isUnique ? 'UNIQUE, ' : ''}btree ${list(one.columns)}`,
  );
  const refers = (one: TableDef['constraints'][number]): string => {
    const actions = one.actions ? ` ${one.actions}` : '';
    const target = one.references?.length
      ? one.references
      : primaryOf(one.table === table.name ? table : all.find((other) => other.name === one.table));
    return `CONSTRAINT "${one.name}" FOREIGN KEY ${list(one.columns)} REFERENCES ${one.table}${list(target)}${actions}`;
  };
  const foreign = table.constraints.filter(({ kind }) => kind === 'foreign');
  const from = all.flatMap((other) =>
    other.constraints
      .filter((one) => one.kind === 'foreign' && one.table === table.name)
      .map((one) => `TABLE "${other.name}" ${refers(one)}`),
  );
  const checks = table.constraints.filter(({ kind }) => kind === 'check');
  return [
    ...[...keys.sort(), ...indexes.sort()].map((text) => line('index', text)),
    ...checks.map((one) => line('check', `"${one.name}" CHECK (${one.text})`)),
    ...foreign.map((one) => line('foreign', refers(one).replace(/^CONSTRAINT /, ''))),
    ...from.map((text) => line('referenced', text)),
  ];
}

const primaryOf = (table: TableDef | undefined): readonly string[] =>
  table?.constraints.find(({ kind }) => kind === 'primary')?.columns ?? [];

const VIEWS: Readonly<Record<string, View>> = {
  pg_namespace: {
    columns: 'oid oid, nspname name, nspowner oid',
    rows: (work) => [
      ...[
        [11, 'pg_catalog', 10],
        [2_200, 'public', 10],
      ],
      ...work.schemas.map((name): Row => [namespaceOf(work, name), name, 10]),
    ],
  },
  pg_class: {
    columns:
      'oid oid, relname name, relnamespace oid, relowner oid, relkind text, relam oid, reltuples float4, relpages int4, relhasindex bool, relispartition bool, relpersistence text',
    rows: (work, cluster) =>
      relationsOf(work).map(({ oid, schema, name, kind, owner }) => [
        ...[
          oid,
          name,
          namespaceOf(work, schema),
          roleOid(cluster, owner),
          kind,
          kind === 'r' ? 2 : 0,
          -1,
          0,
          0,
          0,
          'p',
        ],
      ]),
  },
  pg_am: {
    columns: 'oid oid, amname name',
    rows: () => [
      [2, 'heap'],
      [403, 'btree'],
    ],
  },
  pg_attribute: {
    columns:
      'attrelid oid, attname name, atttypid oid, attnum int2, attnotnull bool, atthasdef bool, attisdropped bool',
    rows: (work) =>
      relationsOf(work).flatMap(({ oid, table }) =>
        (table?.columns ?? []).map((column, i): Row => [
          ...[oid, column.name, oidOf(column.type), i + 1, yes(column.notNull), yes(showDefault(column) !== ''), 0],
        ]),
      ),
  },
  pg_tables: {
    columns: 'schemaname name, tablename name, tableowner name, tablespace name, hasindexes bool',
    rows: (work) =>
      tablesOf(work).map((table) => [...splitName(table.name), table.owner, null, yes(table.constraints.length > 0)]),
  },
  pg_indexes: {
    columns: 'schemaname name, tablename name, indexname name, tablespace name, indexdef text',
    rows: (work) =>
      tablesOf(work).flatMap((table) => {
        const [schema, own] = splitName(table.name);
        const define = (name: string, columns: readonly string[], isUnique: boolean): Row => [
          ...[schema, own, name, null],
          `CREATE ${isUnique ? 'UNIQUE ' : ''}INDEX ${name} ON ${schema}.${own} USING btree (${columns.join(', ')})`,
        ];
        const keys = table.constraints.filter(({ kind }) => kind === 'primary' || kind === 'unique');
        return [
          ...keys.map(({ name, columns }) => define(name, columns, true)),
          ...table.indexes.map(({ name, columns, isUnique }) => define(name, columns, isUnique)),
        ];
      }),
  },
  pg_views: {
    columns: 'schemaname name, viewname name, viewowner name',
    rows: (work) => viewsOf(work).map((name) => [...splitName(name), work.user]),
  },
  pg_sequences: {
    columns: 'schemaname name, sequencename name, sequenceowner name, last_value int8',
    rows: (work) =>
      sequencesOf(work).map(([name, owner, value, called]) => [
        ...splitName(String(name)),
        owner!,
        called === 1 ? value! : null,
      ]),
  },
  pg_roles: {
    columns:
      'oid oid, rolname name, rolsuper bool, rolinherit bool, rolcreaterole bool, rolcreatedb bool, rolcanlogin bool, rolreplication bool, rolbypassrls bool, rolconnlimit int4, rolvaliduntil timestamptz',
    rows: (_work, cluster) =>
      cluster.roles.map((role, i) => [
        ...[roleOid(cluster, role.name), role.name, yes(role.isSuperuser), 1, yes(role.createsRoles)],
        ...[yes(role.createsDatabases), yes(role.canLogin), yes(i === 0), yes(i === 0), -1, null],
      ]),
  },
  pg_user: {
    columns: 'usename name, usesysid oid, usecreatedb bool, usesuper bool, passwd text',
    rows: (_work, cluster) =>
      cluster.roles
        .filter(({ canLogin }) => canLogin)
        .map((role) => [
          role.name,
          roleOid(cluster, role.name),
          yes(role.createsDatabases),
          yes(role.isSuperuser),
          '********',
        ]),
  },
  pg_database: {
    columns:
      'oid oid, datname name, datdba oid, encoding int4, datcollate text, datctype text, datistemplate bool, datallowconn bool, datconnlimit int4, datlocprovider text, datacl text',
    rows: (_work, cluster) =>
      cluster.databases.map(({ oid, name, owner }) => {
        const isTemplate = name.startsWith('template');
        const rights = isTemplate ? `=c/${owner},${owner}=CTc/${owner}` : null;
        return [
          oid,
          name,
          roleOid(cluster, owner),
          6,
          'en_US.utf8',
          'en_US.utf8',
          yes(isTemplate),
          yes(name !== 'template0'),
          -1,
          'c',
          rights,
        ];
      }),
  },
  pg_stat_activity: {
    columns:
      'datid oid, datname name, pid int4, usesysid oid, usename name, application_name text, client_addr inet, client_port int4, backend_start timestamptz, state text, query text, backend_type text, wait_event text, wait_event_type text',
    rows: (_work, cluster) =>
      cluster.backends.map(({ pid, database, user, application, address, state, query }) => [
        ...[0, database, pid, roleOid(cluster, user), user, application, address || null, -1, null, state, query],
        ...['client backend', null, null],
      ]),
  },
  pg_settings: {
    columns: 'name text, setting text',
    rows: (_work, cluster) => Object.entries(cluster.settings).filter(([name]) => /^[a-z_]+$/.test(name)),
  },
  pg_stat_replication: { columns: 'pid int4, usename name, application_name text, state text', rows: () => [] },
  pg_extension: { columns: 'extname name, extversion text', rows: () => [['plpgsql', '1.0']] },
  'information_schema.tables': {
    columns: 'table_catalog name, table_schema name, table_name name, table_type text',
    rows: (work, cluster) => [
      ...tablesOf(work).map(({ name }): Row => [cluster.settings['database'] ?? '', ...splitName(name), 'BASE TABLE']),
      ...viewsOf(work).map((name): Row => [cluster.settings['database'] ?? '', ...splitName(name), 'VIEW']),
    ],
  },
  'information_schema.columns': {
    columns:
      'table_catalog name, table_schema name, table_name name, column_name name, ordinal_position int4, column_default text, is_nullable text, data_type text, character_maximum_length int4, numeric_precision int4, udt_name name, tt_type text',
    rows: columnRows,
  },
  // What \d says below a table.
  tt_footers: {
    columns: 'schema name, name name, part text, line text',
    rows: (work) => tablesOf(work).flatMap((table) => footersOf(table, tablesOf(work))),
  },
  'information_schema.schemata': {
    columns: 'catalog_name name, schema_name name, schema_owner name',
    rows: (work, cluster) =>
      ['public', ...work.schemas].map((name) => [cluster.settings['database'] ?? '', name, work.user]),
  },
};

const literal = (value: string | number | null): string =>
  value === null ? 'NULL' : typeof value === 'number' ? String(value) : quoteText(value);

/** The system's tables, for one statement. */
export function createCatalog(work: Work, cluster: Cluster): void {
  const { sqlite } = work;
  const made = Object.entries(VIEWS).map(([name, { columns, rows }]) => ({ name, columns, rows: rows(work, cluster) }));
  for (const { name, columns, rows } of made) {
    sqlite.run(`CREATE TEMP TABLE ${quoteName(name)} (${columns})`);
    if (rows.length === 0) continue;
    const values = rows.map((row) => `(${row.map(literal).join(', ')})`).join(', ');
    sqlite.run(`INSERT INTO temp.${quoteName(name)} VALUES ${values}`);
  }
}

export function dropCatalog({ sqlite }: Work): void {
  for (const name of Object.keys(VIEWS)) sqlite.run(`DROP TABLE IF EXISTS temp.${quoteName(name)}`);
}
