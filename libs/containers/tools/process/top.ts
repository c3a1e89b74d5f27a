import type { Bytes } from '../../../engine/kernel/bytes.js';
import type { ProcessInfo, Syscalls } from '../../../engine/kernel/process/syscalls.js';
import { MINUTE, SECOND } from '../../../engine/machinery/time/time.js';
import { readNames, userName } from '../accounts.js';
import type { FilterContext } from '../framework/filter.js';
import { parseOptions } from '../framework/options.js';
import { defineSteps } from '../framework/steps.js';
import { ToolFailure, UsageFailure } from '../framework/tool.js';
import { shortSize } from './busybox-ps.js';
import { readMemory, uptimeLine } from './memory.js';
import { commandLine, loadAverages, memoryShare, residentKiB, virtualKiB } from './table.js';

type TopState = {
  isBatch: boolean;
  interval: number;
  /** -1: until it is stopped. */
  left: number;
  until: number;
  showsCommandLines: boolean;
  pids: number[];
  /** ms of CPU at the last look, by pid. */
  before: Record<string, number>;
  lookedAt: number;
};

const CLEAR = '\x1b[H\x1b[J';

export const top = defineSteps<TopState>({
  start(tool) {
    const gnuTable = ['b,batch', 'c', 'n:', 'd:', 'H', 'i', 'p:', 's', 'S', 'u:', 'U:', 'w::', 'o:', 'e:', 'E:', '1'];
    const isGnu = tool.flavour === 'gnu';
    const args = tool.args.map((word, i) => (i === 0 && /^[bcn]+\d*$/.test(word) && isGnu ? `-${word}` : word));
    const options = parseOptions({ ...tool, args }, isGnu ? gnuTable : ['b', 'n:', 'd:', 'm', 'H']);
    if (options.operands.length > 0) throw new UsageFailure('');
    const isBatch = options.has('b');
    if (!isBatch && isGnu && !tool.sys.isTerminal(0)) throw new ToolFailure('failed tty get');
    if (!isBatch && isGnu && tool.sys.env['TERM'] === undefined) {
      tool.err('TERM environment variable not set.\n');
      return 1;
    }
    const count = options.value('n');
    const interval = Number(options.value('d') ?? (isGnu ? 3 : 5));
    if (count !== undefined && !/^\d+$/.test(count)) throw new ToolFailure(`bad iterations argument '${count}'`);
    if (!(interval >= 0)) throw new ToolFailure(`bad delay interval '${options.value('d')}'`);
    if (!isBatch && tool.sys.isTerminal(0)) tool.sys.setTerminalMode(0, 'raw');
    return {
      ...{ isBatch, interval: Math.max(100, interval * SECOND), left: count === undefined ? -1 : Number(count) },
      ...{ until: 0, showsCommandLines: options.has('c'), before: {}, lookedAt: 0 },
      pids: options.values('p').flatMap((list) => list.split(',').map(Number)),
    };
  },
  step(tool, state) {
    const { sys } = tool;
    const keys = state.isBatch ? undefined : sys.read(0);
    if (keys === '' || (keys !== undefined && /[q\x03]/.test(keys))) return leave(tool);
    if (sys.now >= state.until || keys !== undefined) {
      if (state.left === 0) return state.isBatch ? 0 : leave(tool);
      if (state.left > 0) state.left--;
      tool.out((state.isBatch ? '' : CLEAR) + draw(tool, state) + (state.isBatch && state.left !== 0 ? '\n' : ''));
      state.until = sys.now + state.interval;
      if (state.left === 0) return state.isBatch ? 0 : leave(tool);
    }
    return { type: 'wait', until: state.until, ...(state.isBatch ? {} : { readable: [0] }) };
  },
});

function leave(tool: FilterContext): number {
  if (tool.sys.isTerminal(0)) tool.sys.setTerminalMode(0, 'cooked');
  tool.out('\n');
  return 0;
}

function draw(tool: FilterContext, state: TopState): Bytes {
  const { sys } = tool;
  const processes = sys.processes().filter(({ pid }) => state.pids.length === 0 || state.pids.includes(pid));
  const span = Math.max(SECOND, state.lookedAt === 0 ? sys.now - sys.bootedAt : sys.now - state.lookedAt);
  const shares = new Map(
    processes.map((one) => [one.pid, ((one.cpu - (state.before[one.pid] ?? 0)) * 100) / span] as const),
  );
  state.before = Object.fromEntries(processes.map((one) => [one.pid, one.cpu]));
  state.lookedAt = sys.now;
  const sorted = [...processes].sort((a, b) => shares.get(b.pid)! - shares.get(a.pid)! || a.pid - b.pid);
  const busy = Math.min(100, [...shares.values()].reduce((sum, share) => sum + share, 0) / sys.cpus);
  const text =
    tool.flavour === 'gnu'
      ? gnuHead(sys, processes, busy) + gnuRows(sys, sorted, shares, state.showsCommandLines)
      : busyboxHead(sys, busy) + busyboxRows(sys, sorted, shares);
  if (state.isBatch || !sys.isTerminal(1)) return text;
  const { rows, columns } = sys.terminalSize(1);
  const lines = text.split('\n').slice(0, rows - 1);
  return lines.map((line) => line.slice(0, columns)).join('\r\n');
}

