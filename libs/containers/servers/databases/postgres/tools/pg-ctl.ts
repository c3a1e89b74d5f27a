import { SystemError } from '../../../../../engine/kernel/errno.js';
import { exit, sleepUntil, YIELD, type Program, type Wait } from '../../../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../../../engine/kernel/process/syscalls.js';
import { readSmallFile } from '../../../../tools/accounts.js';
import { findCommand } from '../../../../tools/framework/command.js';
import { addOutput, flushOutput, type Output } from '../../../../tools/framework/output.js';

type State = {
  mode: string;
  data: string;
  options: string;
  pid: number;
  until: number;
  output: Output;
  code: number | null;
};

const POLL_MS = 100;
const MOST_MS = 60_000;

/** Starts, stops and asks after a server, and waits for it. */
const program: Program<State> = {
  start(argv, sys) {
    const state: State = {
      ...{ mode: '', data: sys.env['PGDATA'] ?? '', options: '', pid: 0, until: 0, output: [], code: null },
    };
    for (let at = 1; at < argv.length; at++) {
      const word = argv[at]!;
      if (word === '-D' || word === '--pgdata') state.data = argv[++at] ?? '';
      else if (word === '-o' || word === '--options') state.options = argv[++at] ?? '';
      else if (['-m', '-l', '-t', '-p', '--mode', '--log', '--timeout'].includes(word)) at++;
      else if (['start', 'stop', 'status', 'restart', 'reload', 'promote'].includes(word)) state.mode = word;
      else if (!['-w', '-W', '-s', '--wait', '--no-wait', '--silent'].includes(word)) {
        say(state, 2, `pg_ctl: unrecognized option '${word}'\nTry "pg_ctl --help" for more information.\n`);
        state.code = 1;
      }
    }
    return state;
  },
  step(state, sys) {
    const blocked = flushOutput(state.output, sys);
    if (blocked !== undefined) return blocked;
    if (state.code !== null) return exit(state.code);
    const wait = proceed(state, sys);
    return state.output.length > 0 || state.code !== null ? YIELD : wait;
  },
};
export const pgCtl = program as unknown as Program;

const say = (state: State, descriptor: 1 | 2, text: string): void => addOutput(state.output, descriptor, text);

const pidOf = ({ data }: State, sys: Syscalls): number =>
  Number(readSmallFile(sys, `${data}/postmaster.pid`).split('\n', 1)[0]);

function finish(state: State, text: string, code = 0): void {
  say(state, code === 0 ? 1 : 2, text);
  state.code = code;
}

function proceed(state: State, sys: Syscalls): Wait {
  if (state.until === 0) begin(state, sys);
  else if (state.mode === 'start' && pidOf(state, sys) === state.pid) finish(state, ' done\nserver started\n');
  else if (state.mode === 'stop' && pidOf(state, sys) !== state.pid) finish(state, ' done\nserver stopped\n');
  else if (state.mode === 'start' && sys.wait(state.pid) !== undefined) {
    say(state, 1, ' stopped waiting\n');
    finish(state, 'pg_ctl: could not start server\nExamine the log output.\n', 1);
  } else if (sys.now >= state.until) {
    say(state, 1, ' failed\n');
    finish(state, `pg_ctl: server does not ${state.mode}\n`, 1);
  }
  return sleepUntil(sys.now + POLL_MS);
}

function begin(state: State, sys: Syscalls): void {
  const running = pidOf(state, sys);
  state.until = sys.now + MOST_MS;
  if (state.mode === 'status') {
    if (running > 0) finish(state, `pg_ctl: server is running (PID: ${running})\n`);
    else {
      say(state, 1, 'pg_ctl: no server running\n');
      state.code = 3;
    }
    return;
  }
  if (state.mode === 'start') return startServer(state, sys);
  if (state.mode !== 'stop')
    return finish(
      state,
      `pg_ctl: ${state.mode === '' ? 'no operation specified' : `operation "${state.mode}" is not supported`}\n`,
      1,
    );
  if (!(running > 0))
    return finish(state, `pg_ctl: PID file "${state.data}/postmaster.pid" does not exist\nIs server running?\n`, 1);
  state.pid = running;
  sys.kill(running, 'INT');
  say(state, 1, 'waiting for server to shut down...');
}

function startServer(state: State, sys: Syscalls): void {
  try {
    const words = state.options
      .split(/\s+/)
      .filter(Boolean)
      .map((word) => word.replace(/^(["'])(.*)\1$/, '$2'));
    const argv = ['postgres', '-D', state.data, ...words.map((word) => word.replace(/=''$/, '='))];
    state.pid = sys.spawn({ path: findCommand(sys, 'postgres'), argv });
    say(state, 1, 'waiting for server to start...');
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    finish(state, `pg_ctl: could not start server: ${error.message}\n`, 1);
  }
}
