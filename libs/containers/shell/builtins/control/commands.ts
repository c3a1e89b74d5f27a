import type { Builtin } from '../../interpreter/builtin.js';
import { runProgram } from '../../interpreter/nodes/execute.js';
import { runBuiltin } from '../../interpreter/nodes/command.js';
import { findAll, findCommand, searchPath } from '../../interpreter/lookup.js';
import type { Shell } from '../../interpreter/shell.js';
import { quoteDash, quoteSingle } from '../../expansion/quote.js';
import type { Bytes } from '../../kernel.js';
import { parseOptions } from '../arguments.js';
import { functionText } from '../variables/declare.js';

const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const KEYWORDS = [
  '!',
  '{',
  '}',
  'case',
  'do',
  'done',
  'elif',
  'else',
  'esac',
  'fi',
  'for',
  'if',
  'in',
  'then',
  'until',
  'while',
];
const BASH_KEYWORDS = [...KEYWORDS, '[[', ']]', 'coproc', 'function', 'select', 'time'];

const isKeyword = (shell: Shell, name: Bytes): boolean => (shell.isBash ? BASH_KEYWORDS : KEYWORDS).includes(name);

/** type, command and builtin, which know all builtins of their shell. */
export function lookups(
  known: () => Readonly<Record<string, Builtin>>,
  special: ReadonlySet<string>,
): Readonly<Record<string, Builtin>> {
  const isBuiltin = (name: Bytes): boolean => Object.hasOwn(known(), name);

  const describe = (shell: Shell, name: Bytes, isShort: boolean): boolean => {
    const { state } = shell;
    const say = (short: Bytes, long: Bytes): true => {
      shell.write(1, `${isShort ? short : `${name} is ${long}`}\n`);
      return true;
    };
    if (isKeyword(shell, name)) return say(name, 'a shell keyword');
    if (Object.hasOwn(state.aliases, name)) {
      const value = state.aliases[name]!;
      const quoted = shell.isBash ? quoteSingle(value) : quoteDash(value);
      return say(`alias ${name}=${quoted}`, shell.isBash ? `aliased to \`${value}'` : `an alias for ${value}`);
    }
    if (Object.hasOwn(state.functions, name)) {
      say(name, shell.isBash ? 'a function' : 'a shell function');
      if (!isShort && shell.isBash) shell.write(1, functionText(shell, name) + '\n');
      return true;
    }
    if (isBuiltin(name))
      return say(name, special.has(name) && !shell.isBash ? 'a special shell builtin' : 'a shell builtin');
    const hashed = shell.isBash && Object.hasOwn(state.hashes, name) ? state.hashes[name] : undefined;
    if (hashed && !isShort) return say(hashed.path, `hashed (${hashed.path})`);
    const file = searchOnly(shell, name);
    return file !== undefined && say(file, file);
  };

  const type: Builtin = (shell, argv) => {
    const { options, operands } = shell.isBash
      ? parseOptions(shell, argv, 'afptP')
      : { options: {} as Record<string, Bytes>, operands: argv.slice(1) };
    let status = 0;
    for (const name of operands) {
      if (options['t'] !== undefined) {
        const kind = kindOf(shell, name, isBuiltin);
        if (kind) shell.write(1, kind + '\n');
        else status = 1;
      } else if (options['p'] !== undefined || options['P'] !== undefined) {
        const file =
          options['p'] !== undefined && (isBuiltin(name) || Object.hasOwn(shell.state.functions, name))
            ? ''
            : searchOnly(shell, name);
        if (file) shell.write(1, file + '\n');
        else if (file === undefined) status = 1;
      } else if (options['a'] !== undefined) {
        const isKnown = kindOf(shell, name, isBuiltin) !== 'file' && describe(shell, name, false);
        const files = findAll(shell, name);
        for (const file of files) shell.write(1, `${name} is ${file}\n`);
        if (!isKnown && files.length === 0) status = missing(shell, name);
      } else if (!describe(shell, name, false)) status = missing(shell, name);
    }
    return status;
  };

  const command: Builtin = (shell, argv, context) => {
    const { options, operands } = parseOptions(shell, argv, 'pvV');
    const name = operands[0];
    if (name === undefined) return 0;
    if (options['v'] !== undefined || options['V'] !== undefined) {
      let status = shell.isBash ? 1 : 127;
      for (const one of shell.isBash ? operands : [name]) {
        if (describe(shell, one, options['v'] !== undefined)) {
          status = 0;
          continue;
        }
        if (options['V'] === undefined) continue;
        if (shell.isBash) shell.complain(`command: ${one}: not found`);
        else shell.write(2, `${one}: not found\n`);
      }
      return status;
    }
    if (isBuiltin(name)) return runBuiltin(shell, known()[name]!, operands, context);
    return runProgram(shell, operands, operands.join(' '), options['p'] === undefined ? undefined : DEFAULT_PATH);
  };

  const builtin: Builtin = (shell, argv, context) => {
    const operands = argv[1] === '--' ? argv.slice(2) : argv.slice(1);
    const name = operands[0];
    if (name === undefined) return 0;
    if (isBuiltin(name)) return runBuiltin(shell, known()[name]!, operands, context);
    shell.complain(`builtin: ${name}: not a shell builtin`);
    return 1;
  };

  return { type, command, builtin };
}

