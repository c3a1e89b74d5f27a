import type { Bytes } from '../bytes.js';
import { printProcTrack } from '../conntrack/print.js';
import type { Entry } from '../files/computed.js';
import { holderOf } from '../sockets/holder.js';
import type { Socket } from '../sockets/socket.js';
import type { State } from '../state.js';

const FILES: Readonly<Record<string, (state: State) => Bytes>> = {
  tcp: (state) => socketTable(state, 'tcp'),
  udp: (state) => socketTable(state, 'udp'),
  dev: (state) => deviceTable(state),
  route: (state) => routeTable(state),
};

const CONNTRACK = 'nf_conntrack';

const trackTable = (state: State): Bytes =>
  (state.network.tracked?.(state.now) ?? []).map((entry) => `${printProcTrack(entry, state.now)}\n`).join('');

/** /proc/PID/net: of the machine's network namespace. */
export function networkEntry(state: State, path: readonly Bytes[]): Entry | undefined {
  const isTracking = state.network.tracks === true;
  if (path.length === 0)
    return { type: 'directory', names: [...Object.keys(FILES), ...(isTracking ? [CONNTRACK] : [])] };
  if (path.length === 1 && path[0] === CONNTRACK && isTracking)
    return { type: 'file', content: () => trackTable(state) };
  const content = path.length === 1 ? FILES[path[0]!] : undefined;
  return content === undefined ? undefined : { type: 'file', content: () => content(state) };
}

const hex = (value: number, width: number): string => value.toString(16).toUpperCase().padStart(width, '0');

/** An IPv4 address as the kernel prints it: the bytes of the host's order. */
function hexAddress(address: string): string {
  const parts = address.split('.').map(Number);
  if (parts.length !== 4) return '00000000';
  return parts
    .reverse()
    .map((part) => hex(part, 2))
    .join('');
}

const STATES = { listening: '0A', connected: '01', connecting: '02', failed: '07', closed: '07' };

function socketTable(state: State, protocol: 'tcp' | 'udp'): Bytes {
  const header =
    '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode' +
    ' '.repeat(53) +
    '\n';
  const line = (socket: Socket, index: number): string => {
    const local = `${hexAddress(socket.localAddress)}:${hex(socket.localPort, 4)}`;
    const remote = `${hexAddress(socket.remoteAddress)}:${hex(socket.remotePort, 4)}`;
    const user = holderOf(state, socket)?.user ?? 0;
    const status = protocol === 'udp' && socket.state === 'listening' ? '07' : STATES[socket.state];
    const queues = `00000000:${hex(socket.receivedBytes, 8)} 00:00000000 00000000`;
    const head = `${String(index).padStart(4)}: ${local} ${remote} ${status} ${queues}`;
    return `${head} ${String(user).padStart(5)}        0 ${10_000 + socket.id} 1 0000000000000000 100 0 0 10 0\n`;
  };
  return (
    header +
    [...state.sockets.values()]
      .filter((one) => one.protocol === protocol && !one.localAddress.includes(':'))
      .map(line)
      .join('')
  );
}

function deviceTable(state: State): Bytes {
  const header =
    'Inter-|   Receive                                                |  Transmit\n' +
    ' face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed\n';
  const zeros = (widths: readonly number[]): string => widths.map((width) => '0'.padStart(width)).join(' ');
  const receive = zeros([7, 7, 4, 4, 4, 5, 10, 9]);
  const transmit = zeros([8, 7, 4, 4, 4, 5, 7, 10]);
  const line = (name: string): string => `${`${name}:`.padStart(7)} ${receive} ${transmit}\n`;
  return (
    header +
    state.network
      .interfaces()
      .map((one) => line(one.name))
      .join('')
  );
}

function routeTable(state: State): Bytes {
  const header = 'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT';
  const lines = state.network.routes().map((route) => {
    const [address = '0.0.0.0', prefix = '0'] = route.destination === 'default' ? [] : route.destination.split('/');
    const bits = Number(prefix);
    const mask = [0, 8, 16, 24].map((at) => 256 - 2 ** (8 - Math.min(8, Math.max(0, bits - at)))).join('.');
    const flags = route.gateway === undefined ? '0001' : '0003';
    const columns = [hexAddress(address), hexAddress(route.gateway ?? '0.0.0.0'), flags, 0, 0, 0, hexAddress(mask)];
    return `${route.device}\t${columns.join('\t')}\t0\t0\t0`;
  });
  return [header, ...lines].map((line) => `${line.padEnd(127)}\n`).join('');
}
