import type { Bytes } from '../../engine/kernel/bytes.js';
import { SystemError } from '../../engine/kernel/errno.js';
import { exit, type Plain, type Program, type Wait, YIELD } from '../../engine/kernel/process/program.js';
import type { Syscalls } from '../../engine/kernel/process/syscalls.js';
import type { Signal } from '../../engine/kernel/signals.js';
import type { Millis } from '../../engine/machinery/time/time.js';
import { addOutput, flushOutput, type Output } from '../tools/framework/output.js';

/** A client's connection, as data. A UDP client's datagrams are one. */
export type Connection = {
  descriptor: number;
  /** The server's port. */
  port: number;
  protocol: 'tcp' | 'udp';
  /** The client's address. */
  address: string;
  remotePort: number;
  /** What has arrived and is not taken yet; of UDP one datagram. */
  received: Bytes;
  unsent: Bytes;
  /** An open file of which so many bytes follow what is unsent; then what is received is looked at again. */
  file: { descriptor: number; left: number } | null;
  /** The client sends no more. */
  isEnded: boolean;
  /** It is closed when all is sent. */
  closes: boolean;
  /** What the answer waits for; null: bytes. */
  task: Plain;
  wait: Waits;
  /** The server's own of this connection. */
  own: Plain;
  /** Where it was to go before rules of the namespace led it here. */
  original?: { address: string; port: number };
};

/** What a task waits for. */
export type Waits = { readable?: number[]; writable?: number[]; until?: number; child?: true };

export interface ListenOptions {
  readonly address?: string;
  readonly protocol?: 'tcp' | 'udp';
}

/** A server that runs, in one step of its. */
export interface Running<Own extends Plain> {
  readonly sys: Syscalls;
  readonly own: Own;
  readonly connections: Connection[];
  out(bytes: Bytes): void;
  err(bytes: Bytes): void;
  /** Throws EADDRINUSE, EACCES. */
  listen(port: number, options?: ListenOptions): void;
  /** Ends the process when all is written. */
  exit(code: number): void;
  /** When `tick` is called next. */
  tickAt(at: Millis): void;
}

/** A server as functions over its own plain data. */
export interface ServerProgram<Own extends Plain> {
  /** From the command line; a number ends the process before it begins. */
  start(argv: readonly Bytes[], sys: Syscalls): Own;
  /** Its first step: it prints, listens, sets `tickAt`. */
  begin(server: Running<Own>): void;
  /** By default a connection is made that waits for bytes. */
  connect?(server: Running<Own>, connection: Connection): void;
  /** Bytes have arrived, or the client's end. */
  receive(server: Running<Own>, connection: Connection): void;
  /** What a task waits for may be there. */
  resume?(server: Running<Own>, connection: Connection): void;
  /** How many bytes are read at once, where it is not all: what is left unread when it closes resets the client. */
  readSize?(connection: Connection): number;
  /** A connection is over. */
  disconnect?(server: Running<Own>, connection: Connection): void;
  tick?(server: Running<Own>): void;
  /** Signals that it catches, and what it does then. */
  readonly signals?: readonly Signal[];
  signal?(server: Running<Own>, signal: Signal): void;
  child?(server: Running<Own>): void;
  /** Whether it has children to wait for; by default always when it has `child`. */
  hasChild?(own: Own): boolean;
}

type State = {
  own: Plain;
  hasBegun: boolean;
  listeners: { descriptor: number; port: number; protocol: 'tcp' | 'udp' }[];
  connections: Connection[];
  output: Output;
  tickAt: number | null;
  code: number | null;
};

/** Connections that one server reads at the same time. */
const MAX_CONNECTIONS = 1_000;
const CHUNK = 65_536;
/** Bytes of one request. */
const MAX_RECEIVED = 4 << 20;
/** Pieces of a file that one step sends. */
const MAX_PIECES = 16;

/** A program that listens and answers; all of its state is plain data. */
export function defineServer<Own extends Plain>(server: ServerProgram<Own>): Program {
  const program: Program<State> = {
    start: (argv, sys) => {
      for (const signal of server.signals ?? []) sys.handleSignal(signal, 'catch');
      const own = server.start(argv, sys);
      return { own, hasBegun: false, listeners: [], connections: [], output: [], tickAt: null, code: null };
    },
    step(state, sys) {
      const running = makeRunning<Own>(state, sys);
      const blocked = flush(state, sys);
      if (blocked !== undefined) return blocked;
      if (state.code !== null) return exit(state.code);
      takeTurn(server, running, state, sys);
      const waits = flush(state, sys);
      if (waits !== undefined) return waits;
      return state.code === null ? waitFor(state, server) : exit(state.code);
    },
  };
  return program as unknown as Program;
}

/** A log that nobody reads any more does not end a server. */
function flush(state: State, sys: Syscalls): Wait | undefined {
  try {
    return flushOutput(state.output, sys);
  } catch (error) {
    if (error instanceof SystemError) return YIELD;
    throw error;
  }
}

function makeRunning<Own extends Plain>(state: State, sys: Syscalls): Running<Own> {
  return {
    sys,
    own: state.own as Own,
    connections: state.connections,
    out: (bytes) => addOutput(state.output, 1, bytes),
    err: (bytes) => addOutput(state.output, 2, bytes),
    listen(port, options = {}) {
      const descriptor = sys.listen(port, options);
      state.listeners.push({ descriptor, port: sys.socketName(descriptor).port, protocol: options.protocol ?? 'tcp' });
    },
    exit: (code) => {
      state.code ??= code;
    },
    tickAt: (at) => {
      state.tickAt = at;
    },
  };
}