const mib = (kib: number): string => (kib / 1_024).toFixed(1).padStart(9);

function gnuHead(sys: Syscalls, processes: readonly ProcessInfo[], busy: number): Bytes {
  const count = (...states: string[]): string =>
    String(processes.filter(({ state }) => states.includes(state)).length).padStart(3);
  const { total, free, used, cached, available } = readMemory(sys);
  const share = (value: number): string => value.toFixed(1).padStart(5);
  return [
    `top -${uptimeLine(sys, true).trimEnd()}`,
    `Tasks: ${String(processes.length).padStart(3)} total, ${count('R')} running, ${count('S')} sleeping, ` +
      `${count('T')} stopped, ${count('Z')} zombie`,
    `%Cpu(s):${share(busy)} us,  0.0 sy,  0.0 ni,${share(100 - busy)} id,  0.0 wa,  0.0 hi,  0.0 si,  0.0 st `,
    `MiB Mem :${mib(total)} total,${mib(free)} free,${mib(used)} used,${mib(cached)} buff/cache     `,
    `MiB Swap:${mib(0)} total,${mib(0)} free,${mib(0)} used.${mib(available)} avail Mem `,
    '',
    '    PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND',
    '',
  ].join('\n');
}

function gnuRows(
  sys: Syscalls,
  processes: readonly ProcessInfo[],
  shares: ReadonlyMap<number, number>,
  showsCommandLines: boolean,
): Bytes {
  const names = readNames(sys);
  const time = (ms: number): string => {
    const seconds = ((ms % MINUTE) / SECOND).toFixed(2).padStart(5, '0');
    return `${Math.floor(ms / MINUTE)}:${seconds}`;
  };
  const row = (one: ProcessInfo): Bytes =>
    [
      String(one.pid).padStart(7),
      userName(names, one.user).slice(0, 8).padEnd(8),
      ' 20   0',
      String(virtualKiB(one)).padStart(7),
      String(residentKiB(one)).padStart(6),
      String(Math.floor(residentKiB(one) * 0.9)).padStart(6),
      one.state,
      shares.get(one.pid)!.toFixed(1).padStart(5),
      memoryShare(sys, one).toFixed(1).padStart(5),
      time(one.cpu).padStart(9),
      showsCommandLines ? commandLine(one) : one.name,
    ].join(' ');
  return processes.map((one) => `${row(one)}\n`).join('');
}

function busyboxHead(sys: Syscalls, busy: number): Bytes {
  const { total, free, shared, cached } = readMemory(sys);
  const percent = (value: number): string => `${Math.round(value)}%`.padStart(4);
  const load = loadAverages(sys).join(' ');
  const count = sys.processes().length;
  return [
    `Mem: ${total - free}K used, ${free}K free, ${shared}K shrd, 16384K buff, ${cached}K cached`,
    `CPU:${percent(busy)} usr   0% sys   0% nic${percent(100 - busy)} idle   0% io   0% irq   0% sirq`,
    `Load average: ${load} 1/${count} ${sys.pid}`,
    '  PID  PPID USER     STAT   VSZ %VSZ CPU %CPU COMMAND',
    '',
  ].join('\n');
}

function busyboxRows(sys: Syscalls, processes: readonly ProcessInfo[], shares: ReadonlyMap<number, number>): Bytes {
  const names = readNames(sys);
  const total = Math.max(1, readMemory(sys).total);
  const percent = (value: number): string => `${Math.round(value)}%`.padStart(4);
  const row = (one: ProcessInfo): Bytes =>
    [
      String(one.pid).padStart(5),
      String(one.parent).padStart(5),
      userName(names, one.user).slice(0, 8).padEnd(8),
      one.state.padEnd(4),
      shortSize(virtualKiB(one), 5).padStart(5),
      percent((virtualKiB(one) * 100) / total),
      '  0',
      percent(shares.get(one.pid)!),
      commandLine(one),
    ].join(' ');
  return processes.map((one) => `${row(one)}\n`).join('');
}
