import { digestOf } from '../../../../engine/node/digest.js';
import { sleepUntil } from '../../../../engine/kernel/process/program.js';
import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { auditMessages } from '../../process/kernel.js';
import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import type { FilterContext } from '../../framework/filter.js';
import { type Options, parseOptions } from '../../framework/options.js';
import { compileRegex, RegexFault } from '../../patterns/posix-regex.js';
import { nodeBootedAt } from '../../process/node-processes.js';
import { defineSteps } from '../../framework/steps.js';
import { ToolFailure } from '../../framework/tool.js';
import type { Disk } from '../../../../engine/node/host/files/disk.js';
import { diskOf } from '../disk.js';
import type { JournalEntry } from './journal.js';
import { parsePriorities, priorityOf } from '../priority.js';
import { formatEntry, serviceEntries } from './service-log.js';
import { readService, unitsOn } from './services.js';

const OPTIONS = [
  ...['u,unit:', 'n,lines:', 'f,follow', 'S,since:', 'U,until:', 'no-pager', 'e,pager-end', 'x,catalog', 'r,reverse'],
  ...[
    'o,output:',
    'b,boot::',
    'a,all',
    'p,priority:',
    'k,dmesg',
    'q,quiet',
    'no-hostname',
    'l,full',
    'g,grep:',
    't,identifier:',
    'list-boots',
    'disk-usage',
    'vacuum-size:',
    'vacuum-time:',
    'rotate',
    'flush',
    'utc',
    'case-sensitive::',
    'no-tail',
    'm,merge',
    'output-fields:',
  ],
];
const LAST = 10;
const LOOK_EVERY = 1_000;
const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

type JournalState = {
  units: string[];
  output: string;
  since: number;
  isFollowing: boolean;
  shownTo: number;
  level: string;
};

/** Models systemd's journalctl over what the node's services printed. */
export const journalctl = defineSteps<JournalState>({
  start(tool) {
    const options = parseOptions({ ...tool, args: withLineCount(tool.args) }, OPTIONS);
    const { sys } = tool;
    const output = options.value('o') ?? 'short';
    if (!OUTPUTS.includes(output)) throw new ToolFailure(`Unknown output format '${output}'.`);
    if (options.has('list-boots', 'disk-usage', 'vacuum-size', 'vacuum-time', 'rotate', 'flush'))
      return keep(tool, options);
    const fields = options.operands.map(
      (word) => /^(_SYSTEMD_UNIT|SYSLOG_IDENTIFIER|_COMM|UNIT)=(.*)$/.exec(word)?.[2],
    );
    if (fields.includes(undefined)) {
      tool.err(`Failed to add match '${options.operands[fields.indexOf(undefined)]}': Invalid argument\n`);
      return 1;
    }
    const named = [...options.values('u'), ...options.values('t'), ...fields.map((one) => one ?? '')];
    const units = unitsOf(diskOf(sys), named);
    const since = timeOf(options.value('S'), sys.now) ?? -Infinity;
    const until = timeOf(options.value('U'), sys.now) ?? sys.now;
    const pattern = options.value('g');
    const level = options.value('p') ?? 'debug';
    const isAsked = parsePriorities(level);
    if (!isAsked) throw new ToolFailure(`Unknown log level ${level}`);
    const asked = compilePattern(pattern);
    const isOfKernel = options.has('k') || named.includes('kernel');
    const found = (isOfKernel ? kernelEntries(sys) : entriesOf(sys, units, until)).filter(
      (one) => one.at >= since && isAsked(priorityOf(one)) && asked(one.text),
    );
    const isFollowing = options.has('f');
    const lines = options.has('n') ? Number(options.value('n') || LAST) : isFollowing ? LAST : Infinity;
    if (Number.isNaN(lines)) throw new ToolFailure(`Failed to parse lines '${options.value('n')}'`);
    const shown = lines === Infinity ? found : lines === 0 ? [] : found.slice(-lines);
    if (options.has('r')) shown.reverse();
    if (shown.length === 0 && !options.has('q')) tool.out('-- No entries --\n');
    for (const entry of shown) tool.out(format(entry, sys.hostname, output));
    if (!isFollowing) return 0;
    return { units, output, since: sys.now, isFollowing, shownTo: sys.now, level };
  },
  step(tool, state) {
    const { sys } = tool;
    const isAsked = parsePriorities(state.level);
    const fresh = entriesOf(sys, state.units, sys.now).filter(
      (one) => one.at > state.shownTo && isAsked?.(priorityOf(one)),
    );
    for (const entry of fresh) tool.out(format(entry, sys.hostname, state.output));
    state.shownTo = sys.now;
    return sleepUntil(sys.now + LOOK_EVERY);
  },
});

const OUTPUTS = ['short', 'short-full', 'short-iso', 'short-precise', 'cat', 'json', 'json-pretty', 'with-unit'];

