import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { splitLines } from '../../format.js';
import { parseOptions, quoteName, type Options } from '../../framework/options.js';
import { defineTool, type ToolContext, ToolFailure } from '../../framework/tool.js';

/** The exit code of what cannot be converted. */
const FAILED = 2;
const LETTERS = 'KMGTPEZYRQ';
const SCALES = ['none', 'auto', 'si', 'iec', 'iec-i'];
const ROUNDINGS = ['up', 'down', 'from-zero', 'towards-zero', 'nearest'];

interface Format {
  /** Decimals; absent: one below ten, none else. */
  readonly precision?: number;
  readonly width: number;
  readonly isLeft: boolean;
  readonly isZeroed: boolean;
  readonly before: string;
  readonly after: string;
}

interface Settings {
  readonly from: string;
  readonly to: string;
  readonly fromUnit: number;
  readonly toUnit: number;
  readonly round: string;
  readonly suffix: string;
  /** Positive: to the right; absent: as wide as it was. */
  readonly padding: number | undefined;
  readonly format: Format | undefined;
  readonly delimiter: string | undefined;
  readonly fields: string;
  readonly invalid: string;
}

const OPTIONS = [
  ...['d,delimiter:', 'field:', 'format:', 'from:', 'from-unit:', 'grouping', 'header::', 'invalid:', 'padding:'],
  ...['round:', 'suffix:', 'to:', 'to-unit:', 'z,zero-terminated', 'debug'],
];

/** Models coreutils' numfmt.c. Left out: grouping of digits, which the C locale has none of. */
export const numfmt = defineTool(
  (tool) => {
    const options = parseOptions(tool, OPTIONS);
    const settings = readSettings(options);
    const ending = options.has('z') ? '\0' : '\n';
    let code = 0;
    const convert = (line: Bytes): void => {
      splitFields(line, settings).forEach((field, i) => {
        if (i > 0) tool.out(settings.delimiter ?? ' ');
        const { text, failure } = isChosen(settings.fields, i + 1)
          ? convertField(field, i + 1, settings)
          : { text: field };
        if (failure !== undefined && settings.invalid === 'abort') throw new ToolFailure(failure, FAILED);
        if (failure !== undefined && settings.invalid !== 'ignore') tool.warn(failure);
        if (failure !== undefined && settings.invalid === 'fail') code = FAILED;
        tool.out(text);
      });
      tool.out(ending);
    };
    if (options.operands.length > 0) options.operands.forEach(convert);
    else convertInput(tool, options, ending, convert);
    return code;
  },
  { usage: '[OPTION]... [NUMBER]...' },
);

function convertInput(tool: ToolContext, options: Options, ending: string, convert: (line: Bytes) => void): void {
  const header = options.has('header') ? Number(options.value('header') || 1) : 0;
  splitLines(tool.stdin(), ending).forEach((line, i) => (i < header ? tool.out(line + ending) : convert(line)));
}

function readSettings(options: Options): Settings {
  const padding = options.value('padding');
  if (padding !== undefined && !/^[+-]?[1-9]\d*$/.test(padding))
    throw new ToolFailure(`invalid padding value ${quoteName(padding)}`);
  const format = options.value('format');
  return {
    from: choose(options, 'from', SCALES, 'none'),
    to: choose(
      options,
      'to',
      SCALES.filter((one) => one !== 'auto'),
      'none',
    ),
    fromUnit: unitOf(options, 'from-unit'),
    toUnit: unitOf(options, 'to-unit'),
    round: choose(options, 'round', ROUNDINGS, 'from-zero'),
    suffix: options.value('suffix') ?? '',
    padding: padding === undefined ? undefined : Number(padding),
    format: format === undefined ? undefined : parseFormat(format),
    delimiter: options.value('d'),
    fields: options.value('field') ?? '1',
    invalid: choose(options, 'invalid', ['abort', 'fail', 'warn', 'ignore'], 'abort'),
  };
}

function choose(options: Options, name: string, known: readonly string[], byDefault: string): string {
  const value = options.value(name) ?? byDefault;
  if (known.includes(value)) return value;
  const list = known.map((one) => `  - ‘${one}’\n`).join('');
  throw new ToolFailure(
    `invalid argument ${quoteName(value)} for ‘--${name}’\nValid arguments are:\n${list.trimEnd()}`,
  );
}

function unitOf(options: Options, name: string): number {
  const text = options.value(name) ?? '1';
  const [, digits, letter = '', isBinary] = /^(\d+)([KMGTPEZYRQ])?(i)?$/.exec(text) ?? [];
  if (digits === undefined || Number(digits) === 0) throw new ToolFailure(`invalid unit size: ${quoteName(text)}`);
  return Number(digits) * (isBinary ? 1024 : 1000) ** powerOf(letter);
}

const powerOf = (letter: string): number => (letter === '' ? 0 : LETTERS.indexOf(letter) + 1);

