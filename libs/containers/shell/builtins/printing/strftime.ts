import type { Bytes } from '../../kernel.js';

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

const two = (value: number): string => String(value).padStart(2, '0');

/** strftime(3) in UTC, for `printf '%(...)T'`. */
export function formatTime(format: Bytes, ms: number): Bytes {
  const date = new Date(ms);
  return format.replace(/%([^])/g, (directive, letter: string) => fieldOf(date, letter) ?? directive);
}

function fieldOf(date: Date, letter: string): Bytes | undefined {
  const hours = date.getUTCHours();
  const time = `${two(hours)}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
  switch (letter) {
    case 'Y':
      return String(date.getUTCFullYear());
    case 'y':
      return two(date.getUTCFullYear() % 100);
    case 'm':
      return two(date.getUTCMonth() + 1);
    case 'd':
      return two(date.getUTCDate());
    case 'e':
      return String(date.getUTCDate()).padStart(2);
    case 'H':
      return two(hours);
    case 'I':
      return two(hours % 12 || 12);
    case 'M':
      return two(date.getUTCMinutes());
    case 'S':
      return two(date.getUTCSeconds());
    case 'p':
      return hours < 12 ? 'AM' : 'PM';
    case 'F':
      return date.toISOString().slice(0, 10);
    case 'T':
    case 'X':
      return time;
    case 'R':
      return time.slice(0, 5);
    case 'D':
    case 'x':
      return `${two(date.getUTCMonth() + 1)}/${two(date.getUTCDate())}/${two(date.getUTCFullYear() % 100)}`;
    case 's':
      return String(Math.floor(date.getTime() / 1_000));
    case 'A':
      return DAYS[date.getUTCDay()];
    case 'a':
      return DAYS[date.getUTCDay()]!.slice(0, 3);
    case 'B':
      return MONTHS[date.getUTCMonth()];
    case 'b':
    case 'h':
      return MONTHS[date.getUTCMonth()]!.slice(0, 3);
    case 'c':
      return `${DAYS[date.getUTCDay()]!.slice(0, 3)} ${MONTHS[date.getUTCMonth()]!.slice(0, 3)} ${String(date.getUTCDate()).padStart(2)} ${time} ${date.getUTCFullYear()}`;
    case 'j':
      return String(Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000) + 1).padStart(
        3,
        '0',
      );
    case 'u':
      return String(date.getUTCDay() || 7);
    case 'w':
      return String(date.getUTCDay());
    case 'Z':
      return 'UTC';
    case 'z':
      return '+0000';
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case '%':
      return '%';
    default:
      return undefined;
  }
}
