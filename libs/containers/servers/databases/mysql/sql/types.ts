import type { SqlValue } from '../../sqlite/sqlite.js';
import type { ColumnDef } from '../../sql/table.js';
import type { Words } from '../../sql/words.js';
import { MyFailure } from '../failure.js';

const NAMES: Readonly<Record<string, string>> = {
  ...{ integer: 'int', numeric: 'decimal', dec: 'decimal', bool: 'tinyint(1)', boolean: 'tinyint(1)', real: 'double' },
  ...{ character: 'char', fixed: 'decimal', serial: 'bigint unsigned' },
};
const WHOLE = ['tinyint', 'smallint', 'mediumint', 'int', 'bigint', 'year', 'bit'];
const KNOWN = [
  ...WHOLE,
  ...[
    'decimal',
    'float',
    'double',
    'char',
    'varchar',
    'text',
    'tinytext',
    'mediumtext',
    'longtext',
    'blob',
    'tinyblob',
  ],
  ...['mediumblob', 'longblob', 'binary', 'varbinary', 'date', 'datetime', 'timestamp', 'time', 'json', 'enum', 'set'],
];
const TEXTS = ['char', 'varchar', 'text', 'tinytext', 'mediumtext', 'longtext', 'enum', 'set'];

export const baseOf = (type: string): string => type.split(/[( ]/, 1)[0]!;

/** A type as SHOW COLUMNS prints it. Throws 1064. */
export function readType(words: Words): { readonly type: string; readonly isSerial: boolean } {
  const token = words.next;
  const given = words.name().toLowerCase();
  let type = Object.hasOwn(NAMES, given) ? NAMES[given]! : given;
  if (given === 'double') words.take('precision');
  if (!KNOWN.includes(baseOf(type))) {
    words.at = Math.max(0, words.tokens.indexOf(token!));
    words.fail();
  }
  if (words.sees('(')) {
    const parts = words.group().filter(({ key }) => key !== ',');
    const list = parts
      .map(({ type: kind, text }) => (kind === 'text' ? `'${text.replaceAll("'", "''")}'` : text))
      .join(',');
    // The width of integers does not show any more, but for tinyint(1).
    if (!WHOLE.includes(type) || (type === 'tinyint' && list === '1')) type += `(${list})`;
  } else if (type === 'decimal') type = 'decimal(10,0)';
  else if (type === 'char') type = 'char(1)';
  if (words.take('unsigned')) type += ' unsigned';
  words.take('zerofill');
  return { type, isSerial: given === 'serial' };
}

/** What SQLite is told: its affinity is by words in the name. */
export function sqlTypeOf({ type }: ColumnDef): string {
  const base = baseOf(type);
  if (base === 'enum' || base === 'set') return 'varchar(255) COLLATE NOCASE';
  const plain = type.replace(' unsigned', '');
  return TEXTS.includes(base) ? `${plain} COLLATE NOCASE` : plain;
}

export const isNumeric = (type: string): boolean =>
  [...WHOLE, 'decimal', 'float', 'double', 'integer'].includes(baseOf(type));

const LIMITS: Readonly<Record<string, number>> = {
  tinyint: 2 ** 7,
  smallint: 2 ** 15,
  mediumint: 2 ** 23,
  int: 2 ** 31,
};
const DATE = /^\d{4}-\d{1,2}-\d{1,2}/;

/** A value as a column keeps it, by `type\tcolumn`. Throws what strict mode says. */
export function inputValue(check: string, value: SqlValue): SqlValue {
  if (value === null || value instanceof Uint8Array) return value;
  const cut = check.lastIndexOf('\t');
  const type = check.slice(0, cut);
  const column = check.slice(cut + 1);
  const base = baseOf(type);
  const text = String(value);
  const numbers = (/\(([\d,]+)\)/.exec(type)?.[1] ?? '').split(',').map(Number);
  const wrong = (what: string): MyFailure =>
    new MyFailure(
      base === 'date' || base === 'datetime' || base === 'timestamp' ? 1292 : 1366,
      'HY000',
      `Incorrect ${what} value: '${text}' for column '${column}' at row 1`,
    );
  if (WHOLE.includes(base)) {
    const number = Number(text);
    if (text.trim() === '' || Number.isNaN(number)) throw wrong('integer');
    const whole = Math.round(number);
    const limit = LIMITS[base] ?? Infinity;
    const [low, high] = type.endsWith('unsigned') ? [0, limit * 2 - 1] : [-limit, limit - 1];
    if (whole < low || whole > high)
      throw new MyFailure(1264, '22003', `Out of range value for column '${column}' at row 1`);
    return typeof value === 'bigint' ? value : whole;
  }
  if (base === 'decimal' || base === 'float' || base === 'double') {
    const number = Number(text);
    if (Number.isNaN(number)) throw wrong(base === 'decimal' ? 'decimal' : base);
    if (base !== 'decimal') return number;
    const [precision = 10, scale = 0] = numbers;
    const rounded = Number(number.toFixed(scale));
    if (Math.abs(rounded) >= 10 ** (precision - scale))
      throw new MyFailure(1264, '22003', `Out of range value for column '${column}' at row 1`);
    return rounded;
  }
  if (base === 'varchar' || base === 'char') {
    if (Array.from(text).length <= (numbers[0] ?? 1)) return text;
    throw new MyFailure(1406, '22001', `Data too long for column '${column}' at row 1`);
  }
  if (base === 'enum') {
    const found = type
      .slice(5, -1)
      .split(/,(?=')/)
      .map((one) => one.slice(1, -1))
      .find((one) => one.toLowerCase() === text.toLowerCase());
    if (found !== undefined) return found;
    throw new MyFailure(1265, '01000', `Data truncated for column '${column}' at row 1`);
  }
  if (base === 'date' || base === 'datetime' || base === 'timestamp') {
    if (!DATE.test(text)) throw wrong(base === 'date' ? 'date' : 'datetime');
    if (base === 'date') return text.slice(0, 10);
    return text.length <= 10 ? `${text} 00:00:00` : text.replace('T', ' ').slice(0, 19);
  }
  return value;
}

/** As clients print it. */
export function outputValue(type: string, value: SqlValue): string | null {
  if (value === null) return null;
  if (value instanceof Uint8Array) return String.fromCharCode(...value.subarray(0, 4_096));
  if (baseOf(type) === 'decimal' && typeof value === 'number') {
    const scale = Number(/,(\d+)/.exec(type)?.[1] ?? 0);
    return value.toFixed(scale);
  }
  return String(value);
}

/** A column's type in the protocol, and whether it is binary. */
export function wireType(type: string): number {
  const codes: Readonly<Record<string, number>> = {
    ...{
      tinyint: 1,
      smallint: 2,
      int: 3,
      integer: 3,
      float: 4,
      double: 5,
      timestamp: 7,
      bigint: 8,
      mediumint: 9,
      date: 10,
    },
    ...{ time: 11, datetime: 12, year: 13, json: 245, decimal: 246, blob: 252, longblob: 252, char: 254 },
  };
  return codes[baseOf(type)] ?? 253;
}
