import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { exit, type Program, type Wait, waitToRead, YIELD } from '../../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import { humanSize, parseSize } from '../../format.js';
import { quoteName } from '../../framework/options.js';
import { addOutput, flushOutput, type Output } from '../../framework/output.js';
import { failWrite, type Flavour, programName, strerror, type Tool } from '../../framework/tool.js';

type State = {
  argv: Bytes[];
  input: number;
  output: number;
  readSize: number;
  writeSize: number;
  /** Blocks to read; -1: all. */
  count: number;
  conversions: string[];
  status: string;
  wholeBlocks: number;
  partBlocks: number;
  bytes: number;
  startedAt: number;
  pending: Output;
  phase: 'start' | 'copy' | 'end';
  code: number;
};

const UNITS = { c: 1, w: 2, b: 512, K: 1024, k: 1024, kB: 1000, MB: 1_000_000, GB: 1_000_000_000 };
/** Bytes of the largest block where no cgroup says less. */
const MAX_BLOCK = 1 << 30;
/** A step is so many blocks, and ends when it has copied so many bytes: who copies without end can be told to end. */
const BLOCKS_PER_STEP = 64;
const BYTES_PER_STEP = 1 << 20;
/** Copying costs virtual time: bytes of one ms. */
const BYTES_PER_MS = 1_000_000;

export const dd: Tool = makeDd('gnu');

function makeDd(flavour: Flavour): Tool {
  const program: Program<State> = {
    start: (argv, sys) => ({
      ...{
        argv: [...argv],
        input: 0,
        output: 1,
        readSize: 512,
        writeSize: 512,
        count: -1,
        conversions: [],
        status: '',
      },
      ...{ wholeBlocks: 0, partBlocks: 0, bytes: 0, startedAt: sys.now, pending: [], phase: 'start', code: 0 },
    }),
    step(state, sys) {
      const name = programName(state.argv, flavour);
      try {
        const blocked = flushOutput(state.pending, sys);
        if (blocked !== undefined) return blocked;
        if (state.phase === 'start') begin(state, sys, name, flavour);
        if (state.phase === 'copy') return copy(state, sys, flavour);
        return flushOutput(state.pending, sys) ?? exit(state.code);
      } catch (error) {
        const holder = { output: state.pending, code: state.code };
        const wait = failWrite(holder, name, error);
        Object.assign(state, { phase: 'end', code: 1 });
        return wait;
      }
    },
  };
  return { ...(program as unknown as Program), as: makeDd };
}

function stop(state: State, message: Bytes): void {
  addOutput(state.pending, 2, message);
  Object.assign(state, { phase: 'end', code: 1 });
}

function begin(state: State, sys: Syscalls, name: Bytes, flavour: Flavour): void {
  const operands: Record<string, Bytes> = {};
  const hint = `Try '${name} --help' for more information.\n`;
  for (const word of state.argv.slice(1)) {
    const [, key, value] =
      /^(if|of|bs|ibs|obs|count|skip|seek|conv|status|iflag|oflag|iseek|oseek)=(.*)$/.exec(word) ?? [];
    if (key === undefined) return stop(state, `${name}: unrecognized operand ${quoteName(word)}\n${hint}`);
    operands[key] = value!;
  }
  const sizes: Record<string, number> = {};
  for (const key of ['bs', 'ibs', 'obs', 'count', 'skip', 'seek', 'iseek', 'oseek']) {
    const text = operands[key];
    if (text === undefined) continue;
    const product = text.split('x').map((part) => parseSize(part, UNITS));
    if (product.includes(undefined)) return stop(state, `${name}: invalid number: ${quoteName(text)}\n`);
    sizes[key] = (product as number[]).reduce((a, b) => a * b, 1);
  }
  state.readSize = sizes['bs'] ?? sizes['ibs'] ?? 512;
  state.writeSize = sizes['bs'] ?? sizes['obs'] ?? 512;
  if (state.readSize === 0) return stop(state, `${name}: invalid number: '0'\n`);
  const { memoryLimit = MAX_BLOCK } = sys.cgroup();
  if (state.readSize > Math.min(memoryLimit, MAX_BLOCK)) {
    const { readSize } = state;
    const shown = `${readSize} bytes (${humanSize(readSize).replace(/([A-Z])$/, ' $1iB')})`;
    return stop(state, `${name}: memory exhausted by input buffer of size ${shown}\n`);
  }
  state.count = sizes['count'] ?? -1;
  state.conversions = (operands['conv'] ?? '').split(',').filter(Boolean);
  state.status = operands['status'] ?? '';
  open(
    state,
    sys,
    name,
    flavour,
    operands,
    (sizes['skip'] ?? sizes['iseek'] ?? 0) * state.readSize,
    (sizes['seek'] ?? sizes['oseek'] ?? 0) * state.writeSize,
  );
}

