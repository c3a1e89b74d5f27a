import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import type { FileStat } from '../../../../engine/kernel/files/file.js';
import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import {
  type Options,
  parseOptions,
  quoteName,
  refuseExtraOperands,
  requireOperands,
} from '../../framework/options.js';
import {
  type AskingContext,
  defineTool,
  strerror,
  type ToolContext,
  ToolFailure,
  UsageFailure,
} from '../../framework/tool.js';
import { isDirectoryAt } from './make.js';
import { lastName, trimSlashes } from '../../names.js';

const RM_OPTIONS = [
  ...[
    'd,dir',
    'f,force',
    'i',
    'I',
    'interactive::',
    'R,r,recursive',
    'v,verbose',
    'one-file-system',
    'preserve-root::',
  ],
  'no-preserve-root',
];

export const rm = defineTool(
  (tool) => {
    const options = parseOptions(tool, RM_OPTIONS);
    const isForced = options.has('f');
    if (options.operands.length === 0 && isForced) return 0;
    requireOperands(tool, options.operands);
    const questions = questionsOf(tool, options);
    const asking = questions === 'none' ? undefined : tool.asking();
    if (questions === 'once' && !asking!.ask(askForAll(tool, options))) return 0;
    const removal = new Removal(asking ?? tool, options, questions === 'each' ? asking : undefined);
    for (const path of options.operands) removal.remove(path);
    return removal.code;
  },
  { usage: '[OPTION]... [FILE]...' },
);

/** -i asks before each file, -I before more than three or a tree; the last option counts. busybox has no -I. */
function questionsOf({ flavour }: ToolContext, options: Options): 'none' | 'once' | 'each' {
  const last = options.last('f', 'i', 'I', 'interactive');
  const when = last === 'interactive' ? options.value('interactive')! : last;
  if (flavour === 'busybox') return last === 'i' ? 'each' : 'none';
  if (when === 'i' || when === '' || when === 'always' || when === 'yes') return 'each';
  const isMuch = options.has('R') || options.operands.length > 3;
  return (when === 'I' || when === 'once') && isMuch ? 'once' : 'none';
}

function askForAll({ name }: ToolContext, options: Options): Bytes {
  const count = options.operands.length;
  const what = `${count} argument${count === 1 ? '' : 's'}`;
  return `${name}: remove ${what}${options.has('R') ? ' recursively' : ''}? `;
}

class Removal {
  code = 0;
  private readonly isRecursive: boolean;
  private readonly isForced: boolean;

  constructor(
    private readonly tool: ToolContext,
    private readonly options: Options,
    /** Of -i. */
    private readonly asking: AskingContext | undefined,
  ) {
    this.isRecursive = options.has('R');
    this.isForced = options.has('f') && asking === undefined;
  }

  remove(path: Bytes): void {
    const refusal = this.refusalOf(path);
    if (refusal !== undefined) return this.fail(refusal);
    this.removeOne(path);
  }

  private fail(message: Bytes): void {
    this.tool.warn(message);
    this.code = 1;
  }

  private refusalOf(path: Bytes): Bytes | undefined {
    const trimmed = trimSlashes(path);
    if (this.isRecursive && trimmed === '' && path !== '' && !this.options.has('no-preserve-root')) {
      return `it is dangerous to operate recursively on '/'\n${this.tool.name}: use --no-preserve-root to override this failsafe`;
    }
    if (/(?:^|\/)\.\.?$/.test(trimmed) && this.isRecursive) {
      return `refusing to remove '.' or '..' directory: skipping ${quoteName(path)}`;
    }
    return undefined;
  }

  /** Whether the user of -i wants it so. */
  private wants(what: 'remove' | 'descend', path: Bytes, stat: FileStat): boolean {
    if (this.asking === undefined) return true;
    const { name, flavour } = this.tool;
    const isGnu = flavour === 'gnu';
    const shown = isGnu ? quoteName(path) : `'${path}'`;
    if (what === 'descend') return this.asking.ask(`${name}: descend into directory ${shown}? `);
    const kind = isGnu ? `${describeKind(stat)} ` : stat.type === 'directory' ? 'directory ' : '';
    return this.asking.ask(`${name}: remove ${kind}${shown}? `);
  }

  /** False when something could not be removed; what the user wants to keep is no failure. */
  private removeOne(path: Bytes): boolean {
    const { sys, flavour } = this.tool;
    try {
      const stat = sys.lstat(path);
      const { type } = stat;
      sys.charge(2);
      if (type !== 'directory') {
        if (!this.wants('remove', path, stat)) return true;
        sys.unlink(path);
      } else {
        if (!this.isRecursive && !this.options.has('d')) throw new SystemError('EISDIR');
        if (this.isRecursive) {
          const names = sys.readDirectory(path);
          const isQuestion = names.length > 0 || flavour === 'busybox';
          if (isQuestion && !this.wants('descend', path, stat)) return true;
          if (!this.removeContent(path, names)) return false;
        }
        if (!this.wants('remove', path, stat)) return true;
        sys.removeDirectory(path);
      }
      if (this.options.has('v'))
        this.tool.out(`removed ${type === 'directory' ? 'directory ' : ''}${quoteName(path)}\n`);
      return true;
    } catch (error) {
      const message = strerror(error);
      if (this.isForced && message === 'No such file or directory') return true;
      if (flavour === 'gnu') this.fail(`cannot remove ${quoteName(path)}: ${message}`);
      else this.fail(message === 'Is a directory' ? `'${path}' is a directory` : `can't remove '${path}': ${message}`);
      return false;
    }
  }

