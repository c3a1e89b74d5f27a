import { ToolFailure } from '../framework/failure.js';
import type { Bytes } from '../../../engine/kernel/bytes.js';

/** Options of an openssl command: each has one dash or two, and an argument of its own or none. */
export class OpensslOptions {
  constructor(
    private readonly values: ReadonlyMap<string, readonly Bytes[]>,
    readonly operands: readonly Bytes[],
  ) {}

  /** In the order of the command line. */
  get names(): readonly string[] {
    return [...this.values.keys()];
  }

  has = (name: string): boolean => this.values.has(name);
  value = (name: string): Bytes | undefined => this.values.get(name)?.at(-1);
  all = (name: string): readonly Bytes[] => this.values.get(name) ?? [];
}

/** `table`: names, those with ':' at their end take an argument. Throws ToolFailure in openssl's words. */
export function readOptions(command: string, table: string, words: readonly Bytes[]): OpensslOptions {
  const specs = new Map(table.split(' ').map((word) => [word.replace(':', ''), word.endsWith(':')]));
  const values = new Map<string, Bytes[]>();
  const rest = [...words];
  while (/^-./.test(rest[0] ?? '')) {
    const word = rest.shift()!;
    const name = word.replace(/^--?/, '');
    const takesValue = specs.get(name);
    const hint = `\n${command}: Use -help for summary.`;
    if (takesValue === undefined) throw new CommandFailure(`${command}: Unknown option: ${word}${hint}`);
    const value = takesValue ? rest.shift() : '';
    if (value === undefined) throw new CommandFailure(`${command}: Option ${word} needs a value${hint}`);
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  return new OpensslOptions(values, rest);
}

/** Lines on standard error as they are, and exit code 1. */
export class CommandFailure extends ToolFailure {
  constructor(readonly lines: string) {
    super('', 1);
  }
}
