import { quoteText } from '../../sql/tokens.js';

/** A command with a backslash as the queries that it asks. `show`: of \d, what the answers are. */
export type Asked = {
  title: string;
  sql: string;
  show: 'list' | 'columns' | 'footer' | 'check';
  /** Before the lines of a footer. */
  label: string;
  /** What is said when there is nothing; '': a table without rows is printed. */
  empty: string;
};

const ask = (show: Asked['show'], sql: string, more: Partial<Asked> = {}): Asked => ({
  ...{ title: '', label: '', empty: '', sql, show },
  ...more,
});

const NOT_SYSTEM = "n.nspname NOT IN ('pg_catalog', 'information_schema')";

/** \dt and its like: kinds of relations. */
function relations(kinds: readonly string[], pattern: string, more: readonly string[] = []): Asked {
  const types = `CASE c.relkind WHEN 'r' THEN 'table' WHEN 'v' THEN 'view' WHEN 'S' THEN 'sequence' WHEN 'i' THEN 'index' END`;
  const list = kinds.map(quoteText).join(', ');
  const like = pattern === '' ? '' : ` AND c.relname ~ ${quoteText(toRegex(pattern))}`;
  const columns = [
    'n.nspname AS "Schema"',
    'c.relname AS "Name"',
    `${types} AS "Type"`,
    'r.rolname AS "Owner"',
    ...more,
  ];
  const joins = 'JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_roles r ON r.oid = c.relowner';
  const where = `c.relkind IN (${list}) AND ${NOT_SYSTEM}${like}`;
  return ask('list', `SELECT ${columns.join(', ')} FROM pg_class c ${joins} WHERE ${where} ORDER BY 1, 2`, {
    title: 'List of relations',
    empty: pattern === '' ? 'Did not find any relations.' : `Did not find any relation named "${pattern}".`,
  });
}

const toRegex = (pattern: string): string =>
  `^(${pattern
    .toLowerCase()
    .replace(/[.+^$()|[\]\\{}]/g, (sign) => `\\${sign}`)
    .replaceAll('*', '.*')
    .replaceAll('?', '.')})$`;

const DATABASES = `SELECT d.datname AS "Name", r.rolname AS "Owner", 'UTF8' AS "Encoding", 'libc' AS "Locale Provider", d.datcollate AS "Collate", d.datctype AS "Ctype", NULL AS "Locale", NULL AS "ICU Rules", replace(d.datacl, ',', E'\n') AS "Access privileges" FROM pg_database d JOIN pg_roles r ON r.oid = d.datdba ORDER BY 1`;

const ROLES = `SELECT r.rolname AS "Role name", CASE WHEN r.rolsuper THEN 'Superuser' || CASE WHEN r.rolcreaterole THEN ', Create role' ELSE '' END || CASE WHEN r.rolcreatedb THEN ', Create DB' ELSE '' END || CASE WHEN r.rolreplication THEN ', Replication' ELSE '' END || CASE WHEN r.rolbypassrls THEN ', Bypass RLS' ELSE '' END WHEN r.rolcreaterole AND r.rolcreatedb THEN 'Create role, Create DB' WHEN r.rolcreaterole THEN 'Create role' WHEN r.rolcreatedb THEN 'Create DB' WHEN NOT r.rolcanlogin THEN 'Cannot login' ELSE '' END AS "Attributes" FROM pg_roles r ORDER BY 1`;

const SCHEMAS = `SELECT n.nspname AS "Name", 'pg_database_owner' AS "Owner" FROM pg_namespace n WHERE n.nspname NOT LIKE 'pg\\_%' ESCAPE '\\' ORDER BY 1`;

const EXTENSIONS = `SELECT extname AS "Name", extversion AS "Version", 'pg_catalog' AS "Schema", 'PL/pgSQL procedural language' AS "Description" FROM pg_extension`;

/** Undefined: there is no such command. */
export function askMeta(command: string, argument: string, server: string): readonly Asked[] | undefined {
  const plain = command.split(/[+S]/, 1)[0]!;
  switch (plain) {
    case 'l':
    case 'list':
      return [ask('list', DATABASES, { title: 'List of databases' })];
    case 'du':
    case 'dg':
      return [ask('list', ROLES, { title: 'List of roles' })];
    case 'dn':
      return [ask('list', SCHEMAS, { title: 'List of schemas' })];
    case 'dt':
      return [relations(['r'], argument)];
    case 'dv':
      return [relations(['v'], argument)];
    case 'ds':
      return [relations(['S'], argument)];
    case 'di':
      return [relations(['i'], argument)];
    case 'dx':
      return [ask('list', EXTENSIONS, { title: 'List of installed extensions' })];
    case 'd':
      return argument === '' ? [relations(['r', 'v', 'S'], '')] : describe(argument);
    case 'conninfo':
      return [ask('check', `SELECT ${quoteText(server)}`)];
    default:
      return undefined;
  }
}

function describe(argument: string): readonly Asked[] {
  const path = argument.replaceAll('"', '');
  const at = path.indexOf('.');
  const [schema, name] = at < 0 ? ['public', path] : [path.slice(0, at), path.slice(at + 1)];
  const own = `table_schema = ${quoteText(schema)} AND table_name = ${quoteText(name)}`;
  const missing = `Did not find any relation named "${argument}".`;
  const columns = `SELECT column_name AS "Column", tt_type AS "Type", '' AS "Collation", CASE is_nullable WHEN 'NO' THEN 'not null' ELSE '' END AS "Nullable", coalesce(column_default, '') AS "Default" FROM information_schema.columns WHERE ${own} ORDER BY ordinal_position`;
  const footers = `SELECT line FROM tt_footers WHERE schema = ${quoteText(schema)} AND name = ${quoteText(name)} AND part = `;
  return [
    ask('columns', columns, { title: `Table "${schema}.${name}"`, empty: missing }),
    ask('footer', `${footers}'index'`, { label: 'Indexes:' }),
    ask('footer', `${footers}'check'`, { label: 'Check constraints:' }),
    ask('footer', `${footers}'foreign'`, { label: 'Foreign-key constraints:' }),
    ask('footer', `${footers}'referenced'`, { label: 'Referenced by:' }),
  ];
}
