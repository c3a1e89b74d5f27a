import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { Flavour } from '../../framework/tool.js';

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November'],
  'December',
];
const DAY = 86_400_000;
/** ls prints the year instead of the time for what is older than half a year. */
const HALF_YEAR = 31_556_952_000 / 2;

const two = (n: number) => String(n).padStart(2, '0');

/** strftime in UTC, in the locale C, with GNU's `-`, `_`, `0` and `^` before the letter. */
export function formatDate(format: Bytes, at: number): Bytes {
  return format.replace(
    /%([-_0^#+]{0,5})(\d{0,4})(:{0,2}[a-zA-Z%])/g,
    (whole, flags: string, width: string, letter: string) => {
      let text = formatLetter(letter, at);
      if (text === undefined) return whole;
      if (flags.includes('-')) text = text.replace(/^[0 ]+(?=.)/, '');
      if (flags.includes('_')) text = text.replace(/^0+(?=.)/, (zeros) => ' '.repeat(zeros.length));
      if (flags.includes('0')) text = text.replace(/^ +/, (spaces) => '0'.repeat(spaces.length));
      if (flags.includes('^') || flags.includes('#')) text = text.toUpperCase();
      if (letter === 'N' && width !== '') return text.slice(0, Number(width));
      return text.padStart(Math.min(Number(width || 0), 100), /^\d/.test(text) ? '0' : ' ');
    },
  );
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const LONG: Readonly<Record<string, string>> = {
  c: '%a %b %e %H:%M:%S %Y',
  r: '%I:%M:%S %p',
  T: '%H:%M:%S',
  X: '%H:%M:%S',
};

/** What `%S` prints of each. */
const SECONDS = Array.from({ length: 60 }, (_, second) => two(second));
/** What changes within a minute; within a day. */
const OF_MINUTE = /(%[-_0^#+]{0,5}\d{0,4}[sSNcrTX])/;
const OF_DAY = /(%[-_0^#+]{0,5}\d{0,4}:{0,2}[HIklMpPR])/;

/** formatDate for many times: what stays the same for a minute is made once, and so is what does for a day. */
export function formatterOf(format: Bytes): (at: number) => Bytes {
  if (format.includes('%%')) return (at) => formatDate(format, at);
  const plain = format.replace(/%([cTrX])/g, (whole, letter: string) => LONG[letter] ?? whole);
  return formatParts(plain, OF_MINUTE, MINUTE, (part) => formatParts(part, OF_DAY, DAY, formatterOfPart));
}

const formatterOfPart = (format: Bytes) => (at: number) => formatDate(format, at);

/** `changing` divides a format: the parts between its matches are formatted once in a period. */
function formatParts(
  format: Bytes,
  changing: RegExp,
  period: number,
  formatterOfFixed: (part: Bytes) => (at: number) => Bytes,
): (at: number) => Bytes {
  const parts = format.split(changing);
  // The formats of what changes stand at odd places.
  const fixed = parts.filter((_, i) => i % 2 === 0).map((part) => formatterOfFixed(part));
  const others = parts.filter((_, i) => i % 2 === 1).map((part) => formatterOfChanging(part));
  let current = -1;
  let texts: Bytes[] = [];
  return (at) => {
    if (Math.floor(at / period) !== current) {
      current = Math.floor(at / period);
      texts = fixed.map((formatter) => formatter(at));
    }
    let text = texts[0]!;
    for (let i = 0; i < others.length; i++) text += others[i]!(at) + texts[i + 1]!;
    return text;
  };
}

const formatterOfChanging = (part: Bytes): ((at: number) => Bytes) =>
  part === '%S' ? (at) => SECONDS[Math.floor((at % MINUTE) / SECOND)]! : formatterOfPart(part);

function formatLetter(letter: string, at: number): string | undefined {
  const date = new Date(at);
  const [year, month, day, weekday] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate(), date.getUTCDay()];
  const hours = date.getUTCHours();
  const hours12 = String(hours % 12 === 0 ? 12 : hours % 12);
  const [minutes, seconds] = [two(date.getUTCMinutes()), two(date.getUTCSeconds())];
  const yearDay = Math.floor((Date.UTC(year, month, day) - Date.UTC(year, 0, 1)) / DAY);
  switch (letter) {
    case 'a':
      return DAYS[weekday]!.slice(0, 3);
    case 'A':
      return DAYS[weekday]!;
    case 'b':
    case 'h':
      return MONTHS[month]!.slice(0, 3);
    case 'B':
      return MONTHS[month]!;
    case 'c':
      return formatDate('%a %b %e %H:%M:%S %Y', at);
    case 'C':
      return two(Math.floor(year / 100));
    case 'd':
      return two(day);
    case 'D':
    case 'x':
      return formatDate('%m/%d/%y', at);
    case 'e':
      return String(day).padStart(2);
    case 'F':
      return formatDate('%Y-%m-%d', at);
    case 'g':
      return two(isoWeek(at).year % 100);
    case 'G':
      return String(isoWeek(at).year);
    case 'H':
      return two(hours);
    case 'I':
      return hours12.padStart(2, '0');
    case 'j':
      return String(yearDay + 1).padStart(3, '0');
    case 'k':
      return String(hours).padStart(2);
    case 'l':
      return hours12.padStart(2);
    case 'm':
      return two(month + 1);
    case 'M':
      return minutes;
    case 'n':
      return '\n';
    case 'N':
      return `${String(((at % 1_000) + 1_000) % 1_000).padStart(3, '0')}000000`;
    case 'p':
      return hours < 12 ? 'AM' : 'PM';
    case 'P':
      return hours < 12 ? 'am' : 'pm';
    case 'q':
      return String(Math.floor(month / 3) + 1);
    case 'r':
      return formatDate('%I:%M:%S %p', at);
    case 'R':
      return formatDate('%H:%M', at);
    case 's':
      return String(Math.floor(at / 1_000));
    case 'S':
      return seconds;
    case 't':
      return '\t';
    case 'T':
    case 'X':
      return formatDate('%H:%M:%S', at);
    case 'u':
      return String(weekday === 0 ? 7 : weekday);
    case 'U':
      return two(Math.floor((yearDay + 7 - weekday) / 7));
    case 'V':
      return two(isoWeek(at).week);
    case 'w':
      return String(weekday);
    case 'W':
      return two(Math.floor((yearDay + 7 - ((weekday + 6) % 7)) / 7));
    case 'y':
      return two(year % 100);
    case 'Y':
      return String(year);
    case 'z':
      return '+0000';
    case ':z':
      return '+00:00';
    case '::z':
      return '+00:00:00';
    case 'Z':
      return 'UTC';
    case '%':
      return '%';
    default:
      return undefined;
  }
}

function isoWeek(at: number): { year: number; week: number } {
  const thursday = new Date(at + (3 - ((new Date(at).getUTCDay() + 6) % 7)) * DAY);
  const year = thursday.getUTCFullYear();
  return { year, week: Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / (7 * DAY)) + 1 };
}

/** The time in a line of `ls -l`. */
export function formatListTime(at: number, now: number, style: string, flavour: Flavour): Bytes {
  if (style === 'full-iso') return formatDate(flavour === 'gnu' ? '%F %T.%N %z' : '%F %T %z', at);
  if (style === 'long-iso') return formatDate('%F %R', at);
  if (style.startsWith('+')) return formatDate(style.slice(1), at);
  const isRecent = at > now - HALF_YEAR && at <= now;
  if (style === 'iso') return formatDate(isRecent ? '%m-%d %R' : '%F ', at);
  return formatDate(isRecent ? '%b %e %H:%M' : '%b %e  %Y', at);
}
