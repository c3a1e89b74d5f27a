import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import { writeWholeFile } from '../../whole-file.js';
import { cutLines, lastName, parentName } from '../../names.js';
import { type Options, parseOptions } from '../../framework/options.js';
import { defineTool, strerror, type ToolContext, ToolFailure } from '../../framework/tool.js';
import { applyHunks, isApplied, rejectsOf } from './patch-apply.js';
import { type Budget, type FilePatch, readPatch, reverseHunk } from './patch-format.js';

const OPTIONS = [
  ...['p,strip:', 'R,reverse', 'i,input:', 'd,directory:', 'o,output:', 'b,backup', 'N,forward', 's,quiet,silent'],
  ...[
    'f,force',
    't,batch',
    'E,remove-empty-files',
    'u,unified',
    'n,normal',
    'dry-run',
    'F,fuzz:',
    'verbose',
    'l',
    'r:',
  ],
];
/** Lines that are compared in all. */
const MAX_COMPARED = 1 << 20;
/** Work of a line that is compared. */
const STEPS_PER_LINE = 4;

/** GNU patch, and busybox' applet, for unified and normal differences. */
export const patch = defineTool(
  (tool) => {
    const options = parseOptions(tool, OPTIONS);
    for (const key of ['l', 'r', 'F'])
      if (options.has(key)) throw new ToolFailure(`option -${key}: is not simulated here`, 2);
    const [target, source] = options.operands;
    const text = readInput(tool, options.value('i') ?? source ?? '-');
    const files = readPatch(text);
    if (/^\*\*\* \d/m.test(text)) throw new ToolFailure('context differences are not simulated here', 2);
    if (files.length === 0 && tool.flavour === 'gnu') {
      if (text === '') return 0;
      throw new ToolFailure('**** Only garbage was found in the patch input.', 2);
    }
    if (options.has('d')) tool.sys.chdir(options.value('d')!);
    const budget: Budget = { left: MAX_COMPARED };
    return Math.max(0, ...files.map((file) => patchOne(tool, options, file, { target, budget })));
  },
  { usage: '[OPTION]... [ORIGFILE [PATCHFILE]]', usageCode: 2, version: 'GNU patch 2.7.6' },
);

function readInput(tool: ToolContext, path: Bytes): Bytes {
  try {
    return tool.input(path);
  } catch (error) {
    throw new ToolFailure(`**** Can't open patch file ${path} : ${strerror(error)}`, 2);
  }
}

/** 1: some of it could not be made. */
function patchOne(
  tool: ToolContext,
  options: Options,
  file: FilePatch,
  { target, budget }: { readonly target: Bytes | undefined; readonly budget: Budget },
): number {
  const path = target ?? chooseFile(tool, options, file);
  if (path === undefined) return skipFile(tool, file);
  const isOld = tool.sys.access(path, '');
  const lines = isOld ? cutLines(tool.input(path)) : [];
  const hunks = options.has('R') ? file.hunks.map(reverseHunk) : file.hunks;
  const isGnu = tool.flavour === 'gnu';
  const isQuiet = options.has('s');
  tool.sys.charge(STEPS_PER_LINE * (1 + lines.length) * (1 + hunks.length));
  if (!isQuiet) tool.out(`${options.has('dry-run') ? 'checking' : 'patching'} file ${path}\n`);
  if (isGnu && isApplied(lines, hunks, budget) && !options.has('f', 't'))
    return refuseApplied(tool, options, path, file);
  const { made, failed } = applyHunks(tool, lines, hunks, isQuiet, budget);
  if (!options.has('dry-run'))
    save(tool, options, path, { before: lines, made, isOld, isGone: removes(options, file) });
  if (failed.length === 0) return 0;
  if (isGnu) {
    const count = `${failed.length} out of ${hunks.length} hunk${hunks.length === 1 ? '' : 's'} FAILED`;
    tool.out(`${count} -- saving rejects to file ${path}.rej\n`);
    if (!options.has('dry-run')) writeWholeFile(tool.sys, `${path}.rej`, rejectsOf(file, failed), { mode: 0o666 });
  }
  return 1;
}

const removes = (options: Options, { oldName, newName }: FilePatch): boolean =>
  (options.has('R') ? oldName : newName) === '/dev/null';

/** Of the names in the patch the first that is there; a file that it makes need not be. */
function chooseFile(tool: ToolContext, options: Options, file: FilePatch): Bytes | undefined {
  const named = [file.oldName, file.newName].filter((name) => name !== undefined && name !== '/dev/null');
  const names = named.map((name) => strip(name!, options.value('p')));
  const found = names.find((name) => tool.sys.access(name, ''));
  return found ?? ([file.oldName, file.newName].includes('/dev/null') ? names[0] : undefined);
}

function strip(name: Bytes, count: Bytes | undefined): Bytes {
  return count === undefined ? lastName(name) : name.split('/').slice(Number(count)).join('/');
}

function skipFile(tool: ToolContext, file: FilePatch): number {
  if (tool.flavour === 'busybox') {
    tool.out(`patching file ${file.newName ?? ''}\n`);
    throw new ToolFailure(`can't open '${file.newName ?? ''}': No such file or directory`);
  }
  const rule = '--------------------------\n';
  const head = file.head.map((line) => `|${line}`).join('');
  tool.out(`can't find file to patch at input line ${file.line}\nPerhaps you used the wrong -p or --strip option?\n`);
  if (head !== '') tool.out(`The text leading up to this was:\n${rule}${head}${rule}`);
  const count = file.hunks.length;
  tool.out(`File to patch: \nSkip this patch? [y] \nSkipping patch.\n${ignored(count)}\n`);
  return 1;
}

const ignored = (count: number): string => `${count} out of ${count} hunk${count === 1 ? '' : 's'} ignored`;

function refuseApplied(tool: ToolContext, options: Options, path: Bytes, file: FilePatch): number {
  const what = `${options.has('R') ? 'Unreversed' : 'Reversed (or previously applied)'} patch detected!  `;
  const question = options.has('R') ? 'Ignore -R? [n] ' : 'Assume -R? [n] ';
  tool.out(options.has('N') ? `${what}Skipping patch.\n` : `${what}${question}\nApply anyway? [n] \nSkipping patch.\n`);
  tool.out(`${ignored(file.hunks.length)} -- saving rejects to file ${path}.rej\n`);
  if (!options.has('dry-run')) writeWholeFile(tool.sys, `${path}.rej`, rejectsOf(file, file.hunks), { mode: 0o666 });
  return 1;
}

interface Result {
  readonly before: readonly Bytes[];
  readonly made: readonly Bytes[];
  readonly isOld: boolean;
  readonly isGone: boolean;
}

function save(tool: ToolContext, options: Options, path: Bytes, { before, made, isOld, isGone }: Result): void {
  const { sys } = tool;
  const target = options.value('o') ?? path;
  const text = made.join('');
  if (options.has('b') && isOld) writeWholeFile(tool.sys, `${path}.orig`, before.join(''), { mode: 0o666 });
  if (text === '' && (isGone || options.has('E'))) return sys.unlink(path);
  if (!isOld) makeParents(sys, parentName(target));
  writeWholeFile(tool.sys, target, text, { mode: 0o666 });
}

function makeParents(sys: Syscalls, path: Bytes): void {
  if (path === '' || sys.access(path, '')) return;
  makeParents(sys, parentName(path));
  sys.makeDirectory(path, 0o777);
}