function open(
  state: State,
  sys: Syscalls,
  name: Bytes,
  flavour: Flavour,
  operands: Record<string, Bytes>,
  skip: number,
  seek: number,
): void {
  const explain = (path: Bytes, error: unknown) =>
    stop(
      state,
      flavour === 'gnu'
        ? `${name}: failed to open ${quoteName(path)}: ${strerror(error)}\n`
        : `${name}: can't open '${path}': ${strerror(error)}\n`,
    );
  try {
    if (operands['if'] !== undefined) state.input = sys.open(operands['if'], { read: true });
  } catch (error) {
    return explain(operands['if']!, error);
  }
  try {
    const keeps = state.conversions.includes('notrunc') || seek > 0;
    if (operands['of'] !== undefined)
      state.output = sys.open(operands['of'], { write: true, create: true, truncate: !keeps });
  } catch (error) {
    return explain(operands['of']!, error);
  }
  if (skip > 0 && sys.fstat(state.input).type === 'file') sys.seek(state.input, skip, 'start');
  if (seek > 0) {
    sys.truncate(
      state.output,
      state.conversions.includes('notrunc') ? Math.max(seek, sys.fstat(state.output).size) : seek,
    );
    sys.seek(state.output, seek, 'start');
  }
  state.phase = 'copy';
}

function copy(state: State, sys: Syscalls, flavour: Flavour): Wait {
  const { bytes: before } = state;
  for (let blocks = 0; blocks < BLOCKS_PER_STEP && state.bytes - before < BYTES_PER_STEP; blocks++) {
    const isDone = state.count >= 0 && state.wholeBlocks + state.partBlocks >= state.count;
    const bytes = isDone ? '' : sys.read(state.input, Math.min(state.readSize, 1 << 20));
    if (bytes === undefined) return waitToRead(state.input);
    if (bytes === '') {
      state.phase = 'end';
      report(state, sys, flavour);
      return flushOutput(state.pending, sys) ?? exit(state.code);
    }
    const block = bytes.length < state.readSize ? fillBlock(state, sys, bytes) : bytes;
    if (block.length === state.readSize) state.wholeBlocks++;
    else state.partBlocks++;
    state.bytes += block.length;
    sys.charge(1 + (block.length >> 12));
    addOutput(state.pending, state.output, convert(state, block));
    const blocked = flushOutput(state.pending, sys);
    if (blocked !== undefined) return blocked;
  }
  return YIELD;
}

/** A file's block in more than one read, when it is large. */
function fillBlock(state: State, sys: Syscalls, start: Bytes): Bytes {
  if (start.length < 1 << 20) return start;
  let block = start;
  while (block.length < state.readSize && block.length < 16 << 20) {
    const more = sys.read(state.input, Math.min(state.readSize - block.length, 1 << 20));
    if (more === undefined || more === '') break;
    block += more;
  }
  return block;
}

function convert({ conversions, readSize }: State, block: Bytes): Bytes {
  if (conversions.includes('ucase')) return block.toUpperCase();
  if (conversions.includes('lcase')) return block.toLowerCase();
  if (conversions.includes('sync')) return block.padEnd(readSize, '\0');
  return block;
}

function report(state: State, sys: Syscalls, flavour: Flavour): void {
  if (state.status === 'none') return;
  const { wholeBlocks, partBlocks, bytes } = state;
  const outWhole = Math.floor(bytes / state.writeSize);
  const outPart = bytes % state.writeSize === 0 ? 0 : 1;
  const records = `${wholeBlocks}+${partBlocks} records in\n${state.readSize === state.writeSize ? wholeBlocks : outWhole}+${state.readSize === state.writeSize ? partBlocks : outPart} records out\n`;
  if (state.status === 'noxfer') return addOutput(state.pending, 2, records);
  const seconds = Math.max((sys.now - state.startedAt) / 1_000, bytes / BYTES_PER_MS / 1_000, 0.000_1);
  const rate = bytes / seconds;
  addOutput(
    state.pending,
    2,
    records + (flavour === 'gnu' ? gnuRate(bytes, seconds, rate) : busyboxRate(bytes, seconds, rate)),
  );
}

function gnuRate(bytes: number, seconds: number, rate: number): Bytes {
  const units = [
    ...(bytes >= 1_000 ? [spaced(humanSize(bytes, 1_000))] : []),
    ...(bytes >= 1_024 ? [`${spaced(humanSize(bytes)).replace(/([KMGT])B$/, '$1iB')}`] : []),
  ];
  const amount = `${bytes} byte${bytes === 1 ? '' : 's'}${units.length > 0 ? ` (${units.join(', ')})` : ''} copied`;
  return `${amount}, ${trimNumber(seconds)} s, ${spaced(humanSize(Math.round(rate), 1_000))}/s\n`;
}

const spaced = (size: string) => `${size.replace(/([kKMGT])?$/, ' $1')}B`;
const trimNumber = (value: number) => String(Number(value.toPrecision(6)));

function busyboxRate(bytes: number, seconds: number, rate: number): Bytes {
  return `${bytes} bytes (${spacedBusybox(bytes)}) copied, ${seconds.toFixed(6)} seconds, ${spacedBusybox(rate)}/s\n`;
}

function spacedBusybox(value: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let [amount, unit] = [value, 0];
  while (amount >= 1_024 && unit < units.length - 1) [amount, unit] = [amount / 1_024, unit + 1];
  return unit === 0 ? `${Math.round(amount)} bytes`.replace(' bytes', 'B') : `${amount.toFixed(1)}${units[unit]}`;
}
