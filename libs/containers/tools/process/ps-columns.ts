import type { Bytes } from '../../../engine/kernel/bytes.js';
import type { ProcessInfo, Syscalls } from '../../../engine/kernel/process/syscalls.js';
import { SECOND } from '../../../engine/machinery/time/time.js';
import { groupName, type Names, readNames, userName } from '../accounts.js';
import { formatDate } from '../coreutils/time/date-format.js';
import {
  bsdTime,
  commandLine,
  cpuShare,
  cpuTime,
  elapsedTime,
  memoryShare,
  residentKiB,
  startTime,
  statusLetters,
  virtualKiB,
} from './table.js';

export interface PsContext {
  readonly sys: Syscalls;
  readonly names: Names;
}

export interface PsColumn {
  readonly header: string;
  readonly width: number;
  readonly isLeft: boolean;
  show(process: ProcessInfo, context: PsContext): Bytes;
  /** What --sort compares, when it is not the text. */
  weigh?(process: ProcessInfo, context: PsContext): number;
}

const right = (header: string, width: number, weigh: (p: ProcessInfo, c: PsContext) => number): PsColumn => ({
  ...{ header, width, isLeft: false, weigh },
  show: (process, context) => String(weigh(process, context)),
});
const left = (header: string, width: number, show: PsColumn['show']): PsColumn => ({
  header,
  width,
  isLeft: true,
  show,
});
const timed = (header: string, width: number, show: PsColumn['show'], weigh: (p: ProcessInfo) => number): PsColumn => ({
  ...{ header, width, isLeft: false, show, weigh },
});

/** Names of more than eight letters are cut, with a + at the end. */
const cutName = (name: Bytes): Bytes => (name.length > 8 ? `${name.slice(0, 7)}+` : name);
const showUser: PsColumn['show'] = (process, { names }) => cutName(userName(names, process.user));
const showGroup: PsColumn['show'] = (process, { names }) => cutName(groupName(names, process.groupId));
const showTerminal: PsColumn['show'] = ({ terminal }) => terminal || '?';
const percent =
  (share: (p: ProcessInfo, c: PsContext) => number): PsColumn['show'] =>
  (process, context) =>
    share(process, context).toFixed(1);
const cpuPercent = (p: ProcessInfo, { sys }: PsContext): number => cpuShare(p, sys.now);
const memoryPercent = (p: ProcessInfo, { sys }: PsContext): number => memoryShare(sys, p);

const pages = (process: ProcessInfo): number => Math.floor(virtualKiB(process) / 4);

