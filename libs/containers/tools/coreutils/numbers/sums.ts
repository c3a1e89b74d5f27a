import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { type Wait, waitToRead } from '../../../../engine/kernel/process/program.js';
import { type FilterContext, openFailure } from '../../framework/filter.js';
import { splitLines } from '../../format.js';
import { parseOptions } from '../../framework/options.js';
import { defineSteps } from '../../framework/steps.js';
import { strerror, type Tool, ToolFailure } from '../../framework/tool.js';
import { CRC, type Digest, type DigestState, MD5, SHA1, SHA224, SHA256, SHA384, SHA512 } from './digest.js';

const GNU_OPTIONS = ['b,binary', 'c,check', 't,text', 'z,zero', 'tag', 'quiet', 'status', 'ignore-missing', 'strict'];
const OPTIONS = { gnu: [...GNU_OPTIONS, 'w,warn'], busybox: ['c', 's', 'w', 'b', 't'] };

/** Bytes of one read, and reads of one step. */
const CHUNK = 65_536;
const MAX_CHUNKS = 4;
/** Bytes of a list of sums. */
const MAX_LIST = 16 << 20;

/** What is read: a file for its sum, or a list of sums. */
type Reading = { path: Bytes; descriptor: number; digest: DigestState | null; text: Bytes };
type Counts = { found: number; failed: number; missing: number; read: number; wrong: number; code: number };
type SumState = {
  flags: string[];
  files: Bytes[];
  reading: Reading | null;
  /** Of the list that is being checked. */
  list: Bytes;
  entries: { expected: string; path: Bytes }[];
  isInList: boolean;
  verified: number;
  counts: Counts;
};

function sumTool(digest: Digest): Tool {
  return defineSteps<SumState>(
    {
      start: (tool) => begin(parseOptions(tool, OPTIONS[tool.flavour])),
      step: (tool, state) => goOn(tool, state, digest),
    },
    { usage: '[OPTION]... [FILE]...' },
  );
}

function begin(options: { readonly all: readonly (readonly [string, Bytes])[]; readonly operands: readonly Bytes[] }) {
  const state: SumState = {
    ...{ flags: options.all.map(([key]) => key), files: [...options.operands], reading: null, list: '', entries: [] },
    ...{ isInList: false, verified: 0, counts: { found: 0, failed: 0, missing: 0, read: 0, wrong: 0, code: 0 } },
  };
  if (state.files.length === 0) state.files.push('-');
  return state;
}

/** Reads a few pieces of the files in turn. */
function goOn(tool: FilterContext, state: SumState, digest: Digest): number | Wait {
  for (let chunks = 0; chunks < MAX_CHUNKS; chunks++) {
    if (state.reading === null && !openNext(tool, state, digest)) return finish(tool, state);
    const { reading } = state;
    if (reading === null) continue;
    try {
      const bytes = tool.sys.read(reading.descriptor, CHUNK);
      if (bytes === undefined) return waitToRead(reading.descriptor);
      if (bytes === '') endReading(tool, state, digest);
      else take(tool, reading, bytes, digest);
    } catch (error) {
      if (error instanceof ToolFailure) throw error;
      refuse(tool, state, reading.path, error);
      close(tool, state);
    }
  }
  return { type: 'yield' };
}

function take(tool: FilterContext, reading: Reading, bytes: Bytes, digest: Digest): void {
  if (reading.digest !== null) return digest.add(reading.digest, bytes, (steps) => tool.sys.charge(steps));
  tool.sys.charge(bytes.length >> 2);
  reading.text += bytes;
  tool.sys.setMemory(reading.text.length);
  if (reading.text.length > MAX_LIST) throw new ToolFailure('memory exhausted', 2);
}

/** False: nothing is left. */
function openNext(tool: FilterContext, state: SumState, digest: Digest): boolean {
  if (state.isInList && state.entries.length === 0) endList(tool, state);
  const isList = state.flags.includes('c') && !state.isInList;
  const path = state.isInList ? state.entries[0]!.path : state.files.shift();
  if (path === undefined) return false;
  try {
    const descriptor = path === '-' ? 0 : tool.sys.open(path, { read: true });
    state.reading = { path, descriptor, digest: isList ? null : digest.begin(), text: '' };
  } catch (error) {
    refuse(tool, state, path, error);
  }
  return true;
}

function close(tool: FilterContext, state: SumState): void {
  if (state.reading !== null && state.reading.descriptor > 0) tool.sys.close(state.reading.descriptor);
  state.reading = null;
}