function takeTurn<Own extends Plain>(
  server: ServerProgram<Own>,
  running: Running<Own>,
  state: State,
  sys: Syscalls,
): void {
  if (!state.hasBegun) {
    state.hasBegun = true;
    server.begin(running);
  }
  for (let signal = sys.takeSignal(); signal !== undefined; signal = sys.takeSignal()) server.signal?.(running, signal);
  if (state.tickAt !== null && sys.now >= state.tickAt) {
    state.tickAt = null;
    server.tick?.(running);
  }
  server.child?.(running);
  for (const listener of state.listeners) acceptAll(server, running, state, listener);
  for (const connection of [...state.connections]) {
    if (state.code !== null) return;
    if (!advance(server, running, connection, sys)) {
      sys.close(connection.descriptor);
      if (connection.file !== null) sys.close(connection.file.descriptor);
      state.connections.splice(state.connections.indexOf(connection), 1);
      server.disconnect?.(running, connection);
    }
  }
}

function acceptAll<Own extends Plain>(
  server: ServerProgram<Own>,
  running: Running<Own>,
  state: State,
  { descriptor: listening, port, protocol }: State['listeners'][number],
): void {
  while (state.connections.length < MAX_CONNECTIONS) {
    const accepted = running.sys.accept(listening);
    if (accepted === undefined) return;
    const { descriptor, address, port: remotePort, original } = accepted;
    const connection: Connection = {
      ...{ descriptor, port, protocol, address, remotePort, received: '', unsent: '', isEnded: false, closes: false },
      ...{ file: null, task: null, wait: {}, own: null, ...(original ? { original: { ...original } } : {}) },
    };
    state.connections.push(connection);
    server.connect?.(running, connection);
  }
}

/** False: the connection is over. */
function advance<Own extends Plain>(
  server: ServerProgram<Own>,
  running: Running<Own>,
  connection: Connection,
  sys: Syscalls,
): boolean {
  try {
    if (connection.task !== null) server.resume?.(running, connection);
    else if (!connection.closes) readOn(server, running, connection, sys);
    const sends = connection.file !== null;
    if (!send(connection, sys)) return false;
    if (!sends || connection.file !== null || connection.received === '') return true;
    server.receive(running, connection);
    return send(connection, sys);
  } catch (error) {
    // The client has reset the connection, or does not read any more.
    if (error instanceof SystemError) return false;
    throw error;
  }
}

function readOn<Own extends Plain>(
  server: ServerProgram<Own>,
  running: Running<Own>,
  connection: Connection,
  sys: Syscalls,
): void {
  if (connection.isEnded) return;
  const bytes = sys.read(connection.descriptor, server.readSize?.(connection) ?? CHUNK);
  if (bytes === undefined) return;
  sys.charge(10 + (bytes.length >> 5));
  // A datagram without bytes counts as the end of its client's: nothing that runs here sends one.
  if (bytes === '') connection.isEnded = true;
  else connection.received = connection.protocol === 'udp' ? bytes : connection.received + bytes;
  if (connection.received.length > MAX_RECEIVED) connection.closes = true;
  else server.receive(running, connection);
}

/** False: all is sent, and the connection is over. */
function send(connection: Connection, sys: Syscalls): boolean {
  for (let pieces = 0; pieces < MAX_PIECES; pieces++) {
    if (connection.unsent === '') readFile(connection, sys);
    if (connection.unsent === '') break;
    const count = sys.write(connection.descriptor, connection.unsent);
    connection.unsent = connection.unsent.slice(count);
    if (connection.unsent !== '' || connection.file === null) break;
  }
  const isDone = connection.closes || connection.isEnded;
  return !(isDone && connection.unsent === '' && connection.file === null && connection.task === null);
}

/** A file that became shorter ends its connection: the client has been promised more. */
function readFile(connection: Connection, sys: Syscalls): void {
  const { file } = connection;
  if (file === null) return;
  const bytes = sys.read(file.descriptor, Math.min(CHUNK, file.left)) ?? '';
  connection.unsent = bytes;
  file.left -= bytes.length;
  if (bytes === '') connection.closes = true;
  if (bytes !== '' && file.left > 0) return;
  sys.close(file.descriptor);
  connection.file = null;
}

function waitFor<Own extends Plain>(state: State, server: ServerProgram<Own>): Wait {
  const readable = state.listeners.map(({ descriptor }) => descriptor);
  const writable: number[] = [];
  const times = state.tickAt === null ? [] : [state.tickAt];
  let waitsForChild = server.child !== undefined && (server.hasChild?.(state.own as Own) ?? true);
  for (const { descriptor, unsent, file, task, wait, closes, isEnded } of state.connections) {
    if (unsent !== '' || file !== null) writable.push(descriptor);
    if (task === null) {
      if (!closes && !isEnded) readable.push(descriptor);
      continue;
    }
    readable.push(...(wait.readable ?? []));
    writable.push(...(wait.writable ?? []));
    if (wait.until !== undefined) times.push(wait.until);
    if (wait.child) waitsForChild = true;
  }
  return {
    type: 'wait',
    readable,
    writable,
    ...(times.length > 0 && { until: Math.min(...times) }),
    ...(waitsForChild && { child: true as const }),
  };
}