function parseFormat(text: string): Format {
  const [, before, flags = '', zero = '', width = '', precision, after] =
    /^([^%]*)%([-' ]*)(0?)((?:[1-9]\d*)?)(?:\.(\d*))?f(.*)$/.exec(text) ?? [];
  if (before === undefined || after === undefined)
    throw new ToolFailure(
      text.includes('%')
        ? `invalid format ${quoteName(text)}, directive must be %[0]['][-][N][.][N]f`
        : `format ${quoteName(text)} has no % directive`,
    );
  return {
    ...{ before, after, width: Number(width), isLeft: flags.includes('-'), isZeroed: zero !== '' },
    ...(precision === undefined ? {} : { precision: Number(precision) }),
  };
}

interface Converted {
  readonly text: string;
  readonly failure?: string;
}

/** The separator behind a field is one character: more of them belong to the next one. */
function splitFields(line: string, { delimiter }: Settings): string[] {
  if (delimiter !== undefined) return line.split(delimiter);
  const fields: string[] = [];
  let from = 0;
  for (;;) {
    let end = from;
    while (/[ \t]/.test(line[end] ?? '')) end++;
    while (end < line.length && !/[ \t]/.test(line[end]!)) end++;
    fields.push(line.slice(from, end));
    if (end >= line.length) return fields;
    from = end + 1;
  }
}

/** '1', '2-4', '-3', '2-', '-', and lists of them. */
const isChosen = (fields: string, field: number): boolean =>
  fields.split(',').some((part) => {
    const [first = '', last] = part.split('-');
    if (last === undefined) return Number(first) === field;
    return field >= (first === '' ? 1 : Number(first)) && field <= (last === '' ? Infinity : Number(last));
  });

function convertField(text: string, field: number, settings: Settings): Converted {
  const parsed = parseNumber(text.trim(), settings);
  if ('failure' in parsed) return { text, failure: parsed.failure };
  const { format, delimiter, suffix } = settings;
  const shown = formatNumber((parsed.value * settings.fromUnit) / settings.toUnit, parsed.decimals, settings) + suffix;
  // By default a field keeps its width where something is before it.
  const isAligned = delimiter === undefined && (field > 1 || /^[ \t]/.test(text));
  const own = format && !format.isZeroed ? (format.isLeft ? -format.width : format.width) : 0;
  const asked = own === 0 ? (settings.padding ?? 0) : own;
  const width = asked === 0 && isAligned ? text.length : asked;
  const padded = width < 0 ? shown.padEnd(-width) : shown.padStart(width);
  return { text: format ? format.before + padded + format.after : padded };
}

type Parsed = { readonly value: number; readonly decimals: number } | { readonly failure: string };

function parseNumber(given: string, { from, suffix }: Settings): Parsed {
  const text = suffix !== '' && given.endsWith(suffix) ? given.slice(0, -suffix.length) : given;
  const [whole, number, decimals = ''] = /^(-?\d+(?:\.(\d+))?)/.exec(text) ?? [];
  if (whole === undefined || number === undefined) return { failure: `invalid number: ${quoteName(given)}` };
  const rest = text.slice(whole.length);
  const value = Number(number);
  if (rest === '' && from === 'iec-i') return { failure: missingI(given) };
  if (rest === '') return { value, decimals: decimals.length };
  const letter = rest[0]!;
  if (!LETTERS.includes(letter)) return { failure: `invalid suffix in input: ${quoteName(given)}` };
  if (from === 'none') return { failure: `rejecting suffix in input: ${quoteName(given)} (consider using --from)` };
  const hasI = rest[1] === 'i';
  if (from === 'iec-i' && !hasI) return { failure: missingI(given) };
  const isBinary = from.startsWith('iec') || (from === 'auto' && hasI);
  const taken = hasI && (from === 'iec-i' || from === 'auto') ? 2 : 1;
  if (rest.length > taken)
    return { failure: `invalid suffix in input ${quoteName(given)}: ${quoteName(rest.slice(taken))}` };
  return { value: value * (isBinary ? 1024 : 1000) ** powerOf(letter), decimals: 0 };
}

const missingI = (given: string): string => `missing 'i' suffix in input: ${quoteName(given)} (e.g Ki/Mi/Gi)`;

function formatNumber(value: number, decimals: number, settings: Settings): string {
  const { to, format } = settings;
  const [number, letter] = to === 'none' ? [plain(value, decimals, settings), ''] : scaled(value, settings);
  return (format?.isZeroed ? padZeros(number, format.width) : number) + letter;
}

const padZeros = (number: string, width: number): string =>
  number.startsWith('-') ? `-${number.slice(1).padStart(width - 1, '0')}` : number.padStart(width, '0');

const plain = (value: number, decimals: number, { format, round }: Settings): string => {
  const precision = format?.precision ?? decimals;
  return roundTo(value, precision, round).toFixed(precision);
};

/** Models double_to_human: below ten there is one decimal. */
function scaled(value: number, { to, round, format }: Settings): [number: string, letter: string] {
  const base = to === 'si' ? 1000 : 1024;
  let power = 0;
  let rest = value;
  while (Math.abs(rest) >= base && power < LETTERS.length) {
    rest /= base;
    power++;
  }
  const precision = format?.precision;
  const kept = precision === undefined ? (Math.abs(rest) < 10 ? 1 : 0) : Math.min(power * 3, precision);
  rest = roundTo(rest, kept, round);
  if (Math.abs(rest) >= base && power < LETTERS.length) {
    rest /= base;
    power++;
  }
  const isSmall = rest !== 0 && Math.abs(rest) < 10 && power > 0;
  const letter = power === 0 ? '' : LETTERS[power - 1]! + (to === 'iec-i' ? 'i' : '');
  return [rest.toFixed(precision ?? (isSmall ? 1 : 0)), letter];
}

function roundTo(value: number, decimals: number, method: string): number {
  const factor = 10 ** decimals;
  const large = value * factor;
  const away = (of: number): number => (of < 0 ? Math.floor(of) : Math.ceil(of));
  const rounded = {
    up: Math.ceil(large),
    down: Math.floor(large),
    'from-zero': away(large),
    'towards-zero': Math.trunc(large),
    nearest: large < 0 ? -Math.round(-large) : Math.round(large),
  }[method];
  return (rounded ?? large) / factor;
}
