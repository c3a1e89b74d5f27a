import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { defineFilter } from '../../framework/filter.js';
import { parseOptions, quoteName } from '../../framework/options.js';
import { UsageFailure } from '../../framework/tool.js';

type Range = [first: number, last: number];
type State = {
  by: 'f' | 'c';
  ranges: Range[];
  delimiter: Bytes;
  output: Bytes;
  onlyDelimited: boolean;
  isComplement: boolean;
  ending: Bytes;
};

const OPTIONS = [
  ...['b,bytes:', 'c,characters:', 'd,delimiter:', 'f,fields:', 'n', 's,only-delimited', 'complement'],
  ...['output-delimiter:', 'z,zero-terminated'],
];
/** No line is longer. */
const MAX_POSITION = 2 ** 31;

export const cut = defineFilter<State>(
  {
    separator: (state) => state.ending,
    start(tool) {
      const options = parseOptions(tool, OPTIONS);
      const lists = options.all.filter(([key]) => 'bcf'.includes(key));
      if (lists.length === 0) throw new UsageFailure('you must specify a list of bytes, characters, or fields');
      if (lists.length > 1) throw new UsageFailure('only one type of list may be specified');
      const [key, list] = lists[0]!;
      const by = key === 'f' ? 'f' : 'c';
      const delimiter = options.value('d');
      if (delimiter !== undefined && delimiter.length > 1)
        throw new UsageFailure('the delimiter must be a single character');
      if (delimiter !== undefined && by !== 'f') {
        throw new UsageFailure('an input delimiter may be specified only when operating on fields');
      }
      const isByField = by === 'f';
      const state: State = {
        ...{ by, ranges: readRanges(list, isByField), delimiter: delimiter ?? '\t' },
        output: options.value('output-delimiter') ?? (isByField ? (delimiter ?? '\t') : ''),
        onlyDelimited: options.has('s'),
        isComplement: options.has('complement'),
        ending: options.has('z') ? '\0' : '\n',
      };
      return { files: options.operands, state };
    },
    take(tool, state, line) {
      if (state.by === 'f' && !line.includes(state.delimiter)) {
        if (!state.onlyDelimited) tool.out(line + state.ending);
        return;
      }
      const parts = state.by === 'f' ? line.split(state.delimiter) : [...line];
      tool.out((state.output === '' || state.by === 'f' ? pick(state, parts) : pickRanges(state, line)) + state.ending);
    },
  },
  { usage: 'OPTION... [FILE]...' },
);

function readRanges(list: Bytes, isByField: boolean): Range[] {
  const ranges = list.split(/[, ]/).map((text): Range => {
    const [, first, dash, last = ''] = /^(\d*)(?:(-)(\d*))?$/.exec(text) ?? [];
    if (first === undefined) {
      throw new UsageFailure(`invalid ${isByField ? 'field value' : 'byte/character position'} ${quoteName(text)}`);
    }
    if (first === '' && last === '') {
      throw new UsageFailure(dash === '-' ? 'invalid range with no endpoint: -' : 'fields are numbered from 1');
    }
    if (first === '0' || last === '0') {
      throw new UsageFailure(isByField ? 'fields are numbered from 1' : 'byte/character positions are numbered from 1');
    }
    const from = first === '' ? 1 : Number(first);
    const to = last !== '' ? Number(last) : dash === '-' ? MAX_POSITION : from;
    if (to < from) throw new UsageFailure('invalid decreasing range');
    return [from, to];
  });
  return mergeRanges(ranges);
}

function mergeRanges(ranges: Range[]): Range[] {
  const merged: Range[] = [];
  for (const [from, to] of ranges.sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

const isIn = (state: State, position: number) =>
  state.ranges.some(([from, to]) => position >= from && position <= to) !== state.isComplement;

const pick = (state: State, parts: readonly Bytes[]) =>
  parts.filter((_part, i) => isIn(state, i + 1)).join(state.by === 'f' ? state.output : '');

/** Characters: the output delimiter stands between ranges. */
function pickRanges(state: State, line: Bytes): Bytes {
  const pieces: Bytes[] = [];
  let current = '';
  for (let i = 0; i < line.length; i++) {
    const startsRange = state.ranges.some(([from]) => from === i + 1);
    if (!isIn(state, i + 1) || startsRange) {
      if (current !== '') pieces.push(current);
      current = '';
    }
    if (isIn(state, i + 1)) current += line[i];
  }
  return [...pieces, ...(current === '' ? [] : [current])].join(state.output);
}
