import type { Bytes } from '../bytes.js';
import { StartFailure } from '../container.js';
import type { Container } from '../container-state.js';
import { findCommand, withHome } from '../containers/command.js';
import { makePipe } from '../descriptors/pipe.js';
import { openDescription } from '../descriptors/table.js';
import { SystemError } from '../errno.js';
import type { Process } from '../process/process.js';
import { makeProcess } from '../process/spawn.js';
import { connectSession } from '../sockets/connect.js';
import { isOwnAddress } from '../sockets/table.js';
import type { State } from '../state.js';
import { makeTerminal, resizeTerminal } from '../terminals/input.js';
import { makeSession } from './output.js';
import type { Session, TerminalSize } from './session.js';

export interface ExecRequest {
  readonly argv: readonly Bytes[];
  /** Over the container's. */
  readonly env?: Readonly<Record<string, Bytes>>;
  readonly cwd?: Bytes;
  readonly user?: number;
  readonly group?: number;
  readonly terminal: boolean;
  readonly stdin: boolean;
  readonly size?: TerminalSize;
}

export interface AttachRequest {
  readonly stdin: boolean;
  readonly size?: TerminalSize;
}

/** Throws StartFailure. */
function runningContainer(state: State, id: string): Container {
  const container = state.containers.get(id);
  if (container === undefined || container.exit !== undefined) throw new StartFailure(`container is not running`);
  return container;
}

/** A process beside the main one, with streams of its own. Throws StartFailure with runc's words. */
export function openExec(state: State, id: string, request: ExecRequest): Session {
  const container = runningContainer(state, id);
  const user = request.user ?? container.user;
  const group = request.group ?? container.group;
  const cwd = request.cwd ?? container.cwd;
  const env = { ...container.env, ...request.env };
  const identity = { user, group, groups: container.groups };
  const execution = findCommand(state, container, identity, cwd, request.argv, env);
  const terminalEnv: Record<string, Bytes> = request.terminal ? { TERM: 'xterm' } : {};
  const process = startProcess(state, container, {
    ...execution,
    env: withHome(state, container, user, { ...env, ...terminalEnv }),
    cwd,
    user,
    groupId: group,
  });
  const session = makeSession(state, 'exec', id);
  process.sessionId = session.id;
  if (request.terminal) openOwnTerminal(state, session, process, request.size);
  else openOwnStreams(state, session, process, request.stdin);
  return session;
}

type Start = Pick<Process, 'program' | 'argv' | 'name' | 'executable' | 'env' | 'cwd' | 'user' | 'groupId'>;

function startProcess(state: State, container: Container, start: Start): Process {
  try {
    return makeProcess(state, {
      ...start,
      namespace: container.namespace,
      container: container.id,
      parent: 0,
      group: 0,
      session: 0,
      umask: 0o022,
      groups: [...container.groups],
      actions: {},
    });
  } catch (error) {
    if (error instanceof SystemError) throw new StartFailure(error.message.toLowerCase());
    throw error;
  }
}

function openOwnTerminal(state: State, session: Session, process: Process, size?: TerminalSize): void {
  const { namespace, container } = process;
  const terminal = makeTerminal(state, { container, sessionId: session.id, namespace }, size);
  terminal.session = process.session;
  terminal.foreground = process.group;
  session.terminal = terminal.id;
  process.terminal = terminal.id;
  const open = openDescription(state, { type: 'terminal', read: true, write: true, terminal: terminal.id });
  for (const descriptor of [0, 1, 2]) give(process, descriptor, open);
}

function openOwnStreams(state: State, session: Session, process: Process, hasInput: boolean): void {
  if (hasInput) {
    const pipe = makePipe(state).id;
    give(process, 0, openDescription(state, { type: 'pipe', read: true, write: false, pipe }));
    const writing = openDescription(state, { type: 'pipe', read: false, write: true, pipe });
    writing.references++;
    session.stdin = writing.id;
  } else
    give(process, 0, openDescription(state, { type: 'device', read: true, write: true, device: 'null', offset: 0 }));
  for (const [descriptor, stream] of [[1, 'stdout'] as const, [2, 'stderr'] as const]) {
    const fields = { type: 'session', read: false, write: true, session: session.id, stream } as const;
    give(process, descriptor, openDescription(state, fields));
  }
}

function give(process: Process, descriptor: number, open: { readonly id: number; references: number }): void {
  open.references++;
  process.descriptors[descriptor] = open.id;
}

/** The main process' own streams: its output from now on. */
export function openAttach(state: State, id: string, request: AttachRequest): Session {
  const container = runningContainer(state, id);
  const session = makeSession(state, 'attach', id);
  if (request.stdin) session.stdin = container.stdin;
  session.terminal = container.terminal;
  const terminal = state.terminals.get(container.terminal ?? -1);
  if (terminal !== undefined && request.size !== undefined) resizeTerminal(state, terminal, request.size);
  return session;
}

/** The address that servers see of who comes from outside of the machines' network. */
export const OUTSIDE_ADDRESS = '10.244.0.1';

/** A stream from outside. Throws ECONNREFUSED. */
export function openStream(state: State, port: number, address: string, peer = OUTSIDE_ADDRESS): Session {
  const session = makeSession(state, 'stream', '');
  try {
    const from = isOwnAddress(state, address) && address.startsWith('127.') ? '127.0.0.1' : peer;
    session.socket = connectSession(state, session.id, port, address, from).id;
  } catch (error) {
    state.sessions.delete(session.id);
    throw error;
  }
  return session;
}
