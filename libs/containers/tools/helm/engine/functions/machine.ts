import { GoInt, GoObject } from '../../../go-template/values.js';
import { formatDuration, formatTime, parseDuration } from '../../../../servers/go.js';
import { formatGoTime } from '../../go-time.js';
import { fail, type FunctionTable, int64, textValue, toInteger, typed } from './typed.js';

/** What templates take of the machine. */
export interface Machine {
  /** ms since 1970, as its clock shows. */
  readonly clock: number;
  random(): number;
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const LETTERS = LOWER + LOWER.toUpperCase();
const DIGITS = '0123456789';
const MAX_RANDOM = 10_000;

/** A time of Go's; its ms stand in a field that templates do not know. */
const timeOf = (at: number): GoObject =>
  new GoObject(
    'time.Time',
    { 'unix ms': at },
    {
      Format: ([layout]) => formatGoTime(textValue(layout), at),
      Unix: () => int64(Math.floor(at / 1_000)),
      Year: () => new GoInt(new Date(at).getUTCFullYear()),
      UTC: () => timeOf(at),
      String: () => formatTime(at),
    },
    formatTime(at),
  );

function msOf(value: unknown, now: number): number {
  if (value instanceof GoObject && typeof value.fields['unix ms'] === 'number') return value.fields['unix ms'];
  return value instanceof GoInt || typeof value === 'number' ? toInteger(value) * 1_000 : now;
}

function readDate(layout: string, text: string): number {
  const at = Date.parse(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text.replace(' ', 'T'));
  return Number.isNaN(at)
    ? fail(`parsing time ${JSON.stringify(text)} as ${JSON.stringify(layout)}: cannot parse`)
    : at;
}

const NOT_SIMULATED = ['genCA', 'genCAWithKey', 'genSelfSignedCert', 'genSelfSignedCertWithKey', 'genSignedCert'];
const ALSO_NOT = [
  'genSignedCertWithKey',
  'genPrivateKey',
  'derivePassword',
  'buildCustomCert',
  'encryptAES',
  'decryptAES',
];

/** Functions of sprig's date.go and crypto.go: they take the machine's clock and its randomness. */
export function machineFunctions(machine: Machine): FunctionTable {
  const draw = (letters: string, count: number): string => {
    if (count > MAX_RANDOM) fail('the text is too long');
    return Array.from(
      { length: Math.max(0, count) },
      () => letters[Math.floor(machine.random() * letters.length)]!,
    ).join('');
  };
  const random = (letters: string) => typed('i', (count: number) => draw(letters, count));
  const format = (layout: string, value: unknown): string => formatGoTime(layout, msOf(value, machine.clock));
  const modify = (by: string, value: unknown): GoObject => {
    const ms = parseDuration(by);
    return timeOf(msOf(value, machine.clock) + (ms ?? fail(`time: invalid duration ${JSON.stringify(by)}`)));
  };
  const inZone = typed('saa', (layout: string, value: unknown) => format(layout, value));
  const absent = Object.fromEntries(
    [...NOT_SIMULATED, ...ALSO_NOT].map((name) => [name, typed('a*', () => fail(`${name} is not simulated`))]),
  );
  return {
    ...absent,
    now: typed('', () => timeOf(machine.clock)),
    date: typed('sa', format),
    dateInZone: inZone,
    date_in_zone: inZone,
    htmlDate: typed('a', (value: unknown) => format('2006-01-02', value)),
    htmlDateInZone: typed('as', (value: unknown) => format('2006-01-02', value)),
    dateModify: typed('sa', modify),
    date_modify: typed('sa', modify),
    mustDateModify: typed('sa', modify),
    unixEpoch: typed('a', (value: unknown) => String(Math.floor(msOf(value, machine.clock) / 1_000))),
    ago: typed('a', (value: unknown) =>
      formatDuration(Math.floor((machine.clock - msOf(value, machine.clock)) / 1_000) * 1_000),
    ),
    toDate: typed('ss', (layout: string, text: string) => timeOf(readDate(layout, text))),
    mustToDate: typed('ss', (layout: string, text: string) => timeOf(readDate(layout, text))),
    duration: typed('a', (value: unknown) =>
      formatDuration(
        typeof value === 'string' || (value instanceof GoInt && value.type === 'int64') ? toInteger(value) * 1_000 : 0,
      ),
    ),
    randAlphaNum: random(LETTERS + DIGITS),
    randAlpha: random(LETTERS),
    randNumeric: random(DIGITS),
    randAscii: random(Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join('')),
    randInt: typed('ii', (from: number, to: number) => new GoInt(from + Math.floor(machine.random() * (to - from)))),
    randBytes: typed('i', (count: number) =>
      btoa(String.fromCharCode(...Array.from({ length: Math.min(count, MAX_RANDOM) }, () => machine.random() * 256))),
    ),
    shuffle: typed('s', (text: string) => {
      const letters = [...text];
      for (let i = letters.length - 1; i > 0; i--) {
        const at = Math.floor(machine.random() * (i + 1));
        [letters[i], letters[at]] = [letters[at]!, letters[i]!];
      }
      return letters.join('');
    }),
    uuidv4: typed('', () => {
      const hex = draw('0123456789abcdef', 30);
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(12, 15)}-${'89ab'[Math.floor(machine.random() * 4)]}${hex.slice(15, 18)}-${hex.slice(18, 30)}`;
    }),
    // Hashes with salt need a cost that no step of a program may have.
    htpasswd: typed('ss', () => fail('htpasswd is not simulated')),
    bcrypt: typed('s', () => fail('bcrypt is not simulated')),
    getHostByName: typed('s', () => ''),
    hello: typed('', () => 'Hello!'),
  };
}
