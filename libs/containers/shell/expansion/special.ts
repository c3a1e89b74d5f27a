import type { Bytes } from '../kernel.js';
import type { Shell } from '../interpreter/shell.js';

/** The value of $x, $1, $?, ... Undefined: not set. */
export function readParameter(shell: Shell, name: Bytes, key: Bytes | undefined): Bytes | undefined {
  const { state } = shell;
  if (/^\d+$/.test(name)) return name === '0' ? state.name : state.positional[Number(name) - 1];
  switch (name) {
    case '?':
      return String(state.status);
    case '$':
      return String(state.shellPid);
    case '!':
      return state.lastBackground === 0 ? undefined : String(state.lastBackground);
    case '#':
      return String(state.positional.length);
    case '-':
      return optionLetters(shell);
    case '_':
      return shell.isDash ? shell.get('_') : state.lastArgument;
    default:
      return shell.get(name, key);
  }
}

const LETTERS = 'aefhimnuvxBCEHPTbks';

/** $-. */
export function optionLetters(shell: Shell): Bytes {
  const { state } = shell;
  const isSet = (letter: string): boolean => shell.option(letter);
  let letters = [...LETTERS].filter(isSet).join('');
  if (!shell.isDash && state.mode === 'command') letters += 'c';
  if (state.mode === 'stdin') letters += 's';
  return letters;
}