  private removeContent(path: Bytes, names: readonly Bytes[]): boolean {
    let isEmpty = true;
    for (const name of names) {
      isEmpty = this.removeOne(path.endsWith('/') ? path + name : `${path}/${name}`) && isEmpty;
    }
    return isEmpty;
  }
}

/** In the words of rm and stat. */
function describeKind({ type, size }: FileStat): Bytes {
  if (type === 'file') return size === 0 ? 'regular empty file' : 'regular file';
  const kinds: Readonly<Record<string, Bytes>> = {
    ...{ directory: 'directory', link: 'symbolic link', fifo: 'fifo', socket: 'socket' },
    ...{ char: 'character special file', block: 'block special file' },
  };
  return kinds[type] ?? 'weird file';
}

/** Throws SystemError. */
export function removeTree(sys: Syscalls, path: Bytes): void {
  if (sys.lstat(path).type !== 'directory') return sys.unlink(path);
  for (const name of sys.readDirectory(path)) removeTree(sys, `${path}/${name}`);
  sys.removeDirectory(path);
}

export const unlink = defineTool(
  (tool) => {
    const { operands } = parseOptions(tool, []);
    requireOperands(tool, operands);
    refuseExtraOperands(tool, operands, 1);
    try {
      tool.sys.unlink(operands[0]!);
    } catch (error) {
      throw new ToolFailure(`cannot unlink ${quoteName(operands[0]!)}: ${strerror(error)}`);
    }
    return 0;
  },
  { usage: 'FILE' },
);

const LN_OPTIONS = [
  ...['b', 'f,force', 'i,interactive', 'L,logical', 'n,no-dereference', 'P,physical', 'r,relative', 's,symbolic'],
  ...['t,target-directory:', 'T,no-target-directory', 'v,verbose'],
];

export const ln = defineTool(
  (tool) => {
    const options = parseOptions(tool, LN_OPTIONS);
    const { flavour } = tool;
    const operands = [...options.operands];
    if (operands.length === 0) throw new UsageFailure(flavour === 'gnu' ? 'missing file operand' : '');
    const given = options.value('t');
    const target = given ?? (operands.length === 1 ? '.' : operands.pop()!);
    const isLink = options.has('n') && isLinkAt(tool.sys, target);
    const isDirectory = !options.has('T') && !isLink && isDirectoryAt(tool.sys, target) === true;
    if (!isDirectory && operands.length > 1) throw new ToolFailure(`target ${quoteName(target)} is not a directory`);
    const what = options.has('s') ? 'symbolic' : 'hard';
    let code = 0;
    const asking = options.last('f', 'i') === 'i' ? tool.asking() : undefined;
    const sys = asking?.sys ?? tool.sys;
    for (const source of operands) {
      const path = isDirectory ? `${target.replace(/\/$/, '')}/${lastName(source)}` : target;
      const shown = options.has('s') && options.has('r') ? relativePath(sys, source, path) : source;
      try {
        const isReplacing = options.has('f', 'i') && isAnythingAt(sys, path);
        if (isReplacing && asking !== undefined && !asking.ask(`${tool.name}: replace ${quoteName(path)}? `)) continue;
        if (isReplacing) sys.unlink(path);
        if (options.has('s')) sys.symlink(shown, path);
        else linkHard(asking ?? tool, source, path);
        if (options.has('v')) tool.out(`${quoteName(path)} ${options.has('s') ? '->' : '=>'} ${quoteName(shown)}\n`);
      } catch (error) {
        code = 1;
        if (error instanceof ToolFailure) tool.warn(error.message);
        else {
          const arrow = options.has('s') || strerror(error) === 'File exists' ? '' : ` => ${quoteName(source)}`;
          tool.warn(
            flavour === 'gnu'
              ? `failed to create ${what} link ${quoteName(path)}${arrow}: ${strerror(error)}`
              : `${path}: ${strerror(error)}`,
          );
        }
      }
    }
    return code;
  },
  { usage: '[OPTION]... [-T] TARGET LINK_NAME' },
);

function linkHard({ sys, flavour }: ToolContext, source: Bytes, path: Bytes): void {
  let type: string;
  try {
    ({ type } = sys.lstat(source));
  } catch (error) {
    throw new ToolFailure(
      flavour === 'gnu' ? `failed to access ${quoteName(source)}: ${strerror(error)}` : `${source}: ${strerror(error)}`,
    );
  }
  if (type === 'directory')
    throw new ToolFailure(
      flavour === 'gnu' ? `${source}: hard link not allowed for directory` : `${path}: Operation not permitted`,
    );
  sys.link(source, path);
}

function isLinkAt(sys: Syscalls, path: Bytes): boolean {
  try {
    return sys.lstat(path).type === 'link';
  } catch (error) {
    strerror(error);
    return false;
  }
}

function isAnythingAt(sys: Syscalls, path: Bytes): boolean {
  try {
    sys.lstat(path);
    return true;
  } catch (error) {
    strerror(error);
    return false;
  }
}

function relativePath(sys: Syscalls, source: Bytes, link: Bytes): Bytes {
  const absolute = (path: Bytes) =>
    (path.startsWith('/') ? path : `${sys.cwd()}/${path}`).split('/').filter((n) => n !== '' && n !== '.');
  const [from, to] = [absolute(link).slice(0, -1), absolute(source)];
  let common = 0;
  while (common < from.length && from[common] === to[common]) common++;
  return [...from.slice(common).map(() => '..'), ...to.slice(common)].join('/') || '.';
}
