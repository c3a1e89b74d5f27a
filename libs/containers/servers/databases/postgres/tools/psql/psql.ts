import { textOf } from '../../../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../../../engine/kernel/errno.js';
import { exit, waitToRead, YIELD, type Program, type Wait } from '../../../../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../../../../engine/kernel/process/syscalls.js';
import { flushOutput } from '../../../../../tools/framework/output.js';
import { versionLine } from '../../server-version.js';
import { closeLink, makeLink, proceed, waitOf } from '../connection.js';
import { sendData } from './copy.js';
import { nextWork } from './input.js';
import { takeReply } from './replies.js';
import { start } from './start.js';
import { BAD_CONNECTION, CHUNK, err, out, type State } from './state.js';

const program: Program<State> = {
  start,
  step(state, sys) {
    const blocked = flushOutput(state.output, sys);
    if (blocked !== undefined) return blocked;
    if (state.code !== null) return exit(state.code);
    try {
      const wait = run(state, sys);
      return state.output.length > 0 || state.code !== null ? YIELD : wait;
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      err(state, `psql: error: ${error.message}\n`);
      state.code = BAD_CONNECTION;
      return YIELD;
    }
  },
};
export const psql = program as unknown as Program;

function run(state: State, sys: Syscalls): Wait {
  if (state.asksPassword) return askPassword(state, sys);
  const { link } = state;
  const wasReady = link.phase === 'ready';
  proceed(link, sys);
  if (link.phase === 'closed') return endConnection(state, sys, wasReady);
  if (link.phase !== 'ready') return { type: 'wait', ...waitOf(link) };
  if (!wasReady && state.isInteractive && !state.isQuiet && state.pending.length === 0 && state.lineNumber === 0)
    out(state, `psql (${versionLine(sys).slice('PostgreSQL '.length).split(' on ', 1)[0]})\nType "help" for help.\n\n`);
  while (state.code === null && takeReply(state, sys));
  if (state.copies !== null && state.code === null) {
    const wait = sendData(state, sys);
    if (link.unsent !== '') proceed(link, sys);
    return wait;
  }
  if (state.link.problem !== '') return endConnection(state, sys, true);
  if (state.pending.length === 0 && state.code === null) {
    const wait = nextWork(state, sys);
    if (wait !== undefined) return wait;
  }
  if (link.unsent !== '') proceed(link, sys);
  return link.received === '' || state.output.length > 0 ? { type: 'wait', ...waitOf(link) } : YIELD;
}

function endConnection(state: State, sys: Syscalls, wasReady: boolean): Wait {
  const { link } = state;
  if (link.needsPassword && sys.isTerminal(0) && link.target.password === null) {
    out(state, `Password for user ${link.target.user}: `);
    sys.setTerminalMode(0, 'no-echo');
    state.asksPassword = true;
    return YIELD;
  }
  err(state, wasReady ? `${link.problem}\nconnection to server was lost\n` : `psql: error: ${link.problem}\n`);
  state.code = BAD_CONNECTION;
  return YIELD;
}

function askPassword(state: State, sys: Syscalls): Wait {
  const bytes = sys.read(0, CHUNK);
  if (bytes === undefined) return waitToRead(0);
  sys.setTerminalMode(0, 'cooked');
  out(state, '\n');
  state.asksPassword = false;
  closeLink(state.link, sys);
  state.link = makeLink({ ...state.link.target, password: textOf(bytes.replace(/\r?\n$/, '')) });
  return YIELD;
}
