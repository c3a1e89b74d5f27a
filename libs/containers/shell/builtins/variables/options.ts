import type { Builtin } from '../../interpreter/builtin.js';
import { ShellFailure } from '../../interpreter/failure.js';
import { OPTION_LETTERS } from '../../interpreter/file-test.js';
import type { Shell } from '../../interpreter/shell.js';
import type { Bytes } from '../../kernel.js';
import { builtinFailure, parseOptions } from '../arguments.js';
import { listVariables } from './declare.js';

/** Long names of `set -o`, in the order in which each shell lists them. */
const NAMES = {
  bash: 'allexport braceexpand emacs errexit errtrace functrace hashall histexpand history ignoreeof interactive-comments keyword monitor noclobber noexec noglob nolog notify nounset onecmd physical pipefail posix privileged verbose vi xtrace',
  dash: 'errexit noglob ignoreeof interactive monitor noexec stdin xtrace verbose vi emacs noclobber allexport notify nounset privileged nolog debug',
  ash: 'errexit noglob ignoreeof monitor noexec xtrace verbose noclobber allexport notify nounset errtrace vi pipefail',
} as const;

const LETTERS = { bash: 'abefhkmnptuvxBCEHPT', dash: 'efnuvxICbamVE', ash: 'efnuvxICbam' } as const;

const keyOf = (name: string): string => OPTION_LETTERS[name] ?? (name === 'interactive' ? 'i' : name);

const set: Builtin = (shell, argv) => {
  if (argv.length === 1) {
    listVariables(shell);
    return 0;
  }
  let i = 1;
  for (; i < argv.length; i++) {
    const word = argv[i]!;
    if (word === '--') {
      shell.state.positional = argv.slice(i + 1);
      return 0;
    }
    if (word === '-') {
      shell.state.options['x'] = shell.state.options['v'] = false;
      i++;
      if (i >= argv.length) return 0;
      break;
    }
    if (!/^[-+]./.test(word)) break;
    const isOn = word.startsWith('-');
    for (const letter of word.slice(1)) {
      if (letter === 'o') {
        const name = argv[i + 1];
        if (name === undefined || (shell.isBash && /^[-+]/.test(name))) listOptions(shell, isOn);
        else {
          i++;
          setLong(shell, name, isOn);
        }
      } else if (LETTERS[shell.state.flavour].includes(letter)) shell.state.options[letter] = isOn;
      else throw unknownLetter(shell, word[0]! + letter);
    }
  }
  if (i < argv.length) shell.state.positional = argv.slice(i);
  return 0;
};

function unknownLetter(shell: Shell, option: Bytes): ShellFailure {
  if (shell.isBash) {
    return new ShellFailure(
      `set: ${option}: invalid option\nset: usage: set [-abefhkmnptuvxBCEHPT] [-o option-name] [--] [-] [arg ...]`,
      2,
      'command',
    );
  }
  const { message } = builtinFailure(shell, 'set', `${shell.isDash ? 'Illegal' : 'illegal'} option ${option}`, 2);
  return new ShellFailure(message, 2, 'shell');
}

function setLong(shell: Shell, name: Bytes, isOn: boolean): void {
  const names: readonly string[] = NAMES[shell.state.flavour].split(' ');
  if (names.includes(name)) {
    shell.state.options[keyOf(name)] = isOn;
    return;
  }
  if (shell.isBash) throw new ShellFailure(`set: ${name}: invalid option name`, 2, 'command');
  const option = `${isOn ? '-' : '+'}o ${name}`;
  const { message } = builtinFailure(shell, 'set', `${shell.isDash ? 'Illegal' : 'illegal'} option ${option}`, 2);
  throw new ShellFailure(message, shell.isAsh ? 1 : 2, shell.isAsh ? 'command' : 'shell');
}

const isOnOf = (shell: Shell, name: string): boolean =>
  shell.option(keyOf(name)) ||
  (name === 'interactive-comments' && shell.isBash) ||
  (name === 'stdin' && shell.state.mode === 'stdin');

function listOptions(shell: Shell, isReadable: boolean): void {
  const names = NAMES[shell.state.flavour].split(' ');
  if (!isReadable) for (const name of names) shell.write(1, `set ${isOnOf(shell, name) ? '-' : '+'}o ${name}\n`);
  else if (shell.isBash)
    for (const name of names) shell.write(1, `${name.padEnd(15)}\t${isOnOf(shell, name) ? 'on' : 'off'}\n`);
  else {
    if (shell.isDash) shell.write(1, 'Current option settings\n');
    for (const name of names) shell.write(1, `${name.padEnd(16)}${isOnOf(shell, name) ? 'on' : 'off'}\n`);
  }
}

