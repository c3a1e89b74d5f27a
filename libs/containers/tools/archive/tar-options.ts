import type { Bytes } from '../../../engine/kernel/bytes.js';
import { type Options, parseOptions } from '../framework/options.js';
import { type CommandContext, strerror, ToolFailure, UsageFailure } from '../framework/tool.js';
import type { FilterContext } from '../framework/filter.js';

const OPTIONS = [
  ...['c,create', 'x,extract,get', 't,list', 'r,append', 'u,update', 'f,file:', 'v,verbose', 'z,gzip,gunzip'],
  ...['j,bzip2', 'J,xz', 'C,directory:', 'p,preserve-permissions,same-permissions', 'o,no-same-owner', 'O,to-stdout'],
  ...['k,keep-old-files', 'm,touch', 'h,dereference', 'T,files-from:', 'X,exclude-from:', 'P,absolute-names'],
  ...['a,auto-compress', 'n', 'strip-components:', 'exclude:', 'same-owner', 'no-same-permissions', 'overwrite'],
  ...['numeric-owner', 'owner:', 'group:', 'mode:', 'mtime:', 'sort:', 'format:', 'wildcards', 'no-recursion'],
  ...['transform:', 'warning:', 'totals', 'one-file-system', 'keep-directory-symlink', 'skip-old-files'],
  ...['no-overwrite-dir', 'no-wildcards', 'one-top-level::'],
];

export const SETTINGS = {
  usage: '[OPTION...] [FILE]...',
  usageCode: 2,
  version: 'tar (GNU tar) 1.34',
  otherHelp: " or 'tar --usage'",
};

const MODES = ['c', 'x', 't', 'r', 'u'];

/** Whether a command line takes an archive apart or lists it, as far as that can be told. */
export function readsArchive(argv: readonly Bytes[]): boolean {
  const words = expandFirst(argv.slice(1));
  const isLetters = (word: Bytes) => /^-[A-Za-z]+$/.test(word);
  return words.some(
    (word) => ['--extract', '--get', '--list'].includes(word) || (isLetters(word) && /[xt]/.test(word)),
  );
}

/** Throws UsageFailure, ToolFailure. */
export function readOptions(tool: CommandContext): Options {
  const options = parseOptions({ ...tool, args: expandFirst(tool.args) }, OPTIONS);
  const modes = MODES.filter((mode) => options.has(mode));
  if (modes.length === 0) {
    throw new UsageFailure(
      tool.flavour === 'gnu' ? "You must specify one of the '-Acdtrux', '--delete' or '--test-label' options" : '',
    );
  }
  if (modes.length > 1)
    throw new UsageFailure("You may not specify more than one '-Acdtrux', '--delete' or  '--test-label' option");
  if (options.has('J')) throw new ToolFailure('xz: Cannot exec: No such file or directory', 2);
  if (options.has('j')) requireBzip2(tool);
  return options;
}

/** GNU tar leaves it to the program, which an image may not have. Throws ToolFailure. */
export function requireBzip2({ flavour, sys }: CommandContext): void {
  if (flavour === 'gnu' && !['/usr/bin', '/bin'].some((folder) => sys.access(`${folder}/bzip2`, 'x')))
    throw new ToolFailure('bzip2: Cannot exec: No such file or directory', 2);
}

/** `tar xzf a.tar`: the first word may be letters without a dash; their values follow, in the letters' order. */
function expandFirst(args: readonly Bytes[]): Bytes[] {
  const [first, ...rest] = args;
  if (first === undefined || first.startsWith('-')) return [...args];
  const words: Bytes[] = [];
  for (const letter of first) {
    words.push(`-${letter}`);
    const value = 'fCTX'.includes(letter) ? rest.shift() : undefined;
    if (value !== undefined) words.push(value);
  }
  return [...words, ...rest];
}

export const archivePath = (options: Options): Bytes => options.value('f') ?? '-';

/** The archive's path wherever the process goes. */
export function absoluteArchive(tool: CommandContext, options: Options): Bytes {
  const path = archivePath(options);
  return path === '-' || path.startsWith('/') ? path : `${tool.sys.cwd()}/${path}`;
}

/** Throws ToolFailure with GNU's two lines, or busybox's one. */
export function refuse(tool: FilterContext, message: Bytes): never {
  if (tool.flavour === 'busybox') throw new ToolFailure(message);
  tool.warn(message);
  throw new ToolFailure('Error is not recoverable: exiting now', 2);
}

export function refuseOpen(tool: FilterContext, path: Bytes, error: unknown): never {
  const why = strerror(error);
  return refuse(tool, tool.flavour === 'gnu' ? `${path}: Cannot open: ${why}` : `can't open '${path}': ${why}`);
}

export function changeDirectory(tool: FilterContext, options: Options): void {
  for (const directory of options.values('C')) {
    try {
      tool.sys.chdir(directory);
    } catch (error) {
      const why = strerror(error);
      const busybox = `can't change directory to '${directory}': ${why}`;
      refuse(tool, tool.flavour === 'gnu' ? `${directory}: Cannot open: ${why}` : busybox);
    }
  }
}

/** The last line of a run that had errors. */
export function endWith(tool: FilterContext, code: number): number {
  if (code !== 0 && tool.flavour === 'gnu') tool.warn('Exiting with failure status due to previous errors');
  return code;
}
