import { type Bytes, bytesOf } from '../../../../../engine/kernel/bytes.js';
import type { Syscalls } from '../../../../../engine/kernel/process/syscalls.js';
import { type Output, addOutput } from '../../../../tools/framework/output.js';
import { socketOf } from '../lines.js';

export type State = {
  name: string;
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
  /** -e, or what mysqladmin asks. */
  commands: string[];
  readsInput: boolean;
  isTable: boolean;
  hasNoNames: boolean;
  isForced: boolean;
  isVertical: boolean;
  descriptor: number | null;
  phase: 'new' | 'connecting' | 'greeting' | 'ready';
  unsent: Bytes;
  received: Bytes;
  pending: {
    sql: string;
    columns: { name: string; isNumeric: boolean }[];
    expected: number;
    rows: (string | null)[][];
    /** Of the columns: the next one is that of the rows. */
    hasSeenEnd: boolean;
    isVertical: boolean;
  } | null;
  input: string;
  isInputEnded: boolean;
  hasPrompt: boolean;
  isInteractiveInput: boolean;
  line: number;
  output: Output;
  code: number | null;
};

export const CHUNK = 65_536;

export function end(state: State, descriptor: 1 | 2, text: string, code: number): State {
  addOutput(state.output, descriptor, bytesOf(text));
  state.code ??= code;
  return state;
}

/** In the words of libmysqlclient, and mysqladmin around them. */
export function refuse(state: State, sys: Syscalls, errno: number): void {
  const isLocal = state.host === 'localhost';
  const text = isLocal
    ? `Can't connect to local MySQL server through socket '${socketOf(sys)}' (2)`
    : `Can't connect to MySQL server on '${state.host}:${state.port}' (${errno})`;
  fail(state, `ERROR ${isLocal ? 2002 : 2003} (HY000): ${text}`, text);
  if (isLocal && state.name.endsWith('admin'))
    addOutput(state.output, 2, `Check that mysqld is running and that the socket: '${socketOf(sys)}' exists!\n`);
}

export function fail(state: State, line: string, text: string): void {
  if (!state.name.endsWith('admin')) return void end(state, 2, `${line}\n`, 1);
  end(state, 2, `${state.name}: connect to server at '${state.host}' failed\nerror: '${text}'\n`, 1);
}
