import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { Millis } from '../../../../engine/machinery/time/time.js';
import type { Connection } from '../../serve.js';
import type { Keys } from '../database.js';
import { CommandFailure } from '../resp.js';
import type { Running } from '../../serve.js';
import type { Own } from '../own.js';

/** What a command runs in. */
export interface CommandContext {
  readonly server: Running<Own>;
  readonly connection: Connection;
  readonly keys: Keys;
  readonly now: Millis;
  /** The command as it was sent, without its name. */
  readonly args: readonly Bytes[];
}

/** A list's end that has come for one of the keys, or not before a time (null: ever). */
export interface Blocking {
  readonly blockUntil: Millis | null;
  /** The command that is tried again; by default the same. */
  readonly again?: readonly Bytes[];
  /** The reply when the time is over; by default a null array. */
  readonly late?: Bytes;
}

export interface Command {
  /** Words with the name; negative: at least so many. */
  readonly arity: number;
  /** It changes data; 'grows': it is refused when there is no space. */
  readonly writes?: true | 'grows';
  run(context: CommandContext): Bytes | Blocking;
}

export type Commands = Readonly<Record<string, Command>>;

export const SYNTAX = 'ERR syntax error';
const NO_INTEGER = 'ERR value is not an integer or out of range';

const MAX_INT = 9_223_372_036_854_775_807n;
const MIN_INT = -9_223_372_036_854_775_808n;

export function readBigInteger(text: Bytes): bigint {
  const value = /^(?:0|-?[1-9]\d{0,18})$/.test(text) ? BigInt(text) : undefined;
  if (value === undefined || !isInRange(value)) throw new CommandFailure(NO_INTEGER);
  return value;
}
export const isInRange = (value: bigint): boolean => value <= MAX_INT && value >= MIN_INT;

export const readInteger = (text: Bytes): number => Number(readBigInteger(text));

/** Of counts and numbers as clients write them: '1.5', '-inf'. */
export function readFloat(text: Bytes, problem = 'ERR value is not a valid float'): number {
  const infinity = /^([+-]?)inf(?:inity)?$/i.exec(text);
  if (infinity) return infinity[1] === '-' ? -Infinity : Infinity;
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) throw new CommandFailure(problem);
  return Number(text);
}

export const formatFloat = (value: number): Bytes =>
  value === Infinity ? 'inf' : value === -Infinity ? '-inf' : String(value).replace(/e\+/, 'e+');

/** First and last (from 0) of a range as commands write it, negative from the end. */
export function readRange(start: Bytes, stop: Bytes, length: number): readonly [number, number] {
  const place = (text: Bytes): number => {
    const at = readInteger(text);
    return at < 0 ? length + at : at;
  };
  return [Math.max(0, place(start)), Math.min(length - 1, place(stop))];
}

/** glob of KEYS and SCAN as a function: linear in the name for each star. */
export function matchGlob(pattern: Bytes, name: Bytes): boolean {
  let [p, n, star, mark] = [0, 0, -1, 0];
  while (n < name.length) {
    const part = p < pattern.length && pattern[p] !== '*' ? matchOne(pattern, p, name[n]!) : undefined;
    if (part !== undefined) {
      p = part;
      n++;
    } else if (pattern[p] === '*') {
      star = ++p;
      mark = n;
    } else if (star >= 0) {
      p = star;
      n = ++mark;
    } else return false;
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}

/** Where the pattern goes on when its next part takes the character. */
function matchOne(pattern: Bytes, at: number, char: string): number | undefined {
  const first = pattern[at]!;
  if (first === '?') return at + 1;
  if (first === '\\' && at + 1 < pattern.length) return pattern[at + 1] === char ? at + 2 : undefined;
  if (first !== '[') return first === char ? at + 1 : undefined;
  const isNegated = pattern[at + 1] === '^';
  let i = at + (isNegated ? 2 : 1);
  let isIn = false;
  for (; i < pattern.length && pattern[i] !== ']'; i++) {
    if (pattern[i + 1] === '-' && i + 2 < pattern.length && pattern[i + 2] !== ']') {
      isIn ||= char >= pattern[i]! && char <= pattern[i + 2]!;
      i += 2;
    } else isIn ||= pattern[i] === char;
  }
  return isIn === isNegated ? undefined : i + 1;
}
