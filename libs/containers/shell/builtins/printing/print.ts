import type { Builtin } from '../../interpreter/builtin.js';
import type { Bytes } from '../../kernel.js';
import { decodeEscapes } from '../../expansion/escapes.js';
import { parseOptions } from '../arguments.js';
import { formatPrintf } from './printf.js';

/** dash knows -n only and always decodes escapes; busybox and bash know -e, -E and -n. */
const echo: Builtin = (shell, argv) => {
  const { isDash } = shell;
  shell.write(1, echoText(argv.slice(1), isDash, isDash || shell.shopt('xpg_echo')), 'echo');
  return 0;
};

const DASH = 45;

/** What echo prints of its words. */
export function echoText(argv: readonly Bytes[], isDash: boolean, decodesAlways: boolean): Bytes {
  if (!decodesAlways && argv[0]?.charCodeAt(0) !== DASH) return (argv.length === 1 ? argv[0]! : argv.join(' ')) + '\n';
  const words = [...argv];
  let decodes = decodesAlways;
  let newline = true;
  const option = isDash ? /^-n$/ : /^-[neE]+$/;
  while (words[0] !== undefined && option.test(words[0])) {
    const letters = words.shift()!;
    if (letters.includes('n')) newline = false;
    const last = [...letters].filter((letter) => letter !== 'n' && letter !== '-').at(-1);
    if (last && !isDash) decodes = last === 'e';
    if (isDash) break;
  }
  let text = words.join(' ');
  if (decodes) {
    const decoded = decodeEscapes(text, { zeroOctal: true, plainOctal: false, stop: true, hexadecimal: !isDash });
    text = decoded.text;
    if (decoded.isStopped) newline = false;
  }
  return newline ? text + '\n' : text;
}

const printf: Builtin = (shell, argv) => {
  let words: Bytes[];
  let variable: Bytes | undefined;
  if (shell.isBash) {
    const { options, operands } = parseOptions(shell, argv, 'v:');
    variable = options['v'];
    words = operands;
  } else words = argv[1] === '--' ? argv.slice(2) : argv.slice(1);
  if (words.length === 0) {
    if (shell.isBash) shell.write(2, 'printf: usage: printf [-v var] format [arguments]\n');
    else if (shell.isDash) shell.complain('printf: usage: printf format [arg ...]');
    else shell.write(2, USAGE);
    return shell.isAsh ? 1 : 2;
  }
  const result = formatPrintf(shell, words[0]!, words.slice(1));
  if (variable !== undefined) {
    const element = /^(\w+)\[(.*)\]$/s.exec(variable);
    shell.set(element ? element[1]! : variable, element?.[2], result.text);
  } else shell.write(1, result.text, 'printf');
  return result.status;
};

const USAGE = `BusyBox v1.36.1 multi-call binary.

Usage: printf FORMAT [ARG]...

Format and print ARG(s) according to FORMAT (a-la C printf)
`;

export const print: Readonly<Record<string, Builtin>> = { echo, printf };
