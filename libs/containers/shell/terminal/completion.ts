import type { Shell } from '../interpreter/shell.js';
import { type Bytes, errorCodeOf } from '../kernel.js';
import type { EditorFrame } from '../state/frame.js';

const MAX_SHOWN = 200;
const BUILTINS =
  'alias bg break cd command continue echo eval exec exit export false fg getopts hash jobs kill local printf pwd read readonly return set shift test times trap true type ulimit umask unalias unset wait';

/** Completes the word before the cursor: a command where one is expected, a variable after $, else a file. */
export function completeLine(
  shell: Shell,
  frame: EditorFrame,
  insert: (text: Bytes) => void,
  redraw: () => void,
): void {
  const before = frame.text.slice(0, frame.at);
  const word = before.slice(wordStart(before));
  const isCommand =
    /(?:^|[;|&(]|&&|\|\|)\s*$/.test(before.slice(0, before.length - word.length)) && !word.includes('/');
  const candidates = word.startsWith('$')
    ? variables(shell, word)
    : isCommand
      ? commands(shell, word)
      : files(shell, word);
  frame.tabs++;
  if (candidates.length === 0) {
    shell.write(2, '\x07');
    return;
  }
  const start = word.startsWith('$') || isCommand ? word : word.slice(word.lastIndexOf('/') + 1);
  const common = commonStart(candidates.map((candidate) => candidate.replace(/\/$/, '')));
  const added = common.slice(start.length);
  if (candidates.length === 1) {
    const only = candidates[0]!;
    insert(escape(only.slice(start.length)) + (only.endsWith('/') ? '' : ' '));
  } else if (added !== '') insert(escape(added));
  else if (frame.tabs < 2 && shell.isBash) shell.write(2, '\x07');
  else {
    const width = Math.max(...candidates.map((candidate) => candidate.length)) + 2;
    const columns = Math.max(1, Math.floor(shell.sys.terminalSize(0).columns / width));
    const shown = candidates.slice(0, MAX_SHOWN);
    const rows = Math.ceil(shown.length / columns);
    let text = '\n';
    for (let row = 0; row < rows; row++) {
      text +=
        shown
          .filter((_, i) => i % rows === row)
          .map((candidate) => candidate.padEnd(width))
          .join('')
          .trimEnd() + '\n';
    }
    shell.write(2, text);
    redraw();
  }
}

/** Where the word begins that ends the text. */
function wordStart(text: Bytes): number {
  let start = text.length;
  while (start > 0 && (!/[\s;|&<>()]/.test(text[start - 1]!) || text[start - 2] === '\\')) start--;
  return start;
}

const escape = (text: Bytes): Bytes => text.replace(/[ '"\\$&();<>|*?[\]`]/g, '\\$&');

function commonStart(words: readonly Bytes[]): Bytes {
  let common = words[0]!;
  for (const word of words) while (!word.startsWith(common)) common = common.slice(0, -1);
  return common;
}

const variables = (shell: Shell, word: Bytes): Bytes[] =>
  Object.keys(shell.state.variables)
    .map((name) => `$${name}`)
    .filter((name) => name.startsWith(word))
    .sort();

function commands(shell: Shell, word: Bytes): Bytes[] {
  const found = new Set<Bytes>();
  const add = (name: Bytes): void => {
    if (name.startsWith(word)) found.add(name);
  };
  BUILTINS.split(' ').forEach(add);
  Object.keys(shell.state.functions).forEach(add);
  Object.keys(shell.state.aliases).forEach(add);
  for (const directory of (shell.get('PATH') ?? '').split(':')) {
    for (const name of namesIn(shell, directory))
      if (name.startsWith(word) && shell.sys.access(`${directory}/${name}`, 'x')) add(name);
  }
  return [...found].sort();
}

function files(shell: Shell, word: Bytes): Bytes[] {
  const plain = word.replace(/\\(.)/g, '$1');
  const slash = plain.lastIndexOf('/');
  const directory = slash < 0 ? '.' : plain.slice(0, slash + 1).replace(/^~\//, `${shell.get('HOME') ?? ''}/`);
  const start = plain.slice(slash + 1);
  return namesIn(shell, directory)
    .filter((name) => name.startsWith(start) && (start !== '' || !name.startsWith('.')))
    .map((name) => (isDirectory(shell, `${directory}/${name}`) ? `${name}/` : name));
}

function namesIn(shell: Shell, path: Bytes): readonly Bytes[] {
  try {
    return shell.sys.readDirectory(path);
  } catch (error) {
    errorCodeOf(error);
    return [];
  }
}

function isDirectory(shell: Shell, path: Bytes): boolean {
  try {
    return shell.sys.stat(path).type === 'directory';
  } catch (error) {
    errorCodeOf(error);
    return false;
  }
}
