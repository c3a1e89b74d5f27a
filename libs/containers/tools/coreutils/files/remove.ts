import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import { type Options, parseOptions, quoteName, refuseExtraOperands, requireOperands } from '../../options.js';
import { defineTool, strerror, type ToolContext, ToolFailure, UsageFailure } from '../../tool.js';
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
    if (isAsking(options)) throw new ToolFailure('-i and -I ask, which is not supported here; nothing was removed');
    const removal = new Removal(
      tool,
      options.has('R'),
      isForced,
      options.has('d'),
      options.has('v'),
      options.has('no-preserve-root'),
    );
    for (const path of options.operands) removal.remove(path);
    return removal.code;
  },
  { usage: '[OPTION]... [FILE]...' },
);

/** Whether rm has questions: -i before each file, -I before more than three or a tree. The last option counts. */
function isAsking(options: Options): boolean {
  const last = options.last('f', 'i', 'I', 'interactive');
  const when = last === 'interactive' ? options.value('interactive')! : last;
  if (when === 'i' || when === '' || when === 'always' || when === 'yes') return true;
  return (when === 'I' || when === 'once') && (options.has('R') || options.operands.length > 3);
}

class Removal {
  code = 0;

  constructor(
    private readonly tool: ToolContext,
    private readonly isRecursive: boolean,
    private readonly isForced: boolean,
    private readonly takesEmpty: boolean,
    private readonly isVerbose: boolean,
    private readonly takesRoot: boolean,
  ) {}

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
    if (this.isRecursive && trimmed === '' && path !== '' && !this.takesRoot) {
      return `it is dangerous to operate recursively on '/'\n${this.tool.name}: use --no-preserve-root to override this failsafe`;
    }
    if (/(?:^|\/)\.\.?$/.test(trimmed) && this.isRecursive) {
      return `refusing to remove '.' or '..' directory: skipping ${quoteName(path)}`;
    }
    return undefined;
  }

  /** False when something is left. */
  private removeOne(path: Bytes): boolean {
    const { sys, flavour } = this.tool;
    try {
      const { type } = sys.lstat(path);
      sys.charge(2);
      if (type !== 'directory') sys.unlink(path);
      else {
        if (!this.isRecursive && !this.takesEmpty) throw new SystemError('EISDIR');
        if (this.isRecursive && !this.removeContent(path)) return false;
        sys.removeDirectory(path);
      }
      if (this.isVerbose) this.tool.out(`removed ${type === 'directory' ? 'directory ' : ''}${quoteName(path)}\n`);
      return true;
    } catch (error) {
      const message = strerror(error);
      if (this.isForced && message === 'No such file or directory') return true;
      if (flavour === 'gnu') this.fail(`cannot remove ${quoteName(path)}: ${message}`);
      else this.fail(message === 'Is a directory' ? `'${path}' is a directory` : `can't remove '${path}': ${message}`);
      return false;
    }
  }

  private removeContent(path: Bytes): boolean {
    let isEmpty = true;
    for (const name of this.tool.sys.readDirectory(path)) {
      isEmpty = this.removeOne(path.endsWith('/') ? path + name : `${path}/${name}`) && isEmpty;
    }
    return isEmpty;
  }
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
    const { sys, flavour } = tool;
    const operands = [...options.operands];
    if (operands.length === 0) throw new UsageFailure(flavour === 'gnu' ? 'missing file operand' : '');
    const given = options.value('t');
    const target = given ?? (operands.length === 1 ? '.' : operands.pop()!);
    const isLink = options.has('n') && isLinkAt(sys, target);
    const isDirectory = !options.has('T') && !isLink && isDirectoryAt(sys, target) === true;
    if (!isDirectory && operands.length > 1) throw new ToolFailure(`target ${quoteName(target)} is not a directory`);
    const what = options.has('s') ? 'symbolic' : 'hard';
    let code = 0;
    for (const source of operands) {
      const path = isDirectory ? `${target.replace(/\/$/, '')}/${lastName(source)}` : target;
      const shown = options.has('s') && options.has('r') ? relativePath(sys, source, path) : source;
      try {
        if (options.has('f') && isAnythingAt(sys, path)) sys.unlink(path);
        if (options.has('s')) sys.symlink(shown, path);
        else linkHard(tool, source, path);
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
