import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { parseDuration, quote } from '../../go.js';

type FlagType = 'string' | 'bool' | 'int' | 'duration';

/** A flag's type and default by its name; `t,log-lines-total` has a short form. */
export type FlagTable = Readonly<Record<string, readonly [type: FlagType, otherwise: string]>>;

/** Flags that klog adds to every sub-command. */
const KLOG: FlagTable = {
  'v,v': ['int', '0'],
  logtostderr: ['bool', 'true'],
  alsologtostderr: ['bool', 'false'],
  stderrthreshold: ['string', '2'],
  vmodule: ['string', ''],
  log_dir: ['string', ''],
  log_file: ['string', ''],
};

/** A command line as spf13/pflag reads it. Throws FlagFailure. */
export class Flags {
  private readonly values = new Map<string, string>();
  readonly operands: Bytes[] = [];
  private readonly table: FlagTable;

  constructor(own: FlagTable, words: readonly Bytes[]) {
    this.table = { ...KLOG, ...own };
    const rest = [...words];
    for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
      if (word === '--') this.operands.push(...rest.splice(0));
      else if (word.startsWith('--')) this.readLong(word, rest);
      else if (word.startsWith('-') && word.length > 1) this.readShort(word, rest);
      else this.operands.push(word);
    }
  }

  text(name: string): string {
    return this.values.get(name) ?? this.find(name)![1][1];
  }

  number(name: string): number {
    return Number(this.text(name));
  }

  isSet(name: string): boolean {
    return this.text(name) === 'true';
  }

  /** In ms. */
  duration(name: string): number {
    return parseDuration(this.text(name)) ?? 0;
  }

  private find(name: string) {
    return Object.entries(this.table).find(([key]) => key === name || key.split(',')[1] === name);
  }

  private readLong(word: Bytes, rest: Bytes[]): void {
    const [name = '', attached] = splitOnce(word.slice(2));
    const entry = this.find(name);
    if (entry === undefined) throw new FlagFailure(`unknown flag: --${name}`);
    this.take(`--${name}`, nameOf(entry[0]), entry[1][0], attached, rest, word);
  }

  private readShort(word: Bytes, rest: Bytes[]): void {
    const letter = word[1]!;
    const entry = Object.entries(this.table).find(([key]) => key.startsWith(`${letter},`));
    if (entry === undefined) throw new FlagFailure(`unknown shorthand flag: '${letter}' in ${word}`);
    const attached = word.length > 2 ? word.slice(2).replace(/^=/, '') : undefined;
    this.take(`-${letter}, --${nameOf(entry[0])}`, nameOf(entry[0]), entry[1][0], attached, rest, word);
  }

  private take(
    shown: string,
    name: string,
    type: FlagType,
    attached: Bytes | undefined,
    rest: Bytes[],
    word: Bytes,
  ): void {
    const value = attached ?? (type === 'bool' ? 'true' : rest.shift());
    if (value === undefined) throw new FlagFailure(`flag needs an argument: ${word}`);
    const problem = checkValue(type, value);
    if (problem !== undefined)
      throw new FlagFailure(`invalid argument ${quote(value)} for "${shown}" flag: ${problem}`);
    this.values.set(name, value);
  }
}

export class FlagFailure extends Error {}

const nameOf = (key: string): string => key.split(',').at(-1)!;

function splitOnce(word: Bytes): [name: Bytes, value: Bytes | undefined] {
  const at = word.indexOf('=');
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

function checkValue(type: FlagType, value: Bytes): string | undefined {
  if (type === 'int' && !/^[-+]?\d+$/.test(value)) return `strconv.ParseInt: parsing ${quote(value)}: invalid syntax`;
  if (type === 'bool' && !/^(?:1|0|t|f|true|false)$/i.test(value)) {
    return `strconv.ParseBool: parsing ${quote(value)}: invalid syntax`;
  }
  if (type === 'duration' && parseDuration(value) === undefined) return `time: invalid duration ${quote(value)}`;
  return undefined;
}
