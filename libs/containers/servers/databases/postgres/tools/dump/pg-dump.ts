import { bytesOf, textOf, type Bytes } from '../../../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../../../engine/kernel/errno.js';
import { exit, YIELD, type Program } from '../../../../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../../../../engine/kernel/process/syscalls.js';
import { addOutput, flushOutput, type Output } from '../../../../../tools/framework/output.js';
import { readCopyOptions, readRows } from '../../copy-format.js';
import { versionLine } from '../../server-version.js';
import { cstring, frame, readFields } from '../../server/wire.js';
import { closeLink, makeLink, proceed, takeMessage, waitOf, type Link } from '../connection.js';
import {
  applyConnection,
  completeTarget,
  defaultTarget,
  readDatabaseName,
  readOptions,
  type OptionSpec,
} from '../options.js';
import { readRow } from '../psql/replies.js';
import { fullName, isWanted, QUERIES, relationsOf, type Answers, type QueryName, type Relation } from './queries.js';
import {
  columnList,
  dataText,
  END,
  HEADER,
  insertText,
  sequenceValues,
  textBefore,
  textBehind,
  viewsOf,
  type Wish,
} from './text.js';
import { writeWholeFile } from '../../../../../tools/whole-file.js';

type Asked = { query: QueryName } | { table: { schema: string; name: string; isView: boolean } };
type State = {
  link: Link;
  given: [string, string][];
  answers: Answers;
  /** What is still to be asked, the first perhaps on its way; null: the tables are not known yet. */
  steps: Asked[];
  hasTables: boolean;
  isSent: boolean;
  lines: Bytes;
  data: Bytes;
  output: Output;
  code: number | null;
};

const SPEC: OptionSpec = {
  values: {
    ...{ t: 'table', table: 'table', T: 'exclude', 'exclude-table': 'exclude', f: 'file', file: 'file', n: 'schema' },
    ...{ schema: 'schema', F: 'format', format: 'format', Z: 'compress', compress: 'compress', E: 'encoding' },
    ...{ encoding: 'encoding', j: 'jobs', jobs: 'jobs' },
  },
  flags: {
    ...{ s: 'schema-only', 'schema-only': 'schema-only', a: 'data-only', 'data-only': 'data-only', c: 'clean' },
    ...{
      clean: 'clean',
      'if-exists': 'if-exists',
      C: 'create',
      create: 'create',
      O: 'no-owner',
      'no-owner': 'no-owner',
    },
    ...{ x: 'quiet', 'no-privileges': 'quiet', 'no-acl': 'quiet', w: 'quiet', 'no-password': 'quiet', v: 'quiet' },
    ...{ verbose: 'quiet', inserts: 'inserts', 'column-inserts': 'column-inserts', V: 'version', version: 'version' },
    ...{ 'no-comments': 'quiet', 'quote-all-identifiers': 'quiet', b: 'quiet', blobs: 'quiet' },
  },
};
/** Options that would change the dump, and are not simulated. */
const REFUSED: readonly string[] = ['create', 'compress', 'jobs', 'schema', 'exclude'];

const has = ({ given }: State, name: string): boolean => given.some(([own]) => own === name);
const valuesOf = ({ given }: State, name: string): string[] =>
  given.flatMap(([own, value]) => (own === name ? [value] : []));

function fail(state: State, text: string): void {
  addOutput(state.output, 2, bytesOf(`pg_dump: error: ${text}\n`));
  state.code = 1;
}

function start(argv: readonly Bytes[], sys: Syscalls): State {
  const target = defaultTarget(sys, 'pg_dump');
  const options = readOptions(argv.slice(1).map(textOf), SPEC);
  applyConnection(options, target);
  if (options.words[0] !== undefined) readDatabaseName(options.words[0], target);
  completeTarget(target, sys);
  const steps = (Object.keys(QUERIES) as QueryName[]).map((query): Asked => ({ query }));
  const answers: Answers = { relations: [], columns: [], footers: [], indexes: [], sequences: [], owners: [] };
  const state: State = {
    ...{ link: makeLink(target), given: [...options.given], answers, steps, hasTables: false, isSent: false },
    ...{ lines: '', data: '', output: [], code: null },
  };
  const hint = 'pg_dump: hint: Try "pg_dump --help" for more information.';
  const refused = state.given.find(([name]) => REFUSED.includes(name))?.[0];
  const format = valuesOf(state, 'format').at(-1) ?? 'p';
  if (has(state, 'version')) {
    addOutput(state.output, 1, `pg_dump (PostgreSQL) ${shortVersion(sys)}\n`);
    state.code = 0;
  } else if (options.wrong !== undefined) {
    addOutput(state.output, 2, bytesOf(`pg_dump: ${options.wrong}\n${hint}\n`));
    state.code = 1;
  } else if (has(state, 'schema-only') && has(state, 'data-only'))
    fail(state, 'options -s/--schema-only and -a/--data-only cannot be used together');
  else if (refused !== undefined) fail(state, `the option --${refused} is not simulated`);
  else if (!['p', 'plain'].includes(format))
    fail(state, `the output format "${format}" is not simulated: only plain is`);
  return state;
}

