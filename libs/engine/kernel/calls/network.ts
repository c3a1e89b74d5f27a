import type { Bytes } from '../bytes.js';
import { openCapture } from '../capture/capture.js';
import { descriptionOf, install, openDescription } from '../descriptors/table.js';
import { SystemError, type ErrorCode } from '../errno.js';
import type { Process } from '../process/process.js';
import type { SocketInfo } from '../process/syscalls.js';
import { capabilitiesOf } from '../process/viewer.js';
import { connectTo, listenAt, shutDownSocket } from '../sockets/connect.js';
import { holderOf } from '../sockets/holder.js';
import type { Socket } from '../sockets/socket.js';
import type { State } from '../state.js';

const FIRST_PRIVILEGED = 'net.ipv4.ip_unprivileged_port_start';

function socketOf(state: State, process: Process, descriptor: number): Socket {
  const open = descriptionOf(state, process, descriptor);
  const socket = open.type === 'socket' ? state.sockets.get(open.socket) : undefined;
  if (socket === undefined) throw new SystemError('EINVAL');
  return socket;
}

function installSocket(state: State, process: Process, socket: Socket): number {
  return install(
    state,
    process,
    openDescription(state, { type: 'socket', read: true, write: true, socket: socket.id }),
  );
}

/** Throws EPERM, EINVAL. */
export function enterNamespace(state: State, process: Process, name: string): void {
  if (!capabilitiesOf(state, process).includes('SYS_ADMIN')) throw new SystemError('EPERM');
  const before = process.networkNamespace;
  process.networkNamespace = undefined;
  if (state.network.enter?.(name) !== undefined) process.networkNamespace = name;
  else {
    process.networkNamespace = before;
    throw new SystemError('EINVAL');
  }
}

/** A machine's own sockets are of its own namespace. */
function requireOwnNamespace({ networkNamespace }: Process): void {
  if (networkNamespace !== undefined) throw new SystemError('EPERM');
}

/** containerd lets every user listen at every port, unless a sysctl says otherwise. */
export function listen(
  state: State,
  process: Process,
  port: number,
  options: { readonly address?: string; readonly protocol?: 'tcp' | 'udp' },
): number {
  if (port < 0 || port > 65_535) throw new SystemError('EINVAL');
  requireOwnNamespace(process);
  const firstFree = Number(state.parameters.get(FIRST_PRIVILEGED) ?? 0);
  const isPrivileged = port !== 0 && port < firstFree;
  if (isPrivileged && !capabilitiesOf(state, process).includes('NET_BIND_SERVICE')) throw new SystemError('EACCES');
  if (options.protocol !== 'udp' && isTakenByOthers(state, process, port)) throw new SystemError('EADDRINUSE');
  const socket = listenAt(state, port, options.address ?? '0.0.0.0', options.protocol ?? 'tcp');
  return installSocket(state, process, socket);
}

/** Other machines may be in the same network namespace, and so may the node's own servers. */
const isTakenByOthers = (state: State, process: Process, port: number): boolean =>
  state.containers.get(process.container)?.takenPorts?.includes(port) === true ||
  state.network.isTaken?.(port, state.now) === true;

/** A packet socket: for who may see what passes. */
export function capture(state: State, process: Process): number {
  if (!capabilitiesOf(state, process).includes('NET_RAW')) throw new SystemError('EPERM');
  requireOwnNamespace(process);
  return installSocket(state, process, openCapture(state));
}

export const lostPackets = (state: State, process: Process, descriptor: number): number =>
  socketOf(state, process, descriptor).lost ?? 0;

export function accept(state: State, process: Process, descriptor: number) {
  const listener = socketOf(state, process, descriptor);
  if (listener.state !== 'listening') throw new SystemError('EINVAL');
  const id = listener.backlog.shift();
  const socket = id === undefined ? undefined : state.sockets.get(id);
  if (socket === undefined) return undefined;
  const { remoteAddress: address, remotePort: port, original } = socket;
  return { descriptor: installSocket(state, process, socket), address, port, ...(original ? { original } : {}) };
}

export function connect(
  state: State,
  process: Process,
  address: string,
  port: number,
  protocol: 'tcp' | 'udp',
): number {
  if (port < 0 || port > 65_535) throw new SystemError('EINVAL');
  return installSocket(state, process, connectTo(state, address, port, protocol, process.user));
}

export function connectError(state: State, process: Process, descriptor: number): ErrorCode | undefined {
  const socket = socketOf(state, process, descriptor);
  if (socket.state === 'connecting') throw new SystemError('EAGAIN');
  return socket.state === 'failed' ? socket.error : undefined;
}

export function shutDown(state: State, process: Process, descriptor: number): void {
  const socket = socketOf(state, process, descriptor);
  if (socket.state !== 'connected') throw new SystemError('ENOTCONN');
  shutDownSocket(state, socket);
}

export function peerName(state: State, process: Process, descriptor: number) {
  const socket = socketOf(state, process, descriptor);
  if (socket.state !== 'connected') throw new SystemError('ENOTCONN');
  return { address: socket.remoteAddress, port: socket.remotePort };
}

export function socketName(state: State, process: Process, descriptor: number) {
  const socket = socketOf(state, process, descriptor);
  return { address: socket.localAddress, port: socket.localPort };
}

export function socketsOf(state: State, viewer: Process): SocketInfo[] {
  if (viewer.networkNamespace !== undefined) return [...(state.network.sockets?.(state.now) ?? [])];
  const infos: SocketInfo[] = [];
  for (const socket of state.sockets.values()) {
    if (socket.state !== 'listening' && socket.state !== 'connected') continue;
    const { protocol } = socket;
    if (protocol === 'packet') continue;
    const owner = holderOf(state, socket);
    const isSeen = owner !== undefined && owner.namespace === viewer.namespace;
    infos.push({
      protocol,
      state: stateName(socket),
      localAddress: socket.localAddress,
      localPort: socket.localPort,
      remoteAddress: socket.remoteAddress,
      remotePort: socket.remotePort,
      pid: isSeen ? owner.pid : 0,
      program: (isSeen ? owner.name : '') as Bytes,
    });
  }
  return infos;
}

function stateName(socket: Socket): SocketInfo['state'] {
  if (socket.state === 'connected') return 'ESTABLISHED';
  return socket.protocol === 'udp' ? 'UNCONN' : 'LISTEN';
}
