import { findFences, replaceFences } from './fences.js';

/** A mark behind code: what a page does when the code is clicked. */
const MARK = /\{\{([^{}]*)\}\}/g;
const KNOWN_MARK = /^(exec|copy|exec interrupt|)$/;
const TAIL = /^(?:\{\{[^{}]*\}\})?$/;
const EXEC = /^\{\{exec\b/;
const INLINE = /(?<!`)(`+)([^`\n]+)\1\{\{exec(?: interrupt)?\}\}/g;
const IMAGE = /!\[[^\]]*\]\(([^)\s]+)(?:\s[^)]*)?\)/g;
const ELSEWHERE = /^(https?:|data:)/;

/** The commands of a text that a click runs, in their order. */
export function commandsOf(text: string): string[] {
  const fences = findFences(text, (tail) => TAIL.test(tail)).filter(({ indent }) => indent === '');
  const found = fences
    .filter(({ tail }) => EXEC.test(tail))
    .map(({ from, body }) => ({ at: from, command: body.trim() }));
  const rest = replaceFences(text, fences, ({ from, to }) => ' '.repeat(to - from));
  for (const match of rest.matchAll(INLINE)) found.push({ at: match.index, command: match[2]!.trim() });
  return found.sort((a, b) => a.at - b.at).map(({ command }) => command);
}

const [FOLD, FOLD_END] = ['<details>', '</details>'];
const SHELL = /^(?:bash|sh|shell|console|plain)?$/;
const EDITORS = ['vi ', 'vim ', 'nano ', 'watch ', 'kubectl edit ', 'k edit '];
const BLANK = / <[a-z][a-z-]*>/;

/** A script cannot change a file in an editor for its reader, nor follow, nor fill in a `<name>`. */
const needsReader = (command: string): boolean =>
  command
    .split('\n')
    .map((line) => line.trim().replace(/^sudo /, ''))
    .some((line) => EDITORS.some((editor) => line.startsWith(editor)) || BLANK.test(line));

/** The commands in the folds of a text, where authors keep a step's solution; none when some need their reader. */
export function foldedCommandsOf(text: string): string[] {
  const commands = foldsOf(text)
    .flatMap((fold) => findFences(fold, (tail) => TAIL.test(tail)))
    .filter(({ info }) => SHELL.test(info))
    .map(({ body, indent }) => withoutIndent(body, indent).trim());
  return commands.some(needsReader) ? [] : commands;
}

function foldsOf(text: string): string[] {
  const folds: string[] = [];
  for (let from = text.indexOf(FOLD); from >= 0; from = text.indexOf(FOLD, from)) {
    const to = text.indexOf(FOLD_END, from);
    if (to < 0) break;
    folds.push(text.slice(from + FOLD.length, to));
    from = to;
  }
  return folds;
}

const withoutIndent = (body: string, indent: string): string =>
  body
    .split('\n')
    .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
    .join('\n');

/** Marks that mean something that no lab has: `TRAFFIC_HOST1_80` and others. */
export const unknownMarks = (text: string): string[] =>
  [...text.matchAll(MARK)].map((match) => match[1]!.trim()).filter((mark) => !KNOWN_MARK.test(mark));

/** Pictures that lie beside the text: a lab has texts alone. */
export const localImages = (text: string): string[] =>
  [...text.matchAll(IMAGE)].map((match) => match[1]!).filter((path) => !ELSEWHERE.test(path));
