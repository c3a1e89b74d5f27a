import type { Bytes } from '../../../engine/kernel/bytes.js';
import { exit, sleepUntil, type Plain, type Program, type Wait } from '../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import { klogHead, parseDuration, formatDuration } from '../go.js';
import { quantityValue, isQuantity } from '../../../engine/machinery/quantity/quantity.js';
import { option } from './app.js';

/** CPU is booked so often: what has been used since shows then. */
const BOOK_MS = 15_000;
const CPU_OF_A_WORKER = 1_000;
const DEFAULT_VM_BYTES = 256 * 2 ** 20;
const MEGABYTE = 2 ** 20;
const OWN_MEMORY = MEGABYTE;
/** Bytes that a worker touches in a ms. */
const BYTES_PER_MS = MEGABYTE;

export type Plan = {
  /** Thousandths of a CPU that it would use. */
  cpu: number;
  memory: number;
  /** Memory grows by `step` each `pause` ms; 0: at once. */
  step: number;
  pause: number;
  /** null: for ever. */
  until: number | null;
  /** Lines of a start, and of an end by itself. */
  lines: string[];
  end: string[];
  /** Absent: standard output. */
  descriptor?: number;
};
type State = {
  plan: Plan | null;
  code: number;
  message: string;
  startedAt: number;
  bookedAt: number;
  hasBegun: boolean;
};

/** A program that uses CPU and memory as its command line says; a text: why it cannot. */
export const makeProgram = (read: (argv: readonly Bytes[], sys: Syscalls) => Plan | string): Program => ({
  start(argv, sys): Plain {
    const plan = read(argv, sys);
    const message = typeof plan === 'string' ? plan : '';
    const state: State = {
      ...{ plan: typeof plan === 'string' ? null : plan, code: isHelp(message) ? 0 : 1, message },
      ...{ startedAt: sys.now, bookedAt: sys.now, hasBegun: false },
    };
    return state;
  },
  step: (plain, sys) => step(plain as State, sys),
});

