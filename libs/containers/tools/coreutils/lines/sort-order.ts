import type { Bytes } from '../../../../engine/kernel/bytes.js';

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

const numberOf = (text: Bytes) => Number(/^[ \t]*(-?\d*(?:\.\d*)?)/.exec(text)?.[1]?.replace(/^-?\.?$/, '0') ?? 0);

export const compareNumbers = (a: Bytes, b: Bytes): number => numberOf(a) - numberOf(b);

/** `sort -h`: the letter counts first, then the number. */
export function compareHuman(a: Bytes, b: Bytes): number {
  const rank = (text: Bytes) => {
    const [, sign, letter] = /^[ \t]*(-?)\d*(?:\.\d*)?([KMGTPEZYk]?)/.exec(text) ?? [];
    const power = letter === '' || letter === undefined ? 0 : ' KMGTPEZY'.indexOf(letter.toUpperCase());
    return sign === '-' ? -power : power;
  };
  return rank(a) - rank(b) || compareNumbers(a, b);
}

export function compareMonths(a: Bytes, b: Bytes): number {
  const month = (text: Bytes) => MONTHS.indexOf(text.trimStart().slice(0, 3).toUpperCase());
  return month(a) - month(b);
}

/** Versions: runs of digits as numbers, letters before other characters, `~` before the end. */
export function compareVersions(a: Bytes, b: Bytes): number {
  const parts = (text: Bytes) => text.match(/\d+|\D+/g) ?? [];
  const [left, right] = [parts(a), parts(b)];
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const [x = '', y = ''] = [left[i], right[i]];
    const order = /^\d/.test(x) && /^\d/.test(y) ? Number(x) - Number(y) : compareLetters(x, y);
    if (order !== 0) return order;
  }
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareLetters(x: Bytes, y: Bytes): number {
  const weigh = (c: string | undefined) => {
    if (c === '~') return -1;
    if (c === undefined || /\d/.test(c)) return 0;
    return /[a-zA-Z]/.test(c) ? c.charCodeAt(0) : c.charCodeAt(0) + 256;
  };
  for (let i = 0; i < Math.max(x.length, y.length); i++) {
    const order = weigh(x[i]) - weigh(y[i]);
    if (order !== 0) return order;
  }
  return 0;
}
