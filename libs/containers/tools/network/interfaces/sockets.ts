import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { SocketInfo, Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import { parseOptions } from '../../framework/options.js';
import { defineTool } from '../../framework/tool.js';
import { visibleSockets } from '../../process/node-processes.js';
import { formatRoutes } from './route.js';

interface Filter {
  readonly tcp: boolean;
  readonly udp: boolean;
  readonly listening: boolean;
  readonly all: boolean;
}

const isListening = (one: SocketInfo): boolean => one.state === 'LISTEN' || one.state === 'UNCONN';

function selectSockets(sys: Syscalls, { tcp, udp, listening, all }: Filter): SocketInfo[] {
  return visibleSockets(sys).filter((one) => {
    if (one.protocol === 'unix' || (one.protocol === 'tcp' ? !tcp : !udp)) return false;
    return all || isListening(one) === listening;
  });
}

export const ss = defineTool(
  (tool) => {
    const table = [
      ...['t,tcp', 'u,udp', 'l,listening', 'n,numeric', 'p,processes', 'a,all', 'H,no-header', '4,ipv4', '6,ipv6', 'e'],
      ...['o,options', 'i,info', 'm,memory', 's,summary', 'x,unix', 'r,resolve', 'w,raw', 'K,kill'],
    ];
    const options = parseOptions(tool, table);
    const isAny = !options.has('t') && !options.has('u');
    if (options.has('s')) {
      const tcp = tool.sys.sockets().filter(({ protocol }) => protocol === 'tcp').length;
      tool.out(`Total: ${tool.sys.sockets().length}\nTCP:   ${tcp} (estab ${tcp}, closed 0, orphaned 0, timewait 0)\n`);
      return 0;
    }
    const found = options.has('6')
      ? []
      : selectSockets(tool.sys, {
          ...{ tcp: isAny || options.has('t'), udp: isAny || options.has('u') },
          ...{ listening: options.has('l'), all: options.has('a') },
        });
    const hasType = isAny || (options.has('t') && options.has('u'));
    const head = [
      ...(hasType ? ['Netid'] : []),
      'State',
      'Recv-Q',
      'Send-Q',
      'Local Address:Port',
      'Peer Address:Port',
      'Process',
    ];
    const rows = found.map((one) => {
      const process = options.has('p') && one.pid > 0 ? `users:(("${one.program}",pid=${one.pid},fd=3))` : '';
      const isAnyAddress = one.localAddress === '::';
      const peer = isListening(one) ? `${isAnyAddress ? '*' : '0.0.0.0'}:*` : `${one.remoteAddress}:${one.remotePort}`;
      const state = one.state === 'ESTABLISHED' ? 'ESTAB' : one.state;
      const queue = one.state === 'LISTEN' ? '4096' : '0';
      return [
        ...(hasType ? [one.protocol] : []),
        state,
        '0',
        queue,
        `${isAnyAddress ? '*' : one.localAddress}:${one.localPort}`,
        peer,
        process,
      ];
    });
    const shown = options.has('H') ? rows : [head, ...rows];
    const widths = head.map((_, c) => Math.max(...[head, ...rows].map((row) => row[c]!.length)));
    tool.out(
      shown
        .map((row) => `${row.map((cell, c) => alignCell(cell, c - (hasType ? 1 : 0), widths[c]!)).join(' ')}\n`)
        .join(''),
    );
    return 0;
  },
  { usage: '[ OPTIONS ]', version: 'ss utility, iproute2-6.1.0', usageCode: 255 },
);

/** Addresses are aligned at their colon's left: as one column they stand at the right. */
function alignCell(cell: Bytes, column: number, width: number): Bytes {
  return column === 3 || column === 4 ? cell.padStart(width) : cell.padEnd(width);
}

export const netstat = defineTool(
  (tool) => {
    const table = [
      ...[
        't,tcp',
        'u,udp',
        'l,listening',
        'n,numeric',
        'p,programs',
        'a,all',
        'r,route',
        'e,extend',
        'W,wide',
        'c,x,w',
      ],
      ...['4,inet', '6,inet6', 'i,interfaces', 's,statistics'],
    ];
    const options = parseOptions(tool, table);
    if (options.has('r')) {
      tool.out(formatRoutes(tool.sys, 'netstat'));
      return 0;
    }
    const isAny = !options.has('t') && !options.has('u');
    const filter = { tcp: isAny || options.has('t'), udp: isAny || options.has('u') };
    const isListing = options.has('l');
    const found = selectSockets(tool.sys, { ...filter, listening: isListing, all: options.has('a') });
    const scope = options.has('a') ? 'servers and established' : isListing ? 'only servers' : 'w/o servers';
    const program = options.has('p') ? (tool.flavour === 'gnu' ? 'PID/Program name    ' : 'PID/Program name    ') : '';
    tool.out(`Active Internet connections (${scope})\n`);
    tool.out(`Proto Recv-Q Send-Q Local Address           Foreign Address         State       ${program}\n`);
    for (const one of found) {
      const isV6 = one.localAddress === '::';
      const peer = isListening(one) ? `${isV6 ? '::' : '0.0.0.0'}:*` : `${one.remoteAddress}:${one.remotePort}`;
      const state = one.state === 'UNCONN' ? '' : one.state;
      const owner = one.pid > 0 ? `${one.pid}/${one.program}` : '-';
      const local = `${one.localAddress}:${one.localPort}`;
      tool.out(
        `${(one.protocol + (isV6 ? '6' : '')).padEnd(5)}      0      0 ${local.padEnd(23)} ${peer.padEnd(23)} ${state.padEnd(11)} ` +
          `${options.has('p') ? owner.padEnd(tool.flavour === 'gnu' ? 20 : 0) : ''}\n`,
      );
    }
    if (isAny && tool.flavour === 'gnu') {
      tool.out(
        `Active UNIX domain sockets (${scope})\nProto RefCnt Flags       Type       State         I-Node   Path\n`,
      );
    }
    return 0;
  },
  { usage: '[-ral] [-tuwx] [-en]', version: 'net-tools 2.10' },
);