/** procps' format specifiers, with their headers and widths (src/ps/output.c). */
export const PS_COLUMNS: Readonly<Record<string, PsColumn>> = {
  pid: right('PID', 5, (p) => p.pid),
  tgid: right('TGID', 5, (p) => p.pid),
  lwp: right('LWP', 5, (p) => p.pid),
  ppid: right('PPID', 5, (p) => p.parent),
  pgid: right('PGID', 5, (p) => p.group),
  sid: right('SID', 5, (p) => p.session),
  uid: right('UID', 5, (p) => p.user),
  gid: right('GID', 5, (p) => p.groupId),
  nlwp: right('NLWP', 4, () => 1),
  pri: right('PRI', 3, () => 19),
  opri: right('PRI', 3, () => 80),
  ni: right('NI', 3, () => 0),
  c: right('C', 2, (p, { sys }) => Math.floor(cpuShare(p, sys.now))),
  rss: right('RSS', 5, residentKiB),
  vsz: right('VSZ', 6, virtualKiB),
  sz: right('SZ', 5, pages),
  // Of -l: where nobody looks for addresses, the two share a heading.
  addrsz: {
    ...{ header: 'ADDR SZ', width: 7, isLeft: false },
    show: (process) => `- ${String(pages(process)).padStart(5)}`,
  },
  f: right('F', 1, () => 4),
  user: left('USER', 8, showUser),
  UID: left('UID', 8, showUser),
  group: left('GROUP', 8, showGroup),
  tty: left('TT', 8, showTerminal),
  tname: left('TTY', 8, showTerminal),
  stat: left('STAT', 4, statusLetters),
  s: left('S', 1, (p) => p.state),
  comm: left('COMMAND', 15, (p) => (p.state === 'Z' ? `${p.name} <defunct>` : p.name)),
  ucmd: left('CMD', 15, (p) => (p.state === 'Z' ? `${p.name} <defunct>` : p.name)),
  args: left('COMMAND', 27, commandLine),
  cmd: left('CMD', 27, commandLine),
  wchan: left('WCHAN', 6, () => '-'),
  cgroup: left('CGROUP', 27, () => '0::/'),
  lstart: timed(
    'STARTED',
    24,
    (p) => formatDate('%a %b %e %H:%M:%S %Y', p.startedAt),
    (p) => p.startedAt,
  ),
  start: timed(
    'STARTED',
    8,
    (p) => formatDate('%H:%M:%S', p.startedAt),
    (p) => p.startedAt,
  ),
  START: timed(
    'START',
    5,
    (p, { sys }) => startTime(p, sys.now),
    (p) => p.startedAt,
  ),
  stime: timed(
    'STIME',
    5,
    (p, { sys }) => startTime(p, sys.now),
    (p) => p.startedAt,
  ),
  time: timed(
    'TIME',
    8,
    (p) => cpuTime(p.cpu),
    (p) => p.cpu,
  ),
  bsdtime: timed(
    'TIME',
    6,
    (p) => bsdTime(p.cpu),
    (p) => p.cpu,
  ),
  etime: timed(
    'ELAPSED',
    11,
    (p, { sys }) => elapsedTime(sys.now - p.startedAt),
    (p) => -p.startedAt,
  ),
  etimes: timed(
    'ELAPSED',
    7,
    (p, { sys }) => String(Math.floor((sys.now - p.startedAt) / SECOND)),
    (p) => -p.startedAt,
  ),
  pcpu: { header: '%CPU', width: 4, isLeft: false, show: percent(cpuPercent), weigh: cpuPercent },
  pmem: { header: '%MEM', width: 4, isLeft: false, show: percent(memoryPercent), weigh: memoryPercent },
};

const ALIASES: Readonly<Record<string, string>> = {
  ...{ '%cpu': 'pcpu', '%mem': 'pmem', command: 'args', ucomm: 'comm', sess: 'sid', session: 'sid', pgrp: 'pgid' },
  ...{ euser: 'user', ruser: 'user', uname: 'user', euid: 'uid', ruid: 'uid', egroup: 'group', rgroup: 'group' },
  ...{ egid: 'gid', rgid: 'gid', state: 's', cputime: 'time', tt: 'tty', rssize: 'rss', vsize: 'vsz', nice: 'ni' },
  ...{ start_time: 'stime', thcount: 'nlwp', spid: 'lwp', tid: 'lwp', flags: 'f', bsdstart: 'START' },
};

export const findColumn = (name: string): PsColumn | undefined => PS_COLUMNS[ALIASES[name] ?? name];

/** The last column is as long as it is. `maxWidth`: of a terminal, which cuts the lines. */
export function formatTable(
  processes: readonly ProcessInfo[],
  columns: readonly PsColumn[],
  sys: Syscalls,
  hasHeader: boolean,
  maxWidth: number,
): Bytes {
  const context = { sys, names: readNames(sys) };
  const line = (cell: (column: PsColumn) => Bytes): Bytes => {
    const cells = columns.map((column, i) => {
      const text = cell(column);
      if (!column.isLeft) return text.padStart(column.width);
      return i === columns.length - 1 ? text : text.slice(0, Math.max(column.width, 8)).padEnd(column.width);
    });
    return `${cells.join(' ').slice(0, maxWidth)}\n`;
  };
  const header = hasHeader && columns.some((column) => column.header !== '') ? line((column) => column.header) : '';
  return header + processes.map((process) => line((column) => column.show(process, context))).join('');
}
