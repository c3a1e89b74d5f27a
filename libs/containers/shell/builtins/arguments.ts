import type { Bytes } from '../kernel.js';
import { ShellFailure } from '../interpreter/failure.js';
import type { Shell } from '../interpreter/shell.js';

const USAGES: Readonly<Record<string, string>> = {
  cd: 'cd [-L|[-P [-e]] [-@]] [dir]',
  read: 'read [-ers] [-a array] [-d delim] [-i text] [-n nchars] [-N nchars] [-p prompt] [-t timeout] [-u fd] [name ...]',
  jobs: 'jobs [-lnprs] [jobspec ...] or jobs -x command [args]',
  export: 'export [-fn] [name[=value] ...] or export -p',
  readonly: 'readonly [-aAf] [name[=value] ...] or readonly -p',
  unset: 'unset [-f] [-v] [-n] [name ...]',
  declare: 'declare [-aAfFgiIlnrtux] [name[=value] ...] or declare -p [-aAfFilnrtux] [name ...]',
  typeset: 'typeset [-aAfFgiIlnrtux] name[=value] ... or typeset -p [-aAfFilnrtux] [name ...]',
  local: 'local [option] name[=value] ...',
  pwd: 'pwd [-LP]',
  type: 'type [-afptP] name [name ...]',
  command: 'command [-pVv] command [arg ...]',
  hash: 'hash [-lr] [-p pathname] [-dt] [name ...]',
  umask: 'umask [-p] [-S] [mode]',
  wait: 'wait [-fn] [-p var] [id ...]',
  mapfile: 'mapfile [-d delim] [-n count] [-O origin] [-s count] [-t] [-u fd] [-C callback] [-c quantum] [array]',
  readarray: 'readarray [-d delim] [-n count] [-O origin] [-s count] [-t] [-u fd] [-C callback] [-c quantum] [array]',
  complete:
    'complete [-abcdefgjksuv] [-pr] [-DEI] [-o option] [-A action] [-G globpat] [-W wordlist] [-F function] [-C command] [-X filterpat] [-P prefix] [-S suffix] [name ...]',
  shopt: 'shopt [-pqsu] [-o] [optname ...]',
  trap: 'trap [-lp] [[arg] signal_spec ...]',
  unalias: 'unalias [-a] name [name ...]',
  alias: 'alias [-p] [name[=value] ... ]',
  exec: 'exec [-cl] [-a name] [command [argument ...]] [redirection ...]',
  disown: 'disown [-h] [-ar] [jobspec ... | pid ...]',
  getopts: 'getopts optstring name [arg ...]',
  printf: 'printf [-v var] format [arguments]',
  set: 'set [-abefhkmnptuvxBCEHPT] [-o option-name] [--] [-] [arg ...]',
  ulimit: 'ulimit [-SHabcdefiklmnpqrstuvxPRT] [limit]',
  pushd: 'pushd [-n] [+N | -N | dir]',
  popd: 'popd [-n] [+N | -N]',
  dirs: 'dirs [-clpv] [+N] [-N]',
  kill: 'kill [-s sigspec | -n signum | -sigspec] pid | jobspec ... or kill -l [sigspec]',
};

export interface ParsedOptions {
  /** By letter: the argument, '' for those without one. */
  readonly options: Readonly<Record<string, Bytes>>;
  /** What follows. */
  readonly operands: Bytes[];
}

/**
 * Options of a builtin as getopt reads them: `letters` as its option string, with : after those that take an argument.
 * Throws ShellFailure in the words of the shell.
 */
export function parseOptions(shell: Shell, argv: readonly Bytes[], letters: string): ParsedOptions {
  const options: Record<string, Bytes> = {};
  let i = 1;
  for (; i < argv.length; i++) {
    const word = argv[i]!;
    if (word === '--') {
      i++;
      break;
    }
    if (!/^-./.test(word)) break;
    for (let at = 1; at < word.length; at++) {
      const letter = word[at]!;
      const place = letter === ':' ? -1 : letters.indexOf(letter);
      if (place < 0) throw illegalOption(shell, argv[0]!, letter);
      if (letters[place + 1] !== ':') {
        options[letter] = '';
        continue;
      }
      const value = at + 1 < word.length ? word.slice(at + 1) : argv[++i];
      if (value === undefined) throw missingArgument(shell, argv[0]!, letter);
      options[letter] = value;
      break;
    }
  }
  return { options, operands: argv.slice(i) };
}

function illegalOption(shell: Shell, name: Bytes, letter: string): ShellFailure {
  if (!shell.isBash) {
    return builtinFailure(shell, name, `${shell.isDash ? 'Illegal' : 'illegal'} option -${letter}`, 2);
  }
  const usage = USAGES[name];
  return new ShellFailure(
    `${name}: -${letter}: invalid option${usage ? `\n${name}: usage: ${usage}` : ''}`,
    2,
    'command',
  );
}

function missingArgument(shell: Shell, name: Bytes, letter: string): ShellFailure {
  if (shell.isBash) {
    const usage = USAGES[name];
    return new ShellFailure(
      `${name}: -${letter}: option requires an argument${usage ? `\n${name}: usage: ${usage}` : ''}`,
      2,
      'command',
    );
  }
  return builtinFailure(shell, name, `No arg for -${letter} option`, 2);
}

/** An error of a builtin: `cd: ...`; in busybox `cd: line 1: ...`. */
export function builtinFailure(shell: Shell, name: Bytes, message: Bytes, status: number): ShellFailure {
  if (!shell.isAsh) return new ShellFailure(`${name}: ${message}`, status, 'command');
  const line = shell.state.mode === 'script' ? shell.state.line : 0;
  return new ShellFailure(`${name}: line ${line}: ${message}`, status, 'command');
}

/** A number as exit, return, shift and break take it. Undefined: it is none. */
export const countOf = (text: Bytes): number | undefined => (/^\s*[+-]?\d+\s*$/.test(text) ? Number(text) : undefined);