/** What concerns the journal's files, of which there is one. */
function keep(tool: FilterContext, options: Options): number {
  const { sys } = tool;
  if (options.has('disk-usage')) tool.out('Archived and active journals take up 8M in the file system.\n');
  if (options.has('list-boots')) {
    const id = digestOf(`${sys.hostname}/${nodeBootedAt(sys)}`).slice(0, 32);
    const [first, last] = [nodeBootedAt(sys), sys.now].map(fullTime) as [string, string];
    tool.out(
      `IDX ${'BOOT ID'.padEnd(32)} ${'FIRST ENTRY'.padEnd(first.length)} LAST ENTRY\n  0 ${id} ${first} ${last}\n`,
    );
  }
  if (options.has('vacuum-size', 'vacuum-time'))
    tool.err('Vacuuming done, freed 0B of archived journals from /var/log/journal.\n');
  return 0;
}

/** 'Thu 2026-01-01 12:00:00 UTC'. */
const fullTime = (at: number): string =>
  `${new Date(at).toUTCString().slice(0, 3)} ${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** `-g`: a small letter is found in both cases, unless there is a capital one. Throws ToolFailure. */
function compilePattern(pattern: Bytes | undefined): (text: Bytes) => boolean {
  if (pattern === undefined) return () => true;
  try {
    const regex = compileRegex(pattern, 'perl', { ignoreCase: pattern === pattern.toLowerCase() });
    return (text) => regex.test(text);
  } catch (error) {
    if (!(error instanceof RegexFault)) throw error;
    throw new ToolFailure(`Bad pattern "${pattern}": ${error.message}`);
  }
}

/** `-k`: what the kernel has said since the node's start. */
function kernelEntries(sys: Syscalls): JournalEntry[] {
  const booted = nodeBootedAt(sys);
  return [...sys.kernelLog(), ...auditMessages(sys)].map(({ at, text }) => ({
    at: booted + Math.round(at * 1_000),
    program: 'kernel',
    pid: 0,
    text,
  }));
}

/** `-n` may stand without a number. */
const withLineCount = (args: readonly Bytes[]): Bytes[] =>
  args.flatMap((word, i) => (word === '-n' && !/^\d/.test(args[i + 1] ?? '') ? [`-n${LAST}`] : [word]));

/** Units that the journal has nothing of are not there: their list is empty. */
function unitsOf(disk: Disk, names: readonly string[]): string[] {
  const units = unitsOn(disk);
  if (names.length === 0) return units;
  return units.filter((unit) => names.some((name) => name === unit || name === `${unit}.service`));
}

function entriesOf(sys: Syscalls, units: readonly string[], until: number): JournalEntry[] {
  const disk = diskOf(sys);
  return units
    .flatMap((unit) => {
      const service = readService(sys, disk, unit);
      return service ? serviceEntries(sys, disk, service, until) : [];
    })
    .sort((a, b) => a.at - b.at);
}

const sourceOf = ({ program, pid }: JournalEntry): string => (pid === 0 ? program : `${program}[${pid}]`);

function format(entry: JournalEntry, host: string, output: string): Bytes {
  if (output === 'cat') return `${entry.text}\n`;
  if (output === 'short-full' || output === 'with-unit')
    return `${fullTime(entry.at)} ${host} ${sourceOf(entry)}: ${entry.text}\n`;
  if (output === 'short-precise')
    return `${formatEntry(entry, host).replace(/^(.{15})/, `$1.${String(entry.at % 1_000).padStart(3, '0')}000`)}\n`;
  if (output === 'short-iso')
    return `${new Date(entry.at).toISOString().slice(0, 19)}+0000 ${host} ${sourceOf(entry)}: ${entry.text}\n`;
  if (output === 'json' || output === 'json-pretty')
    return `${JSON.stringify({ __REALTIME_TIMESTAMP: String(entry.at * 1000), SYSLOG_IDENTIFIER: entry.program, _PID: String(entry.pid), _HOSTNAME: host, MESSAGE: entry.text }, undefined, output === 'json' ? undefined : '\t')}\n`;
  return `${formatEntry(entry, host)}\n`;
}

/** '2026-11-22 16:00:00', '-1h', '10 min ago', 'today', 'now'. Throws ToolFailure. */
function timeOf(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  if (text === 'now') return now;
  if (text === 'today') return now - (now % UNIT_MS.d!);
  if (text === 'yesterday') return now - (now % UNIT_MS.d!) - UNIT_MS.d!;
  const relative = /^-?(\d+) ?(s|sec|seconds?|m|min|minutes?|h|hr|hours?|d|days?)(?: ago)?$/.exec(text);
  if (relative) return now - Number(relative[1]) * UNIT_MS[relative[2]![0]!]!;
  const absolute = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(:\d\d)?)?$/.exec(text);
  const at = absolute ? Date.parse(`${absolute[1]}T${absolute[2] ?? '00:00'}${absolute[3] ?? ':00'}Z`) : NaN;
  if (Number.isNaN(at)) throw new ToolFailure(`Failed to parse timestamp: ${text}`);
  return at;
}