function refuse(tool: FilterContext, state: SumState, path: Bytes, error: unknown): void {
  const message = strerror(error);
  if (!state.isInList) {
    state.counts.code = 1;
    return tool.warn(openFailure(tool.flavour, path, message));
  }
  state.entries.shift();
  if (state.flags.includes('ignore-missing') && message === 'No such file or directory') return;
  state.counts.missing++;
  tool.warn(openFailure(tool.flavour, path, message));
  if (!isSilent(state)) tool.out(`${path}: FAILED${tool.flavour === 'gnu' ? ' open or read' : ''}\n`);
}

const nameOf = (list: Bytes): Bytes => (list === '-' ? "'standard input'" : list);

const isSilent = ({ flags }: SumState): boolean => flags.includes('status') || flags.includes('s');

function endReading(tool: FilterContext, state: SumState, digest: Digest): void {
  const { path, digest: read, text } = state.reading!;
  close(tool, state);
  if (read === null) return beginList(tool, state, path, text, digest);
  const sum = digest.finish(read, (steps) => tool.sys.charge(steps));
  if (state.isInList) return compare(tool, state, sum);
  tool.out(formatSum(tool, state, digest, sum, path) + (state.flags.includes('z') ? '\0' : '\n'));
}

function formatSum(tool: FilterContext, { flags }: SumState, digest: Digest, sum: string, path: Bytes): Bytes {
  if (digest === CRC) return path === '-' ? sum : `${sum} ${path}`;
  if (tool.flavour === 'busybox') return `${sum}  ${path}`;
  return flags.includes('tag')
    ? `${digest.name} (${path}) = ${sum}`
    : `${sum} ${flags.includes('b') ? '*' : ' '}${path}`;
}

function beginList(tool: FilterContext, state: SumState, list: Bytes, text: Bytes, digest: Digest): void {
  Object.assign(state, { list, isInList: true, verified: 0 });
  state.counts.found = 0;
  const { length } = digest.finish(digest.begin(), () => undefined);
  for (const [index, line] of splitLines(text).entries()) {
    const [, expected = '', path] = /^([\da-fA-F]{32,128}) [ *](.+)$/.exec(line) ?? [];
    if (expected.length === length && path !== undefined) {
      state.entries.push({ expected: expected.toLowerCase(), path });
      continue;
    }
    state.counts.wrong++;
    if (state.flags.includes('w') && tool.flavour === 'gnu')
      tool.warn(`${nameOf(list)}: ${index + 1}: improperly formatted ${digest.name} checksum line`);
  }
  state.counts.found = state.entries.length;
  state.counts.read += state.entries.length;
}

function compare(tool: FilterContext, state: SumState, sum: string): void {
  const { expected, path } = state.entries.shift()!;
  const isRight = sum === expected;
  if (isRight) state.verified++;
  else state.counts.failed++;
  if (!isSilent(state) && !(isRight && state.flags.includes('quiet')))
    tool.out(`${path}: ${isRight ? 'OK' : 'FAILED'}\n`);
}

function endList(tool: FilterContext, state: SumState): void {
  const { list, counts } = state;
  state.isInList = false;
  const isGnu = tool.flavour === 'gnu';
  if (counts.found === 0)
    return tool.warn(isGnu ? `${nameOf(list)}: no properly formatted checksum lines found` : 'no checksum lines found');
  if (!state.flags.includes('ignore-missing') || state.verified > 0 || counts.failed + counts.missing > 0) return;
  counts.code = 1;
  if (!isSilent(state)) tool.warn(`${nameOf(list)}: no file was verified`);
}

function finish(tool: FilterContext, state: SumState): number {
  const { failed, missing, read, wrong, code } = state.counts;
  if (!state.flags.includes('c')) return code;
  const plural = (n: number, one: string, many: string) => tool.warn(`WARNING: ${n} ${n === 1 ? one : many}`);
  if (tool.flavour === 'busybox') {
    const bad = failed + missing;
    if (bad > 0 && !isSilent(state)) tool.warn(`WARNING: ${bad} of ${read} computed checksums did NOT match`);
  } else if (!isSilent(state)) {
    if (wrong > 0 && read > 0) plural(wrong, 'line is improperly formatted', 'lines are improperly formatted');
    if (missing > 0) plural(missing, 'listed file could not be read', 'listed files could not be read');
    if (failed > 0) plural(failed, 'computed checksum did NOT match', 'computed checksums did NOT match');
  }
  const isStrict = state.flags.includes('strict') && wrong > 0;
  return code !== 0 || failed + missing > 0 || read === 0 || isStrict ? 1 : 0;
}

export const md5sum = sumTool(MD5);
export const sha1sum = sumTool(SHA1);
export const sha224sum = sumTool(SHA224);
export const sha256sum = sumTool(SHA256);
export const sha384sum = sumTool(SHA384);
export const sha512sum = sumTool(SHA512);

export const cksum = defineSteps<SumState>({
  start: (tool) => begin(parseOptions(tool, [])),
  step: (tool, state) => goOn(tool, state, CRC),
});