/** What is printed for those who ask for it is no failure. */
const isHelp = (message: string): boolean => /^(`stress|stress 1|stress-ng, version)/.test(message);

function step(state: State, sys: Syscalls): Wait {
  const { plan } = state;
  if (plan === null) {
    sys.write(state.code === 0 ? 1 : 2, state.message);
    return exit(state.code);
  }
  if (!state.hasBegun) {
    state.hasBegun = true;
    for (const line of plan.lines) sys.write(plan.descriptor ?? 1, `${line}\n`);
  }
  book(state, plan, sys);
  const rampsUntil = hold(state, plan, sys);
  if (plan.until !== null && sys.now >= plan.until) {
    if (plan.cpu > 0) sys.useCpu(0, 0);
    for (const line of plan.end) sys.write(plan.descriptor ?? 1, `${line}\n`);
    return exit(0);
  }
  const times = [...(rampsUntil === undefined ? [] : [rampsUntil]), ...(plan.until === null ? [] : [plan.until])];
  if (plan.cpu > 0) times.push(nextBooking(state, sys));
  return times.length === 0 ? { type: 'wait' } : sleepUntil(Math.min(...times));
}

/** The longer it runs, the less often it is looked at: an hour's use is booked in some fifty steps. */
const nextBooking = ({ startedAt }: State, { now }: Syscalls): number =>
  now + Math.max(BOOK_MS, Math.floor((now - startedAt) / 20));

function book(state: State, plan: Plan, sys: Syscalls): void {
  const share = Math.min(plan.cpu, sys.cgroup().cpuLimit ?? Infinity) / 1_000;
  if (plan.cpu > 0) sys.useCpu((sys.now - state.bookedAt) * share, share * 1_000);
  state.bookedAt = sys.now;
}

/** Takes its memory as fast as it can write to it; returns when it goes on. */
function hold({ startedAt }: State, { memory, step: size, pause }: Plan, sys: Syscalls): number | undefined {
  if (memory === 0) {
    sys.setMemory(OWN_MEMORY);
    return undefined;
  }
  const since = sys.now - startedAt;
  const held = size > 0 && pause > 0 ? size * (1 + Math.floor(since / pause)) : since * BYTES_PER_MS;
  sys.setMemory(OWN_MEMORY + Math.min(memory, held));
  if (held >= memory) return undefined;
  const limit = sys.cgroup().memoryLimit ?? Infinity;
  const target = Math.min(memory, limit);
  if (size > 0 && pause > 0) {
    // Some steps at once, as long as they make little difference.
    const done = Math.floor(since / pause) + 1;
    const next = Math.min(Math.max(done + 1, Math.ceil(done * 1.1)), Math.ceil((target + 1) / size));
    return startedAt + Math.max(next - 1, 1) * pause;
  }
  return startedAt + Math.ceil((target + 1) / BYTES_PER_MS);
}

const USAGE =
  "`stress' imposes certain types of compute stress on your system\n\nUsage: stress [OPTION [ARG]] ...\n -?, --help         show this help statement\n     --version      show version statement\n -v, --verbose      be verbose\n -q, --quiet        be quiet\n -n, --dry-run      show what would have been done\n -t, --timeout N    timeout after N seconds\n     --backoff N    wait factor of N microseconds before work starts\n -c, --cpu N        spawn N workers spinning on sqrt()\n -i, --io N         spawn N workers spinning on sync()\n -m, --vm N         spawn N workers spinning on malloc()/free()\n     --vm-bytes B   malloc B bytes per vm worker (default is 256MB)\n     --vm-stride B  touch a byte every B bytes (default is 4096)\n     --vm-hang N    sleep N secs before free (default none, 0 is inf)\n     --vm-keep      redirty memory instead of freeing and reallocating\n -d, --hdd N        spawn N workers spinning on write()/unlink()\n     --hdd-bytes B  write B bytes per hdd worker (default is 1GB)\n\nExample: stress --cpu 8 --io 4 --vm 2 --vm-bytes 128M --timeout 10s\n\nNote: Numbers may be suffixed with s,m,h,d,y (time) or B,K,M,G (size).\n";

const TIMES: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, y: 31_536_000 };
const SIZES: Readonly<Record<string, number>> = { B: 1, K: 1_024, M: MEGABYTE, G: 2 ** 30 };
const LONG: Readonly<Record<string, string>> = {
  ...{ c: 'cpu', i: 'io', m: 'vm', d: 'hdd', t: 'timeout', n: 'dry-run', v: 'verbose', q: 'quiet', '?': 'help' },
};
const FLAGS = new Set(['verbose', 'quiet', 'dry-run', 'help', 'version', 'vm-keep']);
const VALUES = new Set([
  'cpu',
  'io',
  'vm',
  'hdd',
  'timeout',
  'backoff',
  'vm-bytes',
  'vm-stride',
  'vm-hang',
  'hdd-bytes',
]);

