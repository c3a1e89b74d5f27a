import { textOf, type Bytes } from '../../../../../../engine/kernel/bytes.js';
import type { Syscalls } from '../../../../../../engine/kernel/process/syscalls.js';
import { versionLine } from '../../server-version.js';
import { makeLink } from '../connection.js';
import { applyConnection, completeTarget, defaultTarget, readDatabaseName, readOptions } from '../options.js';
import { err, out, type State } from './state.js';

const FLAGS = {
  ...{
    t: 'tuples',
    A: 'unaligned',
    q: 'quiet',
    x: 'expanded',
    l: 'list',
    w: 'never',
    W: 'ask',
    X: 'norc',
    a: 'echo',
    e: 'echo',
  },
  ...{
    b: 'echo',
    n: 'norc',
    1: 'single',
    'tuples-only': 'tuples',
    'no-align': 'unaligned',
    quiet: 'quiet',
    csv: 'csv',
  },
  ...{ expanded: 'expanded', list: 'list', 'no-password': 'never', password: 'ask', 'no-psqlrc': 'norc', V: 'version' },
  ...{ version: 'version', 'single-transaction': 'single' },
};
const VALUES = {
  ...{ c: 'command', f: 'file', v: 'variable', F: 'separator', P: 'pset', command: 'command', file: 'file' },
  ...{ variable: 'variable', set: 'variable', 'field-separator': 'separator', pset: 'pset', o: 'output' },
};

/** psql as its command line has it. */
export function start(argv: readonly Bytes[], sys: Syscalls): State {
  const target = defaultTarget(sys, 'psql');
  const options = readOptions(argv.slice(1).map(textOf), { values: VALUES, flags: FLAGS });
  const state: State = {
    ...{
      link: makeLink(target),
      jobs: [],
      hasJobs: false,
      input: '',
      lineNumber: 0,
      fileName: '',
      isInputEnded: false,
    },
    ...{ readsInput: false, buffer: '', hasPrompt: false, isInteractive: false, isQuiet: false, stopsOnError: false },
    ...{ isTiming: false, variables: {}, pending: [], table: null, description: null, status: 'I', hasFailed: false },
    ...{ copies: null, copied: '', asksPassword: false, output: [], code: null },
    style: { isAligned: true, isExpanded: false, isTuplesOnly: false, isCsv: false, separator: '|', null: '' },
  };
  if (options.wrong !== undefined) {
    err(state, `psql: ${options.wrong}\npsql: hint: Try "psql --help" for more information.\n`);
    state.code = 1;
    return state;
  }
  applyConnection(options, target);
  applyOptions(state, options.given, sys);
  const [database, user] = options.words;
  if (database !== undefined) readDatabaseName(database, target);
  if (user !== undefined) target.user = user;
  completeTarget(target, sys);
  state.hasJobs = state.jobs.length > 0;
  state.isInteractive = !state.hasJobs && sys.isTerminal(0);
  return state;
}

function applyOptions(state: State, given: readonly (readonly [string, string])[], sys: Syscalls): void {
  const { style, jobs, variables } = state;
  for (const [name, value] of given) {
    if (name === 'command' || name === 'file') jobs.push({ kind: name, text: value });
    else if (name === 'list') jobs.push({ kind: 'command', text: '\\l' });
    else if (name === 'tuples') style.isTuplesOnly = true;
    else if (name === 'unaligned') style.isAligned = false;
    else if (name === 'expanded') style.isExpanded = true;
    else if (name === 'csv') style.isCsv = true;
    else if (name === 'separator') style.separator = value;
    else if (name === 'quiet') state.isQuiet = true;
    else if (name === 'variable') {
      const at = value.indexOf('=');
      variables[at < 0 ? value : value.slice(0, at)] = at < 0 ? '' : value.slice(at + 1);
    } else if (name === 'version') {
      out(state, `psql (PostgreSQL) ${versionLine(sys).slice('PostgreSQL '.length).split(' on ', 1)[0]}\n`);
      state.code = 0;
    }
  }
  state.stopsOnError = ['1', 'on', 'true'].includes(variables['ON_ERROR_STOP'] ?? '');
}
