import { withoutIndent } from './fences.js';
import { findMarkedFences } from './marks.js';

/** A block of code in a fold: a script, or objects. */
interface Block {
  readonly text: string;
  readonly isManifest: boolean;
}

const [FOLD, FOLD_END] = ['<details>', '</details>'];
const SHELL = /^(?:bash|sh|shell|console|plain)?$/;
/** Its first line that is no comment; also in a block that is marked as a script. */
const MANIFEST = /^(?:[ \t]*(?:#[^\n]*)?\n|---[ \t]*\n)*apiVersion:/;
/** Pages show what a command prints, too. */
const MARKUP = /^\s*</;

const OPENED = /^[ \t]*(?:sudo )?(?:vi|vim|nano)[ \t]+([\w./~-]+)[ \t]*$/gm;
const EDITORS = ['vi ', 'vim ', 'nano ', 'watch ', 'kubectl edit ', 'k edit '];
const BLANK = / <[a-z][a-z-]*>/;
const NAMED = /(?:-f|--filename)[ =]([\w./~-]+\.(?:ya?ml|json))/g;

/**
 * The commands in the folds of a text, where authors keep a step's solution; none when some need their reader. A
 * manifest is written to the file that an editor before it, or else a command after it, names; or it is applied.
 */
export function foldedCommandsOf(text: string): string[] {
  const blocks = foldsOf(text).flatMap(blocksOf);
  const files = fileNamesOf(blocks);
  const written = new Set(files.values());
  const parts = blocks.flatMap((block, i) =>
    block.isManifest ? [{ ...block, text: save(block.text, files.get(i)) }] : scriptOf(block, written),
  );
  const isReaders = parts.some((part) => !part.isManifest && needsReader(part.text));
  return isReaders ? [] : parts.map((part) => part.text);
}

const blocksOf = (fold: string): Block[] =>
  findMarkedFences(fold)
    .map(({ info, body, indent }) => ({ info, text: withoutIndent(body, indent).trim() }))
    .map(({ info, text }) => ({ info, text, isManifest: MANIFEST.test(`${text}\n`) }))
    .filter(({ info, text, isManifest }) => isManifest || (SHELL.test(info) && !MARKUP.test(text)));

/** By the number of a manifest's block, the file that it is meant to be in. */
function fileNamesOf(blocks: readonly Block[]): Map<number, string> {
  const found = new Map<number, string>();
  const isFree = (name: string): boolean => ![...found.values()].includes(name) && !isMade(blocks, name);
  for (const [i, { isManifest }] of blocks.entries()) {
    if (!isManifest) continue;
    const opened = namesIn(blocks[i - 1], OPENED)
      .filter(isFree)
      .at(-1);
    const named = blocks.slice(i + 1).flatMap((block) => namesIn(block, NAMED));
    const name = opened ?? named.find(isFree);
    if (name !== undefined) found.set(i, name);
  }
  return found;
}

const namesIn = (block: Block | undefined, pattern: RegExp): string[] =>
  !block || block.isManifest ? [] : [...block.text.matchAll(pattern)].map((match) => match[1]!);

/** A command makes the file. */
const isMade = (blocks: readonly Block[], name: string): boolean =>
  blocks.some(({ text, isManifest }) => !isManifest && (text.includes(`> ${name}`) || text.includes(`>${name}`)));

/** Without the lines that open a file that is written for its reader. */
function scriptOf(block: Block, written: ReadonlySet<string>): Block[] {
  const text = block.text.replace(OPENED, (line, name: string) => (written.has(name) ? '' : line)).trim();
  return text === '' ? [] : [{ ...block, text }];
}

const save = (manifest: string, name: string | undefined): string =>
  `${name === undefined ? 'kubectl apply -f -' : `cat > ${name}`} <<'MANIFEST'\n${manifest}\nMANIFEST`;

/** A script cannot change a file in an editor for its reader, nor follow, nor fill in a `<name>`. */
const needsReader = (command: string): boolean =>
  command
    .split('\n')
    .map((line) => line.trim().replace(/^sudo /, ''))
    .some((line) => EDITORS.some((editor) => line.startsWith(editor)) || BLANK.test(line));

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