const shopt: Builtin = (shell, argv) => {
  const { options, operands } = parseOptions(shell, argv, 'pqsuo');
  const { shopts } = shell.state;
  const isSetting = options['s'] !== undefined || options['u'] !== undefined;
  const isQuiet = options['q'] !== undefined;
  let status = 0;
  const forOptions = options['o'] !== undefined;
  const known = forOptions ? NAMES.bash.split(' ') : Object.keys(shopts).sort();
  const valueOf = (name: Bytes): boolean => (forOptions ? isOnOf(shell, name) : shopts[name] === true);
  for (const name of operands.length > 0 ? operands : known) {
    if (!known.includes(name)) {
      shell.complain(`shopt: ${name}: invalid shell option name`);
      status = 1;
    } else if (isSetting && operands.length > 0) {
      if (forOptions) shell.state.options[keyOf(name)] = options['s'] !== undefined;
      else shopts[name] = options['s'] !== undefined;
    } else {
      const isOn = valueOf(name);
      if (operands.length > 0 && !isOn) status = 1;
      const isHidden = isSetting && isOn !== (options['s'] !== undefined);
      if (isQuiet || isHidden) continue;
      if (options['p'] !== undefined)
        shell.write(1, forOptions ? `set ${isOn ? '-' : '+'}o ${name}\n` : `shopt -${isOn ? 's' : 'u'} ${name}\n`);
      else shell.write(1, `${name.padEnd(15)}\t${isOn ? 'on' : 'off'}\n`);
    }
  }
  return status;
};

/** What a terminal offers for the tab key is not told by it: files of completion are read without a word. */
const complete: Builtin = (shell, argv) => {
  parseOptions(shell, argv, 'abcdefgjksuvprDEIo:A:G:W:F:C:X:P:S:');
  return 0;
};

const shift: Builtin = (shell, argv) => {
  const { state } = shell;
  const count = argv[1] === undefined ? 1 : /^-?\d+$/.test(argv[1]) ? Number(argv[1]) : undefined;
  if (count === undefined || count < 0) {
    if (shell.isBash) {
      shell.complain(
        count === undefined
          ? `shift: ${argv[1]}: numeric argument required`
          : `shift: ${argv[1]}: shift count out of range`,
      );
      return 1;
    }
    throw new ShellFailure(builtinFailure(shell, 'shift', `Illegal number: ${argv[1]}`, 2).message, 2, 'shell');
  }
  if (count > state.positional.length) {
    if (shell.isDash) throw new ShellFailure("shift: can't shift that many", 2, 'shell');
    return 1;
  }
  state.positional = state.positional.slice(count);
  return 0;
};

const getopts: Builtin = (shell, argv) => {
  const { state } = shell;
  const [, letters, name] = argv;
  if (letters === undefined || name === undefined) {
    if (shell.isBash) shell.write(2, 'getopts: usage: getopts optstring name [arg ...]\n');
    else
      shell.complainOf(
        'getopts',
        shell.isDash ? 'Usage: getopts optstring var [arg...]' : 'usage: getopts optstring var [arg]',
      );
    return 2;
  }
  const words = argv.length > 3 ? argv.slice(3) : state.positional;
  let index = Number(shell.get('OPTIND') ?? 1);
  let at = state.optionAt;
  const finish = (option: Bytes, value: Bytes | undefined, status: number): number => {
    const isMoved = String(index) !== shell.get('OPTIND');
    if (isMoved) shell.set('OPTIND', undefined, String(index));
    state.optionAt = at;
    if (value === undefined) shell.unset('OPTARG');
    else shell.set('OPTARG', undefined, value);
    shell.set(name, undefined, option);
    return status;
  };
  const word = words[index - 1];
  if (at === 0) {
    if (word === undefined || !/^-./.test(word)) return finish('?', undefined, 1);
    if (word === '--') {
      index++;
      return finish('?', undefined, 1);
    }
    at = 1;
  }
  const letter = word![at++]!;
  const isEnd = at >= word!.length;
  const place = letter === ':' ? -1 : letters.replace(/^:/, '').indexOf(letter);
  const isSilent = letters.startsWith(':');
  if (place < 0) {
    if (isEnd) [index, at] = [index + 1, 0];
    if (!isSilent) complainOption(shell, letter, false);
    return finish('?', isSilent ? letter : undefined, 0);
  }
  if (letters.replace(/^:/, '')[place + 1] !== ':') {
    if (isEnd) [index, at] = [index + 1, 0];
    return finish(letter, shell.isBash ? undefined : '', 0);
  }
  const value = isEnd ? words[index] : word!.slice(at);
  index += isEnd ? 2 : 1;
  at = 0;
  if (value !== undefined) return finish(letter, value, 0);
  index--;
  if (!isSilent) complainOption(shell, letter, true);
  return finish(isSilent ? ':' : '?', isSilent ? letter : undefined, 0);
};

function complainOption(shell: Shell, letter: string, isMissing: boolean): void {
  if (shell.isBash) {
    if (shell.get('OPTERR') === '0') return;
    shell.write(
      2,
      `${shell.state.name}: ${isMissing ? 'option requires an argument' : 'illegal option'} -- ${letter}\n`,
    );
  } else shell.write(2, isMissing ? `No arg for -${letter} option\n` : `Illegal option -${letter}\n`);
}

export const options: Readonly<Record<string, Builtin>> = { set, shift, getopts };
export const bashOptions: Readonly<Record<string, Builtin>> = { complete, shopt };
