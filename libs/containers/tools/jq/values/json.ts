import { formatNumber, isArray, isObject, type Json, shorten, sortedKeys, typeOf } from './values.js';

export interface DumpOptions {
  /** Spaces of one level; 0: all in one line. '\t' is written as it is. */
  readonly indent: string;
  readonly sortsKeys: boolean;
  readonly isAscii: boolean;
  readonly isColored: boolean;
}

const PLAIN: DumpOptions = { indent: '', sortsKeys: false, isAscii: false, isColored: false };
/** As jq_1.7's default colours. */
const COLORS: Readonly<Record<string, string>> = {
  ...{ null: '\x1b[1;30m', boolean: '\x1b[0;39m', number: '\x1b[0;39m', string: '\x1b[0;32m' },
  ...{ array: '\x1b[1;39m', object: '\x1b[1;39m', key: '\x1b[34;1m' },
};
const RESET = '\x1b[0m';
const MAX_DEPTH = 10_000;

export const dump = (value: Json, options: Partial<DumpOptions> = {}): string =>
  new Dumper({ ...PLAIN, ...options }).dump(value, 0);

/** `object ({"a":1})`: how errors name a value. */
export const describe = (value: Json): string => shorten(value, dump(value));

export function quoteText(text: string, isAscii = false): string {
  const quoted = JSON.stringify(text).replace(/\x7f/g, '\\u007f');
  if (!isAscii) return quoted;
  return quoted.replace(/[^\0-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

class Dumper {
  constructor(private readonly options: DumpOptions) {}

  dump(value: Json, depth: number): string {
    if (isArray(value) || isObject(value)) return this.dumpInner(value, depth);
    const text = typeof value === 'string' ? quoteText(value, this.options.isAscii) : atomText(value);
    return this.options.isColored ? COLORS[typeOf(value)]! + text + RESET : text;
  }

  private dumpInner(value: readonly Json[] | ReadonlyMap<string, Json>, depth: number): string {
    if (depth > MAX_DEPTH) return '<skipped: too deep>';
    const { indent, isColored } = this.options;
    const color = isColored ? COLORS[typeOf(value)]! : '';
    const [open, close] = isArray(value) ? '[]' : '{}';
    const entries = isArray(value)
      ? value.map((item) => this.dump(item, depth + 1))
      : this.entries(value, color, depth + 1);
    const reset = isColored ? RESET : '';
    if (entries.length === 0) return `${color}${open}${close}${reset}`;
    const line = indent === '' ? '' : `\n${indent.repeat(depth + 1)}`;
    const last = indent === '' ? '' : `\n${indent.repeat(depth)}`;
    const lead = isArray(value) ? '' : reset;
    const inner = entries.map((entry) => `${line}${lead}${entry}`).join(`${color},`);
    return `${color}${open}${inner}${color}${color}${last}${close}${reset}`;
  }

  private entries(value: ReadonlyMap<string, Json>, color: string, depth: number): string[] {
    const { sortsKeys, isAscii, isColored, indent } = this.options;
    const keys = sortsKeys ? sortedKeys(value) : [...value.keys()];
    const colon = isColored ? `${color}:${RESET}` : ':';
    return keys.map((key) => {
      const quoted = quoteText(key, isAscii);
      const name = isColored ? `${COLORS['key']}${quoted}${RESET}` : quoted;
      return `${name}${colon}${indent === '' ? '' : ' '}${this.dump(value.get(key)!, depth)}`;
    });
  }
}

const atomText = (value: null | boolean | number): string =>
  typeof value === 'number' ? formatNumber(value) : String(value);
