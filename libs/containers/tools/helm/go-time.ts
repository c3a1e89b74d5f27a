import { trimEnd } from '../names.js';

const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October'];
const ALL_MONTHS = [...MONTHS, 'November', 'December'];
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const LAYOUT =
  /January|Jan|Monday|Mon|MST|2006|01|02|03|04|05|06|002|_2|15|PM|pm|Z07:00|Z0700|-07:00|-0700|-07|[.,]0+|[.,]9+|1|2|3|4|5/g;

const two = (value: number): string => String(value).padStart(2, '0');

/** A time as Go's Format prints it, in UTC. */
export function formatGoTime(layout: string, at: number): string {
  const date = new Date(at);
  const hour = date.getUTCHours();
  const [month, day] = [ALL_MONTHS[date.getUTCMonth()]!, DAYS[date.getUTCDay()]!];
  const parts: Readonly<Record<string, string>> = {
    ...{ January: month, Jan: month.slice(0, 3), Monday: day, Mon: day.slice(0, 3), MST: 'UTC' },
    ...{ '2006': String(date.getUTCFullYear()), '06': two(date.getUTCFullYear() % 100) },
    ...{ '01': two(date.getUTCMonth() + 1), '1': String(date.getUTCMonth() + 1) },
    ...{ '02': two(date.getUTCDate()), '2': String(date.getUTCDate()), _2: String(date.getUTCDate()).padStart(2) },
    ...{ '15': two(hour), '03': two(hour % 12 || 12), '3': String(hour % 12 || 12) },
    ...{ '04': two(date.getUTCMinutes()), '4': String(date.getUTCMinutes()) },
    ...{ '05': two(date.getUTCSeconds()), '5': String(date.getUTCSeconds()) },
    ...{ PM: hour < 12 ? 'AM' : 'PM', pm: hour < 12 ? 'am' : 'pm' },
    ...{ 'Z07:00': 'Z', Z0700: 'Z', '-07:00': '+00:00', '-0700': '+0000', '-07': '+00' },
  };
  return layout.replace(LAYOUT, (word) => {
    if (/^[.,]/.test(word)) return fraction(word, date.getUTCMilliseconds());
    return parts[word] ?? word;
  });
}

function fraction(word: string, ms: number): string {
  const digits = String(ms)
    .padStart(3, '0')
    .padEnd(9, '0')
    .slice(0, word.length - 1);
  if (word[1] === '0') return word[0]! + digits;
  const short = trimEnd(digits, '0');
  return short === '' ? '' : word[0]! + short;
}

/** `Mon Jan _2 15:04:05 2006`. */
export const ANSIC = 'Mon Jan _2 15:04:05 2006';

/** As Go writes it in JSON. */
export const timeJson = (at: number): string => formatGoTime('2006-01-02T15:04:05.999999999Z07:00', at);