function missing(shell: Shell, name: Bytes): number {
  if (shell.isBash) {
    shell.complain(`type: ${name}: not found`);
    return 1;
  }
  shell.write(1, `${name}: not found\n`);
  return 127;
}

function kindOf(shell: Shell, name: Bytes, isBuiltin: (name: Bytes) => boolean): string | undefined {
  if (Object.hasOwn(shell.state.aliases, name)) return 'alias';
  if (isKeyword(shell, name)) return 'keyword';
  if (Object.hasOwn(shell.state.functions, name)) return 'function';
  if (isBuiltin(name)) return 'builtin';
  return searchOnly(shell, name) === undefined ? undefined : 'file';
}

/** The executable file of a name, without remembering it. */
function searchOnly(shell: Shell, name: Bytes): Bytes | undefined {
  const file = name.includes('/') ? name : searchPath(shell.sys, name, shell.get('PATH') ?? DEFAULT_PATH);
  return file !== undefined && shell.sys.access(file, 'x') ? file : undefined;
}

const hash: Builtin = (shell, argv) => {
  const { state } = shell;
  const { options, operands } = parseOptions(shell, argv, shell.isBash ? 'lrp:dt' : 'rv');
  if (options['r'] !== undefined) state.hashes = {};
  let status = 0;
  for (const name of operands) {
    if (options['p'] !== undefined) state.hashes[name] = { path: options['p'], hits: 0 };
    else if (options['d'] !== undefined) delete state.hashes[name];
    else if (findCommand(shell, name) === undefined) {
      if (shell.isBash) shell.complain(`hash: ${name}: not found`);
      else shell.complainOf('hash', `${name}: not found`);
      status = 1;
    } else if (options['t'] !== undefined) shell.write(1, `${state.hashes[name]!.path}\n`);
    else if (state.hashes[name]) state.hashes[name].hits = 0;
  }
  if (operands.length > 0 || options['r'] !== undefined) return status;
  const entries = Object.values(state.hashes);
  if (!shell.isBash) for (const { path } of entries) shell.write(1, `${path}\n`);
  else if (entries.length === 0) shell.write(1, 'hash: hash table empty\n');
  else {
    shell.write(1, 'hits\tcommand\n');
    for (const { path, hits } of entries) shell.write(1, `${String(hits).padStart(4)}\t${path}\n`);
  }
  return status;
};

const alias: Builtin = (shell, argv) => {
  const { aliases } = shell.state;
  const operands = argv.slice(1).filter((word) => word !== '-p' && word !== '--');
  const show = (name: Bytes): void => {
    const quoted = shell.isBash ? quoteSingle(aliases[name]!) : quoteDash(aliases[name]!);
    shell.write(1, `${shell.isBash ? 'alias ' : ''}${name}=${quoted}\n`);
  };
  if (operands.length === 0) for (const name of Object.keys(aliases).sort()) show(name);
  let status = 0;
  for (const word of operands) {
    const equals = word.indexOf('=', 1);
    if (equals > 0) aliases[word.slice(0, equals)] = word.slice(equals + 1);
    else if (Object.hasOwn(aliases, word)) show(word);
    else {
      if (shell.isBash) shell.complain(`alias: ${word}: not found`);
      else shell.write(2, `alias: ${word} not found\n`);
      status = 1;
    }
  }
  return status;
};

const unalias: Builtin = (shell, argv) => {
  const { options, operands } = parseOptions(shell, argv, 'a');
  if (options['a'] !== undefined) shell.state.aliases = {};
  let status = 0;
  for (const name of operands) {
    if (Object.hasOwn(shell.state.aliases, name)) delete shell.state.aliases[name];
    else {
      if (shell.isBash) shell.complain(`unalias: ${name}: not found`);
      else shell.complain(`unalias: ${name} not found`);
      status = 1;
    }
  }
  return status;
};

export const names: Readonly<Record<string, Builtin>> = { hash, alias, unalias };