/** Amos Waterland's stress 1.0.4. Left out: that hdd workers write files, and workers as processes of their own. */
const stress = makeProgram((argv, { pid, now }) => {
  const given: Record<string, string> = {};
  const words = argv.slice(1);
  if (words.length === 0) return USAGE;
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const [name = '', attached] = word.startsWith('--')
      ? word.slice(2).split('=', 2)
      : [LONG[word.slice(1)] ?? word.slice(1)];
    if (!word.startsWith('-') || !(FLAGS.has(name) || VALUES.has(name))) {
      return `stress: FAIL: [${pid}] (244) unrecognized option: ${word}\n`;
    }
    if (FLAGS.has(name)) given[name] = '1';
    else {
      const value = attached ?? words.shift();
      if (value === undefined) return `stress: FAIL: [${pid}] (${244}) missing argument to option '${word}'\n`;
      given[name] = value;
    }
  }
  if (given['help'] !== undefined) return USAGE;
  if (given['version'] !== undefined) return 'stress 1.0.4\n';
  const count = (name: string): number => Number(given[name] ?? 0);
  const numbers = ['cpu', 'io', 'vm', 'hdd'].map(count);
  const wrong = ['cpu', 'io', 'vm', 'hdd'].find((_name, i) => !Number.isInteger(numbers[i]) || numbers[i]! < 0);
  if (wrong !== undefined) return `stress: FAIL: [${pid}] (${420}) invalid number: ${given[wrong]}\n`;
  const vmBytes = scaled(given['vm-bytes'] ?? `${DEFAULT_VM_BYTES}`, SIZES);
  const seconds = scaled(given['timeout'] ?? '0', TIMES);
  if (vmBytes === undefined || seconds === undefined) return `stress: FAIL: [${pid}] (${420}) unrecognized suffix\n`;
  const [cpu = 0, io = 0, vm = 0, hdd = 0] = numbers;
  if (cpu + io + vm + hdd === 0) return USAGE;
  const isQuiet = given['quiet'] !== undefined;
  // A worker that hangs on to its memory, or keeps it, does nothing else; others free and take it again.
  const idles = given['vm-hang'] !== undefined || given['vm-keep'] !== undefined;
  return {
    cpu: (cpu + io + (idles ? 0 : vm)) * CPU_OF_A_WORKER,
    ...{ memory: vm * vmBytes, step: 0, pause: 0, until: seconds > 0 ? now + seconds * 1_000 : null },
    lines: isQuiet ? [] : [`stress: info: [${pid}] dispatching hogs: ${cpu} cpu, ${io} io, ${vm} vm, ${hdd} hdd`],
    end: isQuiet ? [] : [`stress: info: [${pid}] successful run completed in ${seconds}s`],
  };
});

function scaled(text: string, units: Readonly<Record<string, number>>): number | undefined {
  const [, number, unit = ''] = /^(\d{1,12})([A-Za-z]?)$/.exec(text) ?? [];
  if (number === undefined) return undefined;
  const factor = unit === '' ? 1 : (units[unit] ?? units[unit.toUpperCase()] ?? units[unit.toLowerCase()]);
  return factor === undefined ? undefined : Number(number) * factor;
}

/** vish/stress: -cpus, -mem-total, -mem-alloc-size, -mem-alloc-sleep. Logs as glog does. */
export const goStress = makeProgram((argv, { now, pid }) => {
  const cpus = Number(option(argv, 'cpus') ?? 0);
  const total = option(argv, 'mem-total') ?? '0';
  const size = option(argv, 'mem-alloc-size') ?? '4Ki';
  const sleep = option(argv, 'mem-alloc-sleep') ?? '1ms';
  for (const value of [total, size]) {
    if (!isQuantity(value))
      return `${klogHead('F', now, pid, 'main.go:29')}quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'\n`;
  }
  const pause = parseDuration(sleep);
  if (pause === undefined || !Number.isInteger(cpus) || cpus < 0) return `invalid value for flag: parse error\n`;
  const memory = quantityValue(total);
  const line = (text: string, number: number): string => `${klogHead('I', now, pid, `main.go:${number}`)}${text}`;
  return {
    ...{
      cpu: cpus * CPU_OF_A_WORKER,
      memory,
      step: Math.max(quantityValue(size), 1),
      pause: Math.max(pause, 1),
      until: null,
    },
    lines: [
      line(
        `Allocating "${total}" memory, in "${size}" chunks, with a ${formatDuration(Math.round(pause))} sleep between allocations`,
        26,
      ),
      ...Array.from({ length: Math.min(cpus, 64) }, () => line('Spawning a thread to consume CPU', 39)),
      line(`Allocated "${total}" memory`, 29),
    ],
    end: [],
  };
});

export const programs: Readonly<Record<string, Program>> = { 'apps:stress': stress, 'apps:go-stress': goStress };
