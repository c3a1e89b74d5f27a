import { UNITS, type Unit } from '../../../engine/node/host/services/units.js';
import { sleepUntil } from '../../../engine/kernel/process/program.js';
import type { Bytes } from '../../../engine/kernel/bytes.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import { parseOptions } from '../options.js';
import { defineSteps } from '../steps.js';
import { ToolFailure } from '../tool.js';
import { diskOf } from './disk.js';
import type { JournalEntry } from './journal.js';
import { parsePriorities, priorityOf } from './priority.js';
import { formatEntry, serviceEntries } from './service-log.js';
import { readService } from './services.js';

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
  ],
];
const LAST = 10;
const LOOK_EVERY = 1_000;
const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

type JournalState = {
  units: Unit[];
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
    if (!['short', 'cat', 'short-iso', 'json'].includes(output)) throw new ToolFailure(`Unknown output '${output}'.`);
    const units = unitsOf([...options.values('u'), ...options.values('t')]);
    const since = timeOf(options.value('S'), sys.now) ?? -Infinity;
    const until = timeOf(options.value('U'), sys.now) ?? sys.now;
    const pattern = options.value('g');
    const level = options.value('p') ?? 'debug';
    const isAsked = parsePriorities(level);
    if (!isAsked) throw new ToolFailure(`Unknown log level ${level}`);
    const found = entriesOf(sys, units, until).filter(
      (one) => one.at >= since && isAsked(priorityOf(one)) && (pattern === undefined || one.text.includes(pattern)),
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

/** `-n` may stand without a number. */
const withLineCount = (args: readonly Bytes[]): Bytes[] =>
  args.flatMap((word, i) => (word === '-n' && !/^\d/.test(args[i + 1] ?? '') ? [`-n${LAST}`] : [word]));

/** Units that the journal has nothing of are not there: their list is empty. */
function unitsOf(names: readonly string[]): Unit[] {
  if (names.length === 0) return [...UNITS];
  return UNITS.filter((unit) => names.some((name) => name === unit || name === `${unit}.service`));
}

function entriesOf(sys: Syscalls, units: readonly Unit[], until: number): JournalEntry[] {
  const disk = diskOf(sys);
  return units
    .flatMap((unit) => {
      const service = readService(sys, disk, unit);
      return service ? serviceEntries(sys, disk, service, until) : [];
    })
    .sort((a, b) => a.at - b.at);
}

function format(entry: JournalEntry, host: string, output: string): Bytes {
  if (output === 'cat') return `${entry.text}\n`;
  if (output === 'short-iso')
    return `${new Date(entry.at).toISOString().slice(0, 19)}+0000 ${host} ${entry.program}[${entry.pid}]: ${entry.text}\n`;
  if (output === 'json')
    return `${JSON.stringify({ __REALTIME_TIMESTAMP: String(entry.at * 1000), SYSLOG_IDENTIFIER: entry.program, _PID: String(entry.pid), _HOSTNAME: host, MESSAGE: entry.text })}\n`;
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
