import type { Bytes } from '../../../engine/kernel/bytes.js';
import type { ProcessInfo } from '../../../engine/kernel/process/syscalls.js';
import { DAY, HOUR, MINUTE, SECOND } from '../../../engine/machinery/time/time.js';
import { groupName, type Names, readNames, userName } from '../accounts.js';
import { parseOptions } from '../framework/options.js';
import { type ToolContext, ToolFailure } from '../framework/tool.js';
import { residentKiB, virtualKiB } from './table.js';

const two = (n: number): string => String(n).padStart(2, '0');

/** busybox' times: 0:05, 1h02, 3d04. */
function shortTime(ms: number): string {
  if (ms < HOUR) return `${String(Math.floor(ms / MINUTE)).padStart(2)}:${two(Math.floor(ms / SECOND) % 60)}`;
  if (ms < DAY) return `${String(Math.floor(ms / HOUR)).padStart(2)}h${two(Math.floor(ms / MINUTE) % 60)}`;
  return `${String(Math.floor(ms / DAY)).padStart(2)}d${two(Math.floor(ms / HOUR) % 24)}`;
}

/** Sizes that need more than four digits are shown in MiB or GiB. */
export function shortSize(kib: number, width: number): string {
  if (String(kib).length <= width) return String(kib);
  if (kib < 1_024 * 1_000) return `${Math.floor(kib / 1_024)}m`;
  return `${(kib / 1_048_576).toFixed(1)}g`;
}

interface Column {
  readonly header: string;
  readonly width: number;
  readonly isLeft?: boolean;
  show(process: ProcessInfo, names: Names, now: number): Bytes;
}

const argsOf = (p: ProcessInfo): Bytes => (p.argv.length > 0 ? p.argv.join(' ') : `[${p.name}]`);

const COLUMNS: Readonly<Record<string, Column>> = {
  user: { header: 'USER', width: 8, isLeft: true, show: (p, names) => userName(names, p.user).slice(0, 8) },
  group: { header: 'GROUP', width: 8, isLeft: true, show: (p, names) => groupName(names, p.groupId).slice(0, 8) },
  comm: { header: 'COMMAND', width: 16, isLeft: true, show: (p) => p.name },
  args: { header: 'COMMAND', width: 256, isLeft: true, show: argsOf },
  pid: { header: 'PID', width: 5, show: (p) => String(p.pid) },
  ppid: { header: 'PPID', width: 5, show: (p) => String(p.parent) },
  pgid: { header: 'PGID', width: 5, show: (p) => String(p.group) },
  sid: { header: 'SID', width: 5, show: (p) => String(p.session) },
  tty: { header: 'TT', width: 6, isLeft: true, show: (p) => p.terminal.replace('pts/', '136,') || '?' },
  time: { header: 'TIME', width: 5, show: (p) => shortTime(p.cpu) },
  etime: { header: 'ELAPSED', width: 7, show: (p, _, now) => shortTime(now - p.startedAt) },
  stat: { header: 'STAT', width: 4, isLeft: true, show: (p) => p.state },
  vsz: { header: 'VSZ', width: 4, show: (p) => shortSize(virtualKiB(p), 4) },
  rss: { header: 'RSS', width: 4, show: (p) => shortSize(residentKiB(p), 4) },
  nice: { header: 'NI', width: 5, show: () => '0' },
};

/** busybox' ps lists all processes, whatever its options say. */
export function listInBusybox(tool: ToolContext): number {
  const options = parseOptions(tool, ['o:', 'T', 'a', 'A', 'd', 'e', 'f', 'l']);
  const words = options.values('o').flatMap((list) => list.split(','));
  const columns = (words.length > 0 ? words : ['pid', 'user', 'time', 'args']).map(findColumn);
  const names = readNames(tool.sys);
  const width = tool.sys.isTerminal(1) ? tool.sys.terminalSize(1).columns : Infinity;
  const line = (cells: readonly Bytes[], isHeader: boolean): void => {
    const padded = cells.map((text, i) => {
      const column = columns[i]!;
      if (i === columns.length - 1) return text;
      return column.isLeft === true || isHeader ? text.padEnd(column.width) : text.padStart(column.width);
    });
    tool.out(`${padded.join(' ').slice(0, width)}\n`);
  };
  line(
    columns.map(({ header }) => header),
    true,
  );
  for (const process of tool.sys.processes()) {
    line(
      columns.map((column) => column.show(process, names, tool.sys.now)),
      false,
    );
  }
  return 0;
}

function findColumn(word: string): Column {
  const [name = '', header] = word.split(/=(.*)/s);
  const column = COLUMNS[name];
  if (column === undefined)
    throw new ToolFailure(`bad -o argument '${name}', supported arguments: ${Object.keys(COLUMNS).join(',')}`);
  return header === undefined ? column : { ...column, header };
}
