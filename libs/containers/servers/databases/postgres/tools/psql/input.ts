import { textOf } from '../../../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../../../engine/kernel/errno.js';
import { YIELD, type Wait } from '../../../../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../../../../engine/kernel/process/syscalls.js';
import { waitOf } from '../connection.js';
import { openFile, runMeta } from './meta-commands.js';
import { flushBuffer, send, substitute } from './statements.js';
import { CHUNK, out, type State } from './state.js';

const MAX_INPUT = 4 << 20;

/** What is to be done when no answer is awaited. */
export function nextWork(state: State, sys: Syscalls): Wait | undefined {
  if (state.hasJobs && !state.readsInput) {
    const job = state.hasFailed && state.code === null && state.jobs.length === 0 ? undefined : state.jobs.shift();
    if (job === undefined) {
      state.code = state.hasFailed ? 1 : 0;
      return YIELD;
    }
    if (job.kind === 'file') {
      if (job.text !== '-') return openFile(state, job.text, sys);
      state.readsInput = true;
      return YIELD;
    }
    // Each -c tells its own failure.
    state.hasFailed = false;
    if (job.text.trimStart().startsWith('\\')) runMeta(state, job.text.trim(), sys);
    else send(state, substitute(state, job.text), null);
    return undefined;
  }
  return nextLine(state, sys);
}

function nextLine(state: State, sys: Syscalls): Wait | undefined {
  if (state.isInteractive && !state.hasPrompt) {
    const end = state.link.parameters['is_superuser'] === 'on' ? '#' : '>';
    const mark = { I: '', T: '*', E: '!' }[state.status] ?? '';
    out(state, `${state.link.target.database}${state.buffer === '' ? '=' : '-'}${mark}${end} `);
    state.hasPrompt = true;
  }
  let at = state.input.indexOf('\n');
  if (at < 0 && !state.isInputEnded) {
    const bytes = sys.read(0, CHUNK);
    if (bytes === undefined) return { type: 'wait', readable: [0, ...waitOf(state.link).readable] };
    if (bytes === '') state.isInputEnded = true;
    state.input += bytes;
    if (state.input.length > MAX_INPUT) throw new SystemError('ENOMEM');
    at = state.input.indexOf('\n');
    if (at < 0 && !state.isInputEnded) return YIELD;
  }
  if (at < 0 && state.input === '') return endInput(state);
  const line = textOf(at < 0 ? state.input : state.input.slice(0, at)).replace(/\r$/, '');
  state.input = at < 0 ? '' : state.input.slice(at + 1);
  state.lineNumber++;
  state.hasPrompt = false;
  takeLine(state, line, sys);
  return YIELD;
}

function endInput(state: State): Wait {
  if (state.buffer.trim() !== '') {
    const rest = state.buffer;
    state.buffer = '';
    send(state, substitute(state, rest), null);
    return YIELD;
  }
  state.readsInput = false;
  if (state.isInteractive) out(state, '\\q\n');
  // Errors in a script do not make it fail, unless it stops on them.
  state.hasFailed = false;
  if (!state.hasJobs) state.code = 0;
  state.fileName = '';
  return YIELD;
}

function takeLine(state: State, line: string, sys: Syscalls): void {
  const word = line.trim();
  if (state.buffer.trim() === '') {
    if (word === '') return;
    if (word.startsWith('\\')) return runMeta(state, word, sys);
    if (state.isInteractive && (word === 'exit' || word === 'quit')) return void (state.code = 0);
    if (state.isInteractive && word === 'help')
      return out(
        state,
        'You are using psql, the command-line interface to PostgreSQL.\nType:  \\copyright for distribution terms\n       \\h for help with SQL commands\n       \\? for help with psql commands\n       \\g or terminate with semicolon to execute query\n       \\q to quit\n',
      );
  }
  const meta = /\\(g|gx|q|x)\s*$/.exec(line);
  const own = meta ? line.slice(0, meta.index) : line;
  state.buffer += `${state.buffer === '' ? '' : '\n'}${own}`;
  if (meta && meta[1] !== 'q') state.buffer += ';';
  flushBuffer(state);
  if (meta?.[1] === 'q') state.code = 0;
}
