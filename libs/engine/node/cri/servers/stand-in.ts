import { bytesOf, textOf, type Bytes } from '../../../kernel/bytes.js';
import type { FileNode, ImageFiles } from '../../../kernel/files/file.js';
import { exit, type Plain, type Program, type Wait } from '../../../kernel/process/program.js';
import type { Syscalls } from '../../../kernel/process/syscalls.js';
import { BAD_REQUEST, formatAnswer, parseRequest, type ParsedRequest } from '../../cni/http-bytes.js';
import type { Reader } from '../../../machinery/client.js';
import type { Process } from '../image.js';

/** Connections of one server that are read at the same time. */
const MAX_CONNECTIONS = 100;
const MAX_REQUEST = 1_048_576;
const DIRECTORIES = '/usr/local/bin/';
const PREFIX = 'stand-in/';

export const standInName = (container: string): string => PREFIX + container;

/** The container whose server a program stands in for; undefined for other programs. */
export const containerOfStandIn = (name: string): string | undefined =>
  name.startsWith(PREFIX) ? name.slice(PREFIX.length) : undefined;

/** The image's files with an executable file for a server that is known by its summary only. */
export function withStandIn(files: ImageFiles, argv0: string, container: string): ImageFiles {
  const path = bytesOf(behindLink(files, argv0.startsWith('/') ? argv0 : DIRECTORIES + argv0));
  const node: FileNode = {
    type: 'file',
    mode: 0o755,
    user: 0,
    group: 0,
    modified: 0,
    size: 1_000_000,
    program: standInName(container),
  };
  return { ...files, [path]: node };
}

/** Where a file really stands whose first directory is a link, as /bin is in Debian. */
function behindLink(files: ImageFiles, path: string): string {
  const end = path.indexOf('/', 1);
  const target = end < 0 ? undefined : files[path.slice(0, end)]?.target;
  if (target === undefined) return path;
  return (target.startsWith('/') ? target : `/${target}`) + path.slice(end);
}

interface State {
  [part: string]: Plain;
  startedAt: number;
  /** Lines of the summary's log that are written. */
  written: number;
  /** Descriptors of listening sockets; empty before it is ready. */
  listening: number[];
  connections: { descriptor: number; port: number; received: string }[];
  isReady: boolean;
  /** When it ends after a signal. */
  endsAt: number | null;
  code: number;
}

/**
 * The main program of a container whose image sums it up (Image.start): its own (Process.program), or one that writes
 * the summary's lines, listens on its ports, answers HTTP by `serve`, and ends as the summary says.
 */
export const standIn = (find: () => Process | undefined, read: Reader): Program => ({
  start(argv, sys) {
    const own = find()?.program?.(read);
    if (own) return own.start(argv, sys);
    for (const signal of ['TERM', 'INT', 'QUIT'] as const) if (find()?.stop) sys.handleSignal(signal, 'catch');
    const state: State = {
      startedAt: sys.now,
      written: 0,
      listening: [],
      connections: [],
      isReady: false,
      endsAt: null,
      code: 0,
    };
    return state;
  },
  step(plain, sys) {
    const process = find();
    if (!process) return exit(1);
    return process.program?.(read).step(plain, sys) ?? stepServer(plain as State, { process, read }, sys);
  },
});

/** A server, and the cluster that it is in. */
interface Standing {
  readonly process: Process;
  readonly read: Reader;
}

function stepServer(state: State, standing: Standing, sys: Syscalls): Wait {
  const { process } = standing;
  const since = sys.now - state.startedAt;
  const next = writeLines(state, process, since, sys);
  while (sys.takeSignal()) {
    state.endsAt ??= sys.now + (process.stop?.afterMs ?? 0);
    state.code = process.stop?.code ?? 0;
  }
  if (state.endsAt !== null && sys.now >= state.endsAt) return exit(state.code);
  if (process.exit && since >= process.exit.afterMs) return exit(process.exit.code);
  if (since >= process.readyAfterMs && !state.isReady) beReady(state, process, sys);
  for (const descriptor of state.listening) acceptAll(state, descriptor, sys);
  state.connections = state.connections.filter((connection) => serve(connection, standing, since, sys));
  const times = [next, state.endsAt ?? undefined, process.exit && state.startedAt + process.exit.afterMs];
  if (!state.isReady) times.push(state.startedAt + process.readyAfterMs);
  const known = times.filter((time) => time !== undefined);
  return {
    type: 'wait',
    readable: [...state.listening, ...state.connections.map(({ descriptor }) => descriptor)],
    ...(known.length > 0 ? { until: Math.min(...known) } : {}),
  };
}

/** Writes the lines that are due; returns when the next one is. */
function writeLines(state: State, process: Process, since: number, sys: Syscalls): number | undefined {
  const lines = process.lines(Number.MAX_SAFE_INTEGER);
  for (; state.written < lines.length; state.written++) {
    const { at, text, stream } = lines[state.written]!;
    if (at > since) return state.startedAt + at;
    sys.write(stream === 'stderr' ? 2 : 1, `${bytesOf(text)}\n`);
  }
  return undefined;
}

function beReady(state: State, process: Process, sys: Syscalls): void {
  state.isReady = true;
  if (process.standsIn) return;
  for (const port of new Set(process.listens)) {
    try {
      state.listening.push(sys.listen(port));
    } catch {
      // Another container of the pod has the port: this one's server would have ended.
      sys.write(2, `listen tcp :${port}: bind: address already in use\n`);
    }
  }
}

function acceptAll(state: State, descriptor: number, sys: Syscalls): void {
  for (let made = sys.accept(descriptor); made; made = sys.accept(descriptor)) {
    if (state.connections.length >= MAX_CONNECTIONS) sys.close(made.descriptor);
    else
      state.connections.push({ descriptor: made.descriptor, port: sys.socketName(made.descriptor).port, received: '' });
  }
}

/** Reads from a connection and answers a complete HTTP request. False: the connection is closed. */
function serve(connection: State['connections'][number], standing: Standing, since: number, sys: Syscalls): boolean {
  const close = (): false => {
    sys.close(connection.descriptor);
    return false;
  };
  for (;;) {
    const bytes = sys.read(connection.descriptor);
    if (bytes === undefined) break;
    if (bytes === '') return close();
    connection.received += bytes;
    if (connection.received.length > MAX_REQUEST) return close();
  }
  for (;;) {
    const request = parseRequest(connection.received);
    if (request === undefined) return true;
    if (request === 'bad') {
      sys.write(connection.descriptor, BAD_REQUEST);
      return close();
    }
    connection.received = connection.received.slice(request.length);
    sys.write(connection.descriptor, answerOf(request, connection.port, standing, since));
    if (!request.keepsAlive) return close();
  }
}

function answerOf(request: ParsedRequest, port: number, { process, read }: Standing, since: number): Bytes {
  const { method, path, headers, keepsAlive } = request;
  const body = textOf(request.body);
  const answer = process.serve?.({ scheme: 'http', port, method, path, headers, body }, since, read) ?? { status: 200 };
  return formatAnswer({ ...answer, body: bytesOf(answer.body ?? '') }, method, !keepsAlive);
}
