import { formatDate } from '../../coreutils/time/date-format.js';
import { fail, isArray, type Json } from './values.js';

const DAY = 86_400_000;

/** Broken down time: year, month (from 0), day, hours, minutes, seconds, day of the week and of the year. */
export function gmtime(value: Json): Json {
  if (typeof value !== 'number') return fail('gmtime() requires a number');
  const at = new Date(Math.floor(value) * 1_000);
  if (Number.isNaN(at.getTime())) return fail('error converting number of seconds since epoch to datetime');
  const year = at.getUTCFullYear();
  const seconds = at.getUTCSeconds() + (value - Math.floor(value));
  return [
    ...[year, at.getUTCMonth(), at.getUTCDate(), at.getUTCHours(), at.getUTCMinutes(), seconds],
    ...[at.getUTCDay(), Math.floor((at.getTime() - Date.UTC(year, 0, 1)) / DAY)],
  ];
}

export function mktime(value: Json): Json {
  if (!isArray(value)) return fail('mktime requires array of 6 numbers');
  const numbers = value.slice(0, 6);
  if (numbers.length < 6 || numbers.some((n) => typeof n !== 'number'))
    return fail(numbers.length < 6 ? 'mktime requires array of 6 numbers' : 'mktime requires parsed datetime inputs');
  const [year, month, day, hours, minutes, seconds] = numbers as number[];
  const at = Date.UTC(year!, month, day, hours, minutes, Math.floor(seconds!));
  return Number.isNaN(at) ? fail('invalid gmtime representation') : Math.floor(at / 1_000);
}

export function strftime(value: Json, format: Json): Json {
  if (typeof value !== 'number' && !isArray(value)) return fail('strftime/1 requires parsed datetime inputs');
  if (typeof format !== 'string') return fail('strftime/1 requires a string format');
  const seconds = typeof value === 'number' ? Math.floor(value) : mktime(value);
  return formatDate(format, (seconds as number) * 1_000);
}

const NAMES: Readonly<Record<string, readonly string[]>> = {
  b: 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' '),
  a: 'sun mon tue wed thu fri sat'.split(' '),
};
const LONGER: Readonly<Record<string, string>> = {
  ...{ T: '%H:%M:%S', F: '%Y-%m-%d', D: '%m/%d/%y', R: '%H:%M', c: '%a %b %e %H:%M:%S %Y' },
};

/** strptime(3), in UTC. */
export function strptime(value: Json, format: Json): Json {
  if (typeof value !== 'string') return fail(`strptime/1 requires string inputs and arguments`);
  if (typeof format !== 'string') return fail(`strptime/1 requires string inputs and arguments`);
  const pattern = format.replace(/%([TFDRc])/g, (_whole, letter: string) => LONGER[letter]!);
  const refuse = (): never => fail(`date "${value}" does not match format "${format}"`);
  const found: Record<string, number> = { Y: 1_900, m: 1, d: 0, H: 0, M: 0, S: 0 };
  let at = 0;
  for (let i = 0; i < pattern.length; i++) {
    const c = pattern[i]!;
    if (c === ' ') {
      while (value[at] === ' ') at++;
      continue;
    }
    if (c !== '%') {
      if (value[at++] !== c) return refuse();
      continue;
    }
    const letter = pattern[++i] ?? '';
    const rest = value.slice(at);
    const text = readField(letter, rest);
    if (text === undefined) return refuse();
    at += text.length;
    take(found, letter, text);
  }
  if (at < value.length) return refuse();
  const { Y, m, d, H, M, S, s } = found;
  if (s !== undefined) return gmtime(s);
  return gmtime(Date.UTC(Y!, m! - 1, d!, H!, M!, S!) / 1_000);
}

function readField(letter: string, rest: string): string | undefined {
  if (letter === 'Z') return /^[A-Za-z]+/.exec(rest)?.[0];
  if (letter === 'z') return /^(?:[+-]\d\d:?\d\d|Z)/.exec(rest)?.[0];
  if ('bBhaA'.includes(letter)) return /^[A-Za-z]+/.exec(rest)?.[0];
  if (letter === 'Y') return /^\d{1,4}/.exec(rest)?.[0];
  if (letter === 's') return /^\d+/.exec(rest)?.[0];
  if (letter === 'j') return /^\d{1,3}/.exec(rest)?.[0];
  if ('mdeHIMSyuw'.includes(letter)) return /^ ?\d{1,2}/.exec(rest)?.[0];
  if (letter === 'p') return /^[AaPp][Mm]/.exec(rest)?.[0];
  return letter === '%' && rest.startsWith('%') ? '%' : undefined;
}

function take(found: Record<string, number>, letter: string, text: string): void {
  if ('bBh'.includes(letter)) found['m'] = NAMES['b']!.indexOf(text.slice(0, 3).toLowerCase()) + 1;
  else if (letter === 'e') found['d'] = Number(text);
  else if (letter === 'y') found['Y'] = Number(text) + (Number(text) < 69 ? 2_000 : 1_900);
  else if (letter === 'I') found['H'] = Number(text) % 12;
  else if (letter === 'p') found['H'] = (found['H']! % 12) + (/^p/i.test(text) ? 12 : 0);
  else if ('YmdHMSs'.includes(letter)) found[letter] = Number(text);
}
