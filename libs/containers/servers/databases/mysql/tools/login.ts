import { type Bytes, bytesOf, textOf } from '../../../../../engine/kernel/bytes.js';
import { type Wait, YIELD } from '../../../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../../../engine/kernel/process/syscalls.js';
import { addOutput } from '../../../../tools/framework/output.js';
import { lookUp } from '../../../lookup.js';
import { socketOf, versionOf } from '../lines.js';
import { packet, scramble, whole } from '../server/wire.js';
import { showError } from './results.js';
import { CHUNK, type State, fail, refuse } from './state.js';

/** Bytes of an answer, at most. */
export const MAX = 16 << 20;

/** Long passwords, protocol 4.1, transactions, secure connection, several results, plug-ins. */
const FLAGS = 0x1 | 0x200 | 0x2000 | 0x8000 | 0x20000 | 0x80000;

/** Linux' own, which libmysqlclient prints. */
export const ERRNO: Readonly<Record<string, number>> = {
  ECONNREFUSED: 111,
  ETIMEDOUT: 110,
  EHOSTUNREACH: 113,
  ENETUNREACH: 101,
};

/** `-p` without a password. */
export function askPassword(state: State, sys: Syscalls): Wait {
  if (!state.hasPrompt) {
    state.hasPrompt = true;
    addOutput(state.output, sys.isTerminal(0) ? 1 : 2, 'Enter password: ');
    if (sys.isTerminal(0)) sys.setTerminalMode(0, 'no-echo');
    return YIELD;
  }
  const bytes = sys.read(0, CHUNK);
  if (bytes === undefined) return { type: 'wait', readable: [0] };
  if (sys.isTerminal(0)) sys.setTerminalMode(0, 'cooked');
  addOutput(state.output, 1, '\n');
  state.hasPrompt = false;
  state.password = textOf(bytes.split('\n', 1)[0]!.replace('\r', ''));
  return YIELD;
}

/** Dials the server. False: there is none of that name. */
export function open(state: State, sys: Syscalls): boolean {
  let address: string | undefined = '127.0.0.1';
  if (state.host === 'localhost') {
    if (!sys.access(socketOf(sys), '')) {
      refuse(state, sys, 2);
      return false;
    }
  } else [address] = lookUp(sys, state.host).addresses;
  if (address === undefined) {
    const text = `Unknown MySQL server host '${state.host}' (-2)`;
    fail(state, `ERROR 2005 (HY000): ${text}`, text);
    return false;
  }
  state.descriptor = sys.connect(address, state.port);
  state.phase = 'connecting';
  return true;
}

/** The server's greeting, then its answer to the proof. */
export function greet(state: State, body: Bytes, sequence: number, sys: Syscalls): void {
  const first = body.charCodeAt(0);
  if (first === 10) {
    const at = body.indexOf('\0', 1) + 5;
    const nonce = body.slice(at, at + 8) + body.slice(at + 27, at + 39);
    const plugin = body.slice(at + 40).split('\0', 1)[0]!;
    const proof = scramble(plugin, state.password, nonce);
    const flags = FLAGS | (state.database === '' ? 0 : 8);
    const name = state.database === '' ? '' : `${bytesOf(state.database)}\0`;
    const login = `${whole(flags, 4)}${whole(MAX, 4)}\xff${'\0'.repeat(23)}${bytesOf(state.user)}\0${String.fromCharCode(proof.length)}${proof}${name}${plugin}\0`;
    state.unsent += packet(login, sequence + 1);
    return;
  }
  if (first === 0xff) return void showError(state, body, true);
  if (first !== 0) return;
  state.phase = 'ready';
  if (state.readsInput && sys.isTerminal(0)) {
    const own = versionOf(sys);
    addOutput(
      state.output,
      1,
      `Welcome to the MySQL monitor.  Commands end with ; or \\g.\nYour MySQL connection id is 8\nServer version: ${own} MySQL Community Server - GPL\n\nType 'help;' or '\\h' for help. Type '\\c' to clear the current input statement.\n\n`,
    );
  }
}
