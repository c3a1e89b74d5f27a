import type { Bytes } from '../../../engine/kernel/bytes.js';
import { formatDate } from '../coreutils/time/date-format.js';
import { flushOutput } from '../framework/output.js';
import { findAll } from '../patterns/posix-regex.js';
import { ToolFailure } from '../framework/tool.js';
import { MAX_TEXT } from './machine.js';
import { Streams } from './streams.js';
import { type Cell, formatAwk, inputCell, numberOf, textOf } from './values.js';

/** Functions that awk itself has. */
export class Builtins extends Streams {
  protected substitute(name: string, hasAddress: boolean): void {
    const { machine } = this;
    const text = this.popText();
    const address = hasAddress ? this.pop() : null;
    const replacement = this.popText();
    const regex = this.regex(this.popText());
    let result = '';
    let at = 0;
    machine.count = 0;
    this.sys.charge(1 + (text.length >> 3));
    for (const match of findAll(regex, text)) {
      machine.count++;
      const matched = text.slice(match.start, match.end);
      result +=
        text.slice(at, match.start) +
        replacement.replace(/\\\\&|\\&|&|\\\\/g, (c) =>
          c === '&' ? matched : c === '\\&' ? '&' : c === '\\\\&' ? `\\${matched}` : '\\',
        );
      at = match.end;
      if (result.length > MAX_TEXT) throw new ToolFailure('out of memory', 2);
      if (name === 'sub') break;
    }
    this.sys.charge(machine.count);
    if (machine.count === 0) {
      // Nothing is stored: the record is not built again.
      machine.pc += 2;
      return;
    }
    if (hasAddress) this.push(address);
    this.push(result + text.slice(at));
  }

  protected builtin(name: string, count: number): void {
    if (name === 'system') return this.system();
    if (name === 'close') return this.close();
    const args = this.popMany(count);
    this.push(this.compute(name, args));
  }

  protected compute(name: string, args: readonly Cell[]): Cell {
    const { machine, sys } = this;
    const text = (i: number) => textOf(args[i] ?? null, this.convert());
    const number = (i: number) => numberOf(args[i] ?? null);
    switch (name) {
      case 'length': {
        const [first] = args;
        if (first !== null && typeof first === 'object' && ('a' in first || 'u' in first)) {
          const { length } = Object.keys(machine.arrays['a' in first ? first.a : first.u] ?? {});
          this.sys.charge(length >> 4);
          return length;
        }
        return (args.length === 0 ? machine.record : text(0)).length;
      }
      case 'substr': {
        const whole = text(0);
        const start = Math.round(number(1));
        const end = args.length > 2 ? Math.round(number(1) + number(2)) : Infinity;
        return whole.slice(Math.max(0, start - 1), Math.max(0, Math.min(end - 1, whole.length)));
      }
      case 'index':
        return text(0).indexOf(text(1)) + 1;
      case 'split':
        return this.splitInto(text(0), args[1] ?? null, args.length > 2 ? args[2]! : this.setting('FS', ' '));
      case 'match': {
        const match = this.regex(text(1)).find(text(0));
        machine.globals['RSTART'] = match === undefined ? 0 : match.start + 1;
        machine.globals['RLENGTH'] = match === undefined ? -1 : match.end - match.start;
        return machine.globals['RSTART'];
      }
      case 'sprintf':
        return formatAwk(text(0), args.slice(1));
      case 'tolower':
        return text(0).replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
      case 'toupper':
        return text(0).replace(/[a-z]+/g, (letters) => letters.toUpperCase());
      case 'int':
        return Math.trunc(number(0));
      case 'rand':
        machine.seed = (Math.imul(machine.seed, 1_103_515_245) + 12_345) & 0x7fffffff;
        return machine.seed / 0x80000000;
      case 'srand': {
        const before = machine.previousSeed;
        machine.previousSeed = args.length > 0 ? number(0) : Math.floor(sys.now / 1_000);
        machine.seed = machine.previousSeed | 0;
        return before;
      }
      case 'fflush':
        flushOutput(machine.output, sys);
        return 0;
      case 'systime':
        return Math.floor(sys.clock / 1_000);
      case 'strftime':
        return formatDate(
          args.length > 0 ? text(0) : '%a %b %e %H:%M:%S %Z %Y',
          args.length > 1 ? number(1) * 1_000 : sys.clock,
        );
      case 'atan2':
        return Math.atan2(number(0), number(1));
      default:
        return computeNumber(name, number(0), number(1));
    }
  }

  protected splitInto(text: Bytes, target: Cell, separator: Cell): number {
    if (target === null || typeof target !== 'object' || !('a' in target))
      throw new ToolFailure('split: second argument is not an array', 2);
    const isRegex = separator !== null && typeof separator === 'object' && 'r' in separator;
    const parts = this.split(text, textOf(separator), isRegex);
    this.clearArray(target.a);
    const array = (this.machine.arrays[target.a] = {});
    for (const [i, part] of parts.entries()) this.setElement(array, String(i + 1), inputCell(part));
    return parts.length;
  }
}

function computeNumber(name: string, x: number, y: number): number {
  switch (name) {
    case 'sin':
      return Math.sin(x);
    case 'cos':
      return Math.cos(x);
    case 'exp':
      return Math.exp(x);
    case 'log':
      return Math.log(x);
    case 'sqrt':
      return Math.sqrt(x);
    case 'and':
      return Number(BigInt(Math.trunc(x)) & BigInt(Math.trunc(y)));
    case 'or':
      return Number(BigInt(Math.trunc(x)) | BigInt(Math.trunc(y)));
    case 'xor':
      return Number(BigInt(Math.trunc(x)) ^ BigInt(Math.trunc(y)));
    case 'lshift':
      return Math.trunc(x) * 2 ** y;
    case 'rshift':
      return Math.floor(Math.trunc(x) / 2 ** y);
    default:
      throw new ToolFailure(`function ${name} is not there`, 2);
  }
}