const shortVersion = (sys: Syscalls): string => versionLine(sys).slice('PostgreSQL '.length).split(' on ', 1)[0]!;

const wishOf = (state: State, sys: Syscalls): Wish => ({
  tables: tablesOf(state),
  withOwner: !has(state, 'no-owner'),
  cleans: has(state, 'clean') && !has(state, 'data-only'),
  ifExists: has(state, 'if-exists'),
  version: shortVersion(sys),
});

const tablesOf = (state: State): Relation[] =>
  relationsOf(state.answers).filter((one) => !one.isView && isWanted(one, valuesOf(state, 'table')));

/** When the catalogue is known: the data of each table. */
function planData(state: State): void {
  state.hasTables = true;
  const tables = tablesOf(state);
  if (tables.length === 0 && has(state, 'table')) return fail(state, 'no matching tables were found');
  if (!has(state, 'schema-only')) state.steps = tables.map((table): Asked => ({ table: { ...table } }));
  const wanted = viewsOf(state.answers).filter((one) => isWanted(one, valuesOf(state, 'table')));
  for (const view of wanted)
    addOutput(
      state.output,
      2,
      bytesOf(`pg_dump: warning: the view ${fullName(view)} is not dumped: its text is not kept\n`),
    );
}

function send(state: State): void {
  const [next] = state.steps;
  if (next === undefined) return;
  const sql =
    'query' in next
      ? QUERIES[next.query]
      : `COPY ${fullName(next.table)} (${columnList(state.answers, next.table)}) TO stdout`;
  state.link.unsent += frame('Q', cstring(sql));
  state.isSent = true;
}

/** One message of the server. False: there is none. */
function takeReply(state: State): boolean {
  const message = takeMessage(state.link);
  if (message === undefined) return false;
  const { type, body } = message;
  const [asked] = state.steps;
  if (type === 'D' && asked && 'query' in asked) state.answers[asked.query].push(readRow(body));
  else if (type === 'd') state.lines += body;
  else if (type === 'E') {
    const { S: severity = 'ERROR', M: text = '' } = readFields(body);
    fail(state, `query failed: ${severity}:  ${text}`);
  } else if (type === 'Z') {
    if (asked && 'table' in asked) addData(state, asked.table);
    state.steps.shift();
    state.isSent = false;
  }
  return state.code === null;
}

function addData(state: State, table: Relation): void {
  const { answers } = state;
  const lines = textOf(state.lines);
  const names = has(state, 'column-inserts');
  const text =
    names || has(state, 'inserts')
      ? insertText(answers, table, readRows(lines, readCopyOptions('')), names)
      : dataText(answers, table, lines);
  state.data += bytesOf(text);
  state.lines = '';
}

function finish(state: State, sys: Syscalls): void {
  const wish = wishOf(state, sys);
  const hasSchema = !has(state, 'data-only');
  const text =
    bytesOf(HEADER(wish.version) + (hasSchema ? textBefore(state.answers, wish) : '')) +
    state.data +
    bytesOf(
      (has(state, 'schema-only') ? '' : sequenceValues(state.answers, wish)) +
        (hasSchema ? textBehind(state.answers, wish) : '') +
        END,
    );
  state.code = 0;
  const path = valuesOf(state, 'file').at(-1);
  if (path === undefined) addOutput(state.output, 1, text);
  else writeDump(state, path, text, sys);
}

function writeDump(state: State, path: string, text: Bytes, sys: Syscalls): void {
  try {
    writeWholeFile(sys, bytesOf(path), text);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    fail(state, `could not open output file "${path}": ${error.message}`);
  }
}

const program: Program<State> = {
  start,
  step(state, sys) {
    const blocked = flushOutput(state.output, sys);
    if (blocked !== undefined) return blocked;
    const { link } = state;
    if (state.code !== null) {
      closeLink(link, sys);
      return exit(state.code);
    }
    proceed(link, sys);
    if (link.phase === 'ready') while (takeReply(state));
    if (link.phase === 'closed' && state.code === null) fail(state, link.problem);
    if (state.code !== null) return YIELD;
    if (link.phase !== 'ready' || state.isSent) return { type: 'wait', ...waitOf(link) };
    if (state.steps.length === 0 && !state.hasTables) planData(state);
    if (state.code !== null) return YIELD;
    if (state.steps.length === 0) finish(state, sys);
    else send(state);
    return YIELD;
  },
};

/** pg_dump, in plain text. Left out: views, whose text is not kept, roles' rights, and the other formats. */
export const pgDump = program as unknown as Program;
