import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { defineFilter, type FilterContext } from '../../framework/filter.js';
import { parseOptions, quoteName, refuseExtraOperands, requireOperands } from '../../framework/options.js';
import { ToolFailure, UsageFailure } from '../../framework/tool.js';

type State = { map: Bytes; deleted: Bytes; squeezed: Bytes; last: Bytes };

const OPTIONS = ['c,complement', 'C', 'd,delete', 's,squeeze-repeats', 't,truncate-set1'];
const ALL = Array.from({ length: 256 }, (_, i) => String.fromCharCode(i));

/** The characters of [:name:] in the locale C. */
export const CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /[a-zA-Z0-9]/,
  alpha: /[a-zA-Z]/,
  blank: /[ \t]/,
  cntrl: /[\0-\x1f\x7f]/,
  digit: /\d/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[\t-\r ]/,
  upper: /[A-Z]/,
  xdigit: /[\da-fA-F]/,
};

export const tr = defineFilter<State>(
  {
    unit: 'chunk',
    start(tool) {
      const options = parseOptions(tool, OPTIONS, true);
      const [isDelete, isSqueeze] = [options.has('d'), options.has('s')];
      checkOperands(tool, options.operands, isDelete, isSqueeze);
      const [first = '', second] = options.operands;
      const plain = readSet(first, 0);
      const set = options.has('c', 'C') ? ALL.filter((c) => !plain.includes(c)).join('') : plain;
      const target = second === undefined ? undefined : readSet(second, set.length);
      const map = isDelete || target === undefined ? '' : makeMap(set, target, options.has('t'));
      const squeezed = isSqueeze ? (target ?? set) : '';
      return { files: [], state: { map, deleted: isDelete ? set : '', squeezed, last: '' } };
    },
    take(tool, state, chunk) {
      let text = '';
      for (let i = 0; i < chunk.length; i++) {
        let c = chunk[i]!;
        if (state.deleted.includes(c)) continue;
        if (state.map !== '') c = state.map[c.charCodeAt(0)]!;
        if (c === state.last && state.squeezed.includes(c)) continue;
        state.last = c;
        text += c;
      }
      tool.out(text);
    },
  },
  { usage: '[OPTION]... SET1 [SET2]' },
);

function checkOperands(tool: FilterContext, operands: readonly Bytes[], isDelete: boolean, isSqueeze: boolean): void {
  requireOperands(tool, operands, 1);
  const needed = isDelete === isSqueeze ? 2 : 1;
  if (operands.length < needed) {
    const why = isDelete
      ? 'Two strings must be given when both deleting and squeezing repeats.'
      : 'Two strings must be given when translating.';
    throw new UsageFailure(`missing operand after ${quoteName(operands[0]!)}\n${why}`);
  }
  if (isDelete && !isSqueeze && operands.length > 1) {
    const why = 'Only one string may be given when deleting without squeezing repeats.';
    throw new UsageFailure(`extra operand ${quoteName(operands[1]!)}\n${why}`);
  }
  refuseExtraOperands(tool, operands, 2);
}

function makeMap(set: Bytes, target: Bytes, isTruncated: boolean): Bytes {
  if (target === '' && !isTruncated) throw new ToolFailure('when not truncating set1, string2 must be non-empty');
  const map = [...ALL];
  for (let i = 0; i < set.length; i++) {
    if (isTruncated && i >= target.length) break;
    map[set.charCodeAt(i)] = target[Math.min(i, target.length - 1)]!;
  }
  return map.join('');
}

/** A set's characters: ranges, classes, escapes, `[c*n]` (as often as `fill` asks). */
export function readSet(text: Bytes, fill: number): Bytes {
  let set = '';
  for (let at = 0; at < text.length;) {
    const named = /^\[:([a-z]+):\]/.exec(text.slice(at));
    if (named !== null) {
      const members = CLASSES[named[1]!];
      if (members === undefined) throw new ToolFailure(`invalid character class ${quoteName(named[1]!)}`);
      set += ALL.filter((c) => members.test(c)).join('');
      at += named[0].length;
      continue;
    }
    const repeated = /^\[(\\?[^\\]|\\[0-7]{1,3})\*(\d*)\]/.exec(text.slice(at));
    if (repeated !== null) {
      const c = readCharacter(repeated[1]!, 0).c;
      const count =
        repeated[2] === ''
          ? Math.max(0, fill - set.length)
          : Number.parseInt(repeated[2]!, repeated[2]!.startsWith('0') ? 8 : 10);
      set += c.repeat(Math.min(count, 65_536));
      at += repeated[0].length;
      continue;
    }
    const { c, length } = readCharacter(text, at);
    at += length;
    if (text[at] !== '-' || at + 1 >= text.length) {
      set += c;
      continue;
    }
    const end = readCharacter(text, at + 1);
    if (end.c < c) {
      throw new ToolFailure(`range-endpoints of '${c}-${end.c}' are in reverse collating sequence order`);
    }
    for (let code = c.charCodeAt(0); code <= end.c.charCodeAt(0); code++) set += String.fromCharCode(code);
    at += 1 + end.length;
  }
  return set;
}

const ESCAPES: Readonly<Record<string, Bytes>> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

function readCharacter(text: Bytes, at: number): { c: Bytes; length: number } {
  if (text[at] !== '\\' || at + 1 >= text.length) return { c: text[at]!, length: 1 };
  const digits = /^[0-7]{1,3}/.exec(text.slice(at + 1));
  if (digits !== null)
    return { c: String.fromCharCode(Number.parseInt(digits[0], 8) & 255), length: 1 + digits[0].length };
  const letter = text[at + 1]!;
  return { c: ESCAPES[letter] ?? letter, length: 2 };
}
