import { SystemError } from '../../../../../engine/kernel/errno.js';
import { type Program, type Wait, YIELD, exit } from '../../../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../../../engine/kernel/process/syscalls.js';
import { flushOutput } from '../../../../tools/framework/output.js';
import { readPacket } from '../server/wire.js';
import { ERRNO, MAX, askPassword, greet, open } from './login.js';
import { ASKS_PASSWORD, start } from './options.js';
import { take } from './results.js';
import { CHUNK, type State, end, refuse } from './state.js';
import { next } from './statements.js';

const LOST = 'ERROR 2013 (HY000): Lost connection to MySQL server during query\n';

/** mysql and mysqladmin. */
const program: Program<State> = {
  start,
  step(state, sys) {
    const blocked = flushOutput(state.output, sys);
    if (blocked !== undefined) return blocked;
    if (state.code !== null) return exit(state.code);
    try {
      const wait = state.password === ASKS_PASSWORD ? askPassword(state, sys) : proceed(state, sys);
      return state.output.length > 0 || state.code !== null ? YIELD : wait;
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      if (state.phase === 'ready') end(state, 2, LOST, 1);
      else refuse(state, sys, ERRNO[error.code] ?? 111);
      return YIELD;
    }
  },
};

export const mysql = program as unknown as Program;

function proceed(state: State, sys: Syscalls): Wait {
  if (state.phase === 'new' && !open(state, sys)) return YIELD;
  const descriptor = state.descriptor!;
  if (state.phase === 'connecting' && !isConnected(sys, descriptor)) return { type: 'wait', writable: [descriptor] };
  if (state.phase === 'connecting') state.phase = 'greeting';
  const isEnded = receive(state, sys, descriptor);
  takePackets(state, sys);
  if (isEnded && state.code === null) {
    end(state, 2, LOST, 1);
    return YIELD;
  }
  if (state.phase === 'ready' && state.pending === null && state.code === null) {
    const wait = next(state, sys);
    if (wait) return wait;
  }
  if (state.unsent !== '') state.unsent = state.unsent.slice(sys.write(descriptor, state.unsent));
  return { type: 'wait', readable: [descriptor], ...(state.unsent !== '' && { writable: [descriptor] }) };
}

/** Throws SystemError when nobody listens there. */
function isConnected(sys: Syscalls, descriptor: number): boolean {
  try {
    const code = sys.connectError(descriptor);
    if (code !== undefined) throw new SystemError(code);
    return true;
  } catch (error) {
    if (error instanceof SystemError && error.code === 'EAGAIN') return false;
    throw error;
  }
}

/** Reads what is there. True: the server has closed the connection. */
function receive(state: State, sys: Syscalls, descriptor: number): boolean {
  for (let bytes = sys.read(descriptor, CHUNK); bytes !== undefined; bytes = sys.read(descriptor, CHUNK)) {
    if (bytes === '') return true;
    state.received += bytes;
    if (state.received.length > MAX) throw new SystemError('ENOMEM');
  }
  return false;
}

function takePackets(state: State, sys: Syscalls): void {
  while (state.code === null) {
    const found = readPacket(state.received);
    if (found === undefined || found === 'bad') return;
    state.received = state.received.slice(found.length);
    if (state.phase === 'greeting') greet(state, found.body, found.sequence, sys);
    else take(state, found.body);
  }
}
