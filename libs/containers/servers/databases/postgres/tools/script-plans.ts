import type { Options, OptionSpec } from './options.js';

/** The programs that send one statement each. */
export type Script = 'createdb' | 'dropdb' | 'createuser' | 'dropuser';
/** A statement, and how the complaint begins when the server refuses it. */
export type Step = { sql: string; failure: string };
/** What to send to which database; else why not: `usage` is followed by a hint at --help. */
export type Plan = { database: string; steps: Step[] } | { usage: string } | { refused: string };

const COMMON = { e: 'echo', echo: 'echo', V: 'version', version: 'version', w: 'never', 'no-password': 'never' };
const ASKS = { W: 'ask', password: 'ask' };
const DROPS = { ...COMMON, ...ASKS, 'if-exists': 'ifExists', i: 'interactive', interactive: 'interactive' };
const MAINTENANCE = { 'maintenance-db': 'maintenance' };

/** The attributes of a role that flags say, in the order in which createuser writes them. */
const ATTRIBUTES = [
  ['SUPERUSER', 's', 'superuser', 'S', 'NOSUPERUSER'],
  ['CREATEDB', 'd', 'createdb', 'D', 'NOCREATEDB'],
  ['CREATEROLE', 'r', 'createrole', 'R', 'NOCREATEROLE'],
  ['INHERIT', 'i', 'inherit', 'I', 'INHERIT'],
  ['LOGIN', 'l', 'login', 'L', 'LOGIN'],
  ['REPLICATION', '', 'replication', '', 'NOREPLICATION'],
  ['BYPASSRLS', '', 'bypassrls', '', 'NOBYPASSRLS'],
] as const;

const attributeFlags = Object.fromEntries(
  ATTRIBUTES.flatMap(([word, yes, long, no]) => [
    ...(yes === '' ? [] : [[yes, word] as const, [no, `NO${word}`] as const]),
    [long, word] as const,
    [`no-${long}`, `NO${word}`] as const,
  ]),
);

export const SPECS: Readonly<Record<Script, OptionSpec>> = {
  createdb: {
    values: {
      ...{ O: 'OWNER', owner: 'OWNER', D: 'TABLESPACE', tablespace: 'TABLESPACE', T: 'TEMPLATE', template: 'TEMPLATE' },
      ...{ E: 'ENCODING', encoding: 'ENCODING', l: 'LOCALE', locale: 'LOCALE' },
      ...{ 'lc-collate': 'LC_COLLATE', 'lc-ctype': 'LC_CTYPE', ...MAINTENANCE },
    },
    flags: { ...COMMON, ...ASKS },
  },
  dropdb: { values: MAINTENANCE, flags: { ...DROPS, f: 'force', force: 'force' } },
  createuser: {
    values: { c: 'limit', 'connection-limit': 'limit' },
    flags: { ...COMMON, ...ASKS, ...attributeFlags, P: 'prompt', pwprompt: 'prompt', interactive: 'interactive' },
  },
  dropuser: { values: {}, flags: DROPS },
};

/** fmtId(): a name stands in quotes unless it is one word in lower case. Reserved words are always quoted. */
const RESERVED =
  /^(?:all|and|any|array|as|asc|both|case|cast|check|column|constraint|create|default|desc|distinct|do|else|end|except|false|fetch|for|foreign|from|grant|group|having|in|into|limit|not|null|offset|on|only|or|order|primary|references|returning|select|some|table|then|to|true|union|unique|user|using|when|where|window|with)$/;
export const formatName = (name: string): string =>
  /^[a-z_][a-z0-9_]*$/.test(name) && !RESERVED.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Options that ask the terminal. */
const PROMPTS: Readonly<Record<string, string>> = {
  ask: '--password',
  prompt: '--pwprompt',
  interactive: '--interactive',
};

/** Takes a database's or a role's name from the words, or the defaults of the environment. */
export function planOf(name: Script, options: Options, database: string, user: string): Plan {
  const { given, words } = options;
  const most = name === 'createdb' ? 2 : 1;
  if (words.length > most) return { usage: `too many command-line arguments (first is "${words[most]}")` };
  const flags = new Map(given);
  const asking = given.find(([flag]) => flag in PROMPTS)?.[0];
  if (asking !== undefined) return { refused: `${PROMPTS[asking]} is not simulated here` };
  if (name === 'createdb') return planDatabase(flags, words[0] ?? database, words[1]);
  if (name === 'createuser') return planRole(given, words[0] ?? user);
  const [subject] = words;
  const exists = flags.has('ifExists') ? 'IF EXISTS ' : '';
  if (subject === undefined)
    return { usage: `missing required argument ${name === 'dropdb' ? 'database' : 'role'} name` };
  if (name === 'dropuser')
    return {
      database: 'postgres',
      steps: [{ sql: `DROP ROLE ${exists}${formatName(subject)};`, failure: `removal of role "${subject}" failed` }],
    };
  const force = flags.has('force') ? ' WITH (FORCE)' : '';
  return {
    database: maintenanceOf(flags, subject),
    steps: [{ sql: `DROP DATABASE ${exists}${formatName(subject)}${force};`, failure: 'database removal failed' }],
  };
}

/** Nobody can be connected to the database that is made or dropped. */
const maintenanceOf = (flags: ReadonlyMap<string, string>, subject: string): string =>
  flags.get('maintenance') ?? (subject === 'postgres' ? 'template1' : 'postgres');

function planDatabase(flags: ReadonlyMap<string, string>, name: string, comment: string | undefined): Plan {
  const clauses = (['OWNER', 'TABLESPACE', 'ENCODING', 'TEMPLATE', 'LOCALE', 'LC_COLLATE', 'LC_CTYPE'] as const)
    .filter((key) => flags.has(key))
    .map((key) => ` ${key} ${/^(?:ENC|L)/.test(key) ? quote(flags.get(key)!) : formatName(flags.get(key)!)}`);
  const steps = [
    { sql: `CREATE DATABASE ${formatName(name)}${clauses.join('')};`, failure: 'database creation failed' },
  ];
  if (comment !== undefined)
    steps.push({
      sql: `COMMENT ON DATABASE ${formatName(name)} IS ${quote(comment)};`,
      failure: 'comment creation failed (database was created)',
    });
  return { database: maintenanceOf(flags, name), steps };
}

function planRole(given: Options['given'], name: string): Plan {
  const chosen = given.map(([word]) => word);
  const isSuperuser = chosen.findLast((word) => /^(?:NO)?SUPERUSER$/.test(word)) === 'SUPERUSER';
  const attributes = ATTRIBUTES.map(([word, , , , usual]) => {
    if (isSuperuser && (word === 'CREATEDB' || word === 'CREATEROLE')) return word;
    return chosen.findLast((one) => one === word || one === `NO${word}`) ?? usual;
  });
  const limit = given.findLast(([word]) => word === 'limit')?.[1];
  if (limit !== undefined) attributes.push(`CONNECTION LIMIT ${limit}`);
  return {
    database: 'postgres',
    steps: [
      { sql: `CREATE ROLE ${formatName(name)} ${attributes.join(' ')};`, failure: 'creation of new role failed' },
    ],
  };
}
