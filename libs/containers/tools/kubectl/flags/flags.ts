import { UsageFailure } from '../session/failure.js';

/** What stands on a command line, as pflag reads it. */
export class Flags {
  constructor(private readonly given: ReadonlyMap<string, readonly string[]>) {}

  has(name: string): boolean {
    return this.given.has(name);
  }
  /** The last value; '' without one. */
  value(name: string): string {
    return this.given.get(name)?.at(-1) ?? '';
  }
  optional(name: string): string | undefined {
    return this.given.get(name)?.at(-1);
  }
  /** Every value, as of a StringArray. */
  all(name: string): readonly string[] {
    return this.given.get(name) ?? [];
  }
  /** Every value, split at commas, as of a StringSlice. */
  list(name: string): string[] {
    return this.all(name).flatMap((value) => (value === '' ? [] : value.split(',')));
  }
  /** Each flag with each of its values. */
  entries(): [name: string, value: string][] {
    return [...this.given].flatMap(([name, values]) => values.map((value): [string, string] => [name, value]));
  }
  without(name: string): Flags {
    return new Flags(new Map([...this.given].filter(([one]) => one !== name)));
  }
  isOn(name: string): boolean {
    return this.has(name) && this.value(name) !== 'false';
  }
}

export interface Parsed {
  readonly args: readonly string[];
  readonly flags: Flags;
  /** How many of the arguments stand before `--`; -1 without one. */
  readonly dashAt: number;
}

interface Spec {
  readonly name: string;
  readonly short: string;
  readonly kind: 'switch' | 'value' | 'optional';
  /** Of a flag without a value. */
  readonly without: string;
}

/** `'n,namespace:'` takes a value, `'w,watch'` is a switch, `'dry-run::unchanged'` may stand alone, for that. */
function readSpec(text: string): Spec {
  const optional = text.indexOf('::');
  const without = optional < 0 ? 'true' : text.slice(optional + 2);
  const names = (optional < 0 ? text.replace(/:$/, '') : text.slice(0, optional)).split(',');
  const [short = '', name = ''] = names.length === 1 ? ['', names[0]] : names;
  return { name, short, without, kind: optional >= 0 ? 'optional' : text.endsWith(':') ? 'value' : 'switch' };
}

const MAX_WORDS = 2_000;

/** Models spf13/pflag. Throws UsageFailure. */
export function parseFlags(words: readonly string[], table: readonly string[], path: string, inOrder: boolean): Parsed {
  const specs = table.map(readSpec);
  const given = new Map<string, string[]>();
  const args: string[] = [];
  let dashAt = -1;
  const rest = words.slice(0, MAX_WORDS);
  const fail = (message: string): never => {
    // diff says it in its own way, to end with another code.
    throw new UsageFailure(message, path, path === 'kubectl diff' ? 'examples' : 'usage');
  };
  const add = ({ name, kind }: Spec, value: string): void => {
    if (kind === 'switch' && !/^(true|false|1|0|t|f|T|F|TRUE|FALSE|True|False)$/.test(value))
      fail(`invalid argument "${value}" for "--${name}" flag: strconv.ParseBool: parsing "${value}": invalid syntax`);
    const isOff = kind === 'switch' && /^(false|0|f|F|FALSE|False)$/.test(value);
    given.set(name, [...(given.get(name) ?? []), isOff ? 'false' : value]);
  };
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--') {
      dashAt = args.length;
      args.push(...rest);
      break;
    }
    if (word.startsWith('--')) takeLong(word);
    else if (word.startsWith('-') && word !== '-') takeShort(word);
    else if (inOrder) {
      args.push(word, ...rest);
      break;
    } else args.push(word);
  }
  return { args, flags: new Flags(given), dashAt };

  function takeLong(word: string): void {
    const at = word.indexOf('=');
    const name = word.slice(2, at < 0 ? undefined : at);
    const spec = specs.find((one) => one.name === name) ?? fail(`unknown flag: --${name}`);
    if (at >= 0) return add(spec, word.slice(at + 1));
    if (spec.kind !== 'value') return add(spec, spec.without);
    add(spec, rest.shift() ?? fail(`flag needs an argument: --${name}`));
  }

  function takeShort(word: string): void {
    for (let letters = word.slice(1); letters !== '';) {
      const letter = letters[0]!;
      letters = letters.slice(1);
      const spec =
        specs.find(({ short }) => short === letter) ?? fail(`unknown shorthand flag: '${letter}' in ${word}`);
      if (letters.startsWith('=')) return add(spec, letters.slice(1));
      if (spec.kind === 'value') {
        const value = letters === '' ? rest.shift() : letters;
        return add(spec, value ?? fail(`flag needs an argument: '${letter}' in ${word}`));
      }
      add(spec, spec.without);
    }
  }
}
