import { parse, type Statement, type Word, type WordPart } from 'unbash';

const SHELL = /^(?:.*\/)?(?:ba|da|a)?sh$/;
/** Longer scripts are not looked into. */
const MAX_SCRIPT = 16_384;

/** The script of `sh -c SCRIPT [NAME]`, whatever path or name the shell goes by; undefined for other command lines. */
export function scriptOf([shell = '', flag = '', script = '', ...more]: readonly string[]): string | undefined {
  const isScript = SHELL.test(shell) && flag === '-c' && more.length <= 1 && script.length <= MAX_SCRIPT;
  return isScript ? script : undefined;
}

/** The statements of a script; undefined: it has errors. */
export function parseScript(script: string): readonly Statement[] | undefined {
  const { commands, errors = [] } = parse(script);
  return errors.length === 0 ? commands : undefined;
}

/** A word whose value its text alone tells. */
export const isText = ({ parts = [] }: Word): boolean => parts.every(isTextPart);

function isTextPart(part: WordPart): boolean {
  if (part.type === 'DoubleQuoted') return part.parts.every((inner) => inner.type === 'Literal');
  return part.type === 'Literal' || part.type === 'SingleQuoted';
}
