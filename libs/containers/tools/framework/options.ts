import type { Bytes } from '../../../engine/kernel/bytes.js';
import { HelpAnswer, isAlpine, type CommandContext, UsageFailure } from './tool.js';

/** A command line in getopt_long's way. */
export class Options {
  constructor(
    /** In the order of the command line: [key, value]. */
    readonly all: readonly (readonly [key: string, value: Bytes])[],
    readonly operands: readonly Bytes[],
  ) {}

  has(...keys: string[]): boolean {
    return this.all.some(([key]) => keys.includes(key));
  }

  /** The last value given. */
  value(key: string): Bytes | undefined {
    return this.all.findLast(([other]) => other === key)?.[1];
  }

  values(key: string): Bytes[] {
    return this.all.filter(([other]) => other === key).map(([, value]) => value);
  }

  /** Which of these came last. */
  last(...keys: string[]): string | undefined {
    return this.all.findLast(([key]) => keys.includes(key))?.[0];
  }
}

interface OptionSpec {
  readonly key: string;
  readonly names: readonly string[];
  readonly argument: 'none' | 'required' | 'optional';
}

const tables = new WeakMap<readonly string[], readonly OptionSpec[]>();

/**
 * Reads options by a table of words: 'a,all' is a flag, 'w,width:' takes an argument, 'color::' may take one (long:
 * only after `=`). A word's first name is the option's key. `inOrder`: the first operand ends the options (POSIX), as
 * for tools that take a command. `--help` and `--version` are known to GNU's tools. Throws UsageFailure.
 */
export function parseOptions(tool: CommandContext, table: readonly string[], inOrder = false): Options {
  const specs = tables.get(table) ?? readTable(table);
  tables.set(table, specs);
  const all: [string, Bytes][] = [];
  const operands: Bytes[] = [];
  const rest = [...tool.args];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--') {
      operands.push(...rest);
      break;
    }
    if (word.startsWith('--')) all.push(readLong(tool, specs, word.slice(2), rest));
    else if (word.length > 1 && word.startsWith('-')) all.push(...readShort(tool, specs, word.slice(1), rest));
    else if (inOrder) {
      operands.push(word, ...rest);
      break;
    } else operands.push(word);
  }
  return new Options(all, operands);
}

function readTable(table: readonly string[]): OptionSpec[] {
  return table.map((word) => {
    const names = word.replace(/:{1,2}$/, '').split(',');
    const argument = word.endsWith('::') ? 'optional' : word.endsWith(':') ? 'required' : 'none';
    return { key: names[0]!, names, argument };
  });
}

function readShort(
  tool: CommandContext,
  specs: readonly OptionSpec[],
  letters: Bytes,
  rest: Bytes[],
): [string, Bytes][] {
  const found: [string, Bytes][] = [];
  for (let i = 0; i < letters.length; i++) {
    const letter = letters[i]!;
    const spec = specs.find(({ names }) => names.includes(letter));
    if (spec === undefined) throw new UsageFailure(explain(tool, 'invalid option', letter));
    if (spec.argument === 'none') {
      found.push([spec.key, '']);
      continue;
    }
    const attached = letters.slice(i + 1);
    const value = attached !== '' || spec.argument === 'optional' ? attached : rest.shift();
    if (value === undefined) throw new UsageFailure(explain(tool, 'option requires an argument', letter));
    found.push([spec.key, value]);
    break;
  }
  return found;
}

/** musl's getopt, which Alpine's busybox has, has words of its own. */
function explain(tool: CommandContext, message: string, letter: Bytes): string {
  if (tool.flavour === 'gnu' || !isAlpine(tool.sys)) return `${message} -- '${letter}'`;
  return `${message === 'invalid option' ? 'unrecognized option' : message}: ${letter}`;
}

function readLong(tool: CommandContext, specs: readonly OptionSpec[], word: Bytes, rest: Bytes[]): [string, Bytes] {
  const equals = word.indexOf('=');
  const name = equals < 0 ? word : word.slice(0, equals);
  const value = equals < 0 ? undefined : word.slice(equals + 1);
  const spec = findLong(tool, specs, name);
  const full = spec.names.find((other) => other.length > 1 && other.startsWith(name)) ?? name;
  if (spec.argument === 'none') {
    if (value !== undefined) throw new UsageFailure(`option '--${full}' doesn't allow an argument`);
    return [spec.key, ''];
  }
  if (value !== undefined || spec.argument === 'optional') return [spec.key, value ?? ''];
  const next = rest.shift();
  if (next === undefined) throw new UsageFailure(`option '--${full}' requires an argument`);
  return [spec.key, next];
}

function findLong(tool: CommandContext, specs: readonly OptionSpec[], name: Bytes): OptionSpec {
  const longNames = specs.flatMap((spec) => spec.names.filter((n) => n.length > 1).map((long) => ({ long, spec })));
  const exact = longNames.find(({ long }) => long === name);
  if (exact !== undefined) return exact.spec;
  if (name === 'help') throw new HelpAnswer(helpText(tool));
  if (name === 'version' && tool.flavour === 'gnu') throw new HelpAnswer(versionText(tool));
  const found = longNames.filter(({ long }) => long.startsWith(name));
  const candidates = new Set(found.map(({ spec }) => spec));
  if (candidates.size === 1) return found[0]!.spec;
  if (candidates.size > 1) {
    const possibilities = found.map(({ long }) => `'--${long}'`).join(' ');
    throw new UsageFailure(`option '--${name}' is ambiguous; possibilities: ${possibilities}`);
  }
  if (tool.flavour === 'busybox' && isAlpine(tool.sys)) throw new UsageFailure(`unrecognized option: ${name}`);
  throw new UsageFailure(`unrecognized option '--${name}'`);
}

const helpText = ({ name, settings }: CommandContext) => `Usage: ${name} ${settings.usage ?? '[OPTION]...'}\n`;

const versionText = ({ name, settings }: CommandContext) =>
  `${settings.version ?? `${name.slice(name.lastIndexOf('/') + 1)} (GNU coreutils) 9.1`}\n`;

/** For operands that are missing, in GNU's words. */
export function requireOperands(tool: CommandContext, operands: readonly Bytes[], count = 1): void {
  if (operands.length >= count) return;
  if (tool.flavour === 'busybox') throw new UsageFailure('');
  const last = operands.at(-1);
  throw new UsageFailure(last === undefined ? 'missing operand' : `missing operand after ${quoteName(last)}`);
}

/** For operands that are too many, in GNU's words. */
export function refuseExtraOperands(tool: CommandContext, operands: readonly Bytes[], count: number): void {
  const extra = operands[count];
  if (extra === undefined) return;
  throw new UsageFailure(tool.flavour === 'busybox' ? '' : `extra operand ${quoteName(extra)}`);
}

/** GNU's quoting of names in messages (locale C): 'name', with what cannot be printed escaped. */
export function quoteName(name: Bytes): Bytes {
  const escaped = name.replace(/[\0-\x1f\x7f-\xff'\\]/g, (c) => {
    const named = { '\n': '\\n', '\t': '\\t', '\r': '\\r', "'": "\\'", '\\': '\\\\' }[c];
    return named ?? `\\${c.charCodeAt(0).toString(8).padStart(3, '0')}`;
  });
  return `'${escaped}'`;
}
