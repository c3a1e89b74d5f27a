import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import { isZeros } from '../../../../engine/kernel/files/content.js';
import type { FileStat } from '../../../../engine/kernel/files/file.js';
import { findGroup, findUser, readNames } from '../../accounts.js';
import { type Options, parseOptions, quoteName } from '../../framework/options.js';
import {
  type AskingContext,
  defineTool,
  strerror,
  type ToolContext,
  ToolFailure,
  UsageFailure,
} from '../../framework/tool.js';
import { isDirectoryAt, makeParents } from './make.js';
import { applyMode } from './modes.js';
import { removeTree } from './remove.js';
import { lastName, parentName, trimSlashes } from '../../names.js';

const COPY_OPTIONS = [
  ...[
    'a,archive',
    'b',
    'd',
    'f,force',
    'H',
    'i,interactive',
    'l,link',
    'L,dereference',
    'n,no-clobber',
    'P,no-dereference',
  ],
  ...['p', 'preserve::', 'no-preserve:', 'parents', 'R,r,recursive', 'reflink::', 's,symbolic-link', 'sparse:'],
  ...[
    't,target-directory:',
    'T,no-target-directory',
    'u,update',
    'v,verbose',
    'x,one-file-system',
    'remove-destination',
  ],
];

/** Where each source goes: into a directory, or to a name. Throws in the words of cp and mv. */
function planTargets(tool: ToolContext, options: Options): [from: Bytes, to: Bytes][] {
  const operands = [...options.operands];
  const isGnu = tool.flavour === 'gnu';
  if (operands.length === 0) throw new UsageFailure(isGnu ? 'missing file operand' : '');
  const given = options.value('t');
  if (operands.length === 1 && given === undefined) {
    throw new UsageFailure(isGnu ? `missing destination file operand after ${quoteName(operands[0]!)}` : '');
  }
  const target = given ?? operands.pop()!;
  const kind = isDirectoryAt(tool.sys, target);
  const isDirectory = !options.has('T') && kind === true;
  if (options.has('T') && operands.length > 1) throw new UsageFailure(`extra operand ${quoteName(operands[1]!)}`);
  if (!isDirectory && (operands.length > 1 || given !== undefined)) {
    const why = kind === undefined && isGnu ? ': No such file or directory' : ' is not a directory';
    throw new ToolFailure(`target ${quoteName(target)}${why}`);
  }
  return operands.map((from) => [from, isDirectory ? joinPath(target, lastName(from)) : target]);
}

export const joinPath = (directory: Bytes, name: Bytes): Bytes =>
  directory.endsWith('/') ? directory + name : `${directory}/${name}`;

export const cp = defineTool(
  (tool) => {
    const options = parseOptions(tool, COPY_OPTIONS);
    const asking = options.last('n', 'i') === 'i' ? tool.asking() : undefined;
    return new Copy(tool, options, asking).run();
  },
  { usage: '[OPTION]... SOURCE... DEST' },
);

/** Whether the user of -i wants a file to be replaced. */
const mayReplace = (asking: AskingContext, path: Bytes): boolean =>
  asking.ask(`${asking.name}: overwrite ${asking.flavour === 'gnu' ? quoteName(path) : `'${path}'`}? `);

class Copy {
  private code = 0;
  private readonly tool: ToolContext;

  constructor(
    tool: ToolContext,
    private readonly options: Options,
    /** Of -i. */
    private readonly asking?: AskingContext,
  ) {
    this.tool = asking ?? tool;
  }

  run(): number {
    for (const [from, to] of planTargets(this.tool, this.options)) this.copy(from, to, true);
    return this.code;
  }

  fail(message: Bytes): void {
    this.tool.warn(message);
    this.code = 1;
  }

  copy(from: Bytes, to: Bytes, isOperand = false): void {
    const { tool, options } = this;
    const { sys } = tool;
    const isRecursive = options.has('a', 'R');
    const keepsLinks =
      options.has('a', 'd', 'P') || (isRecursive && !options.has('L') && !(isOperand && options.has('H')));
    let stat: FileStat;
    try {
      stat = keepsLinks ? sys.lstat(from) : sys.stat(from);
    } catch (error) {
      return this.fail(
        tool.flavour === 'gnu'
          ? `cannot stat ${quoteName(from)}: ${strerror(error)}`
          : `can't stat '${from}': ${strerror(error)}`,
      );
    }
    sys.charge(2);
    try {
      if (stat.type === 'directory') this.copyDirectory(from, to, stat, isRecursive);
      else this.copyOther(from, to, stat, isRecursive);
    } catch (error) {
      this.fail(explainCreate(tool, to, stat, strerror(error)));
    }
  }

  private copyDirectory(from: Bytes, to: Bytes, stat: FileStat, isRecursive: boolean): void {
    const { tool } = this;
    const { sys } = tool;
    if (!isRecursive) {
      const omitted =
        tool.flavour === 'gnu'
          ? `-r not specified; omitting directory ${quoteName(from)}`
          : `omitting directory '${from}'`;
      return this.fail(omitted);
    }
    const names = sys.readDirectory(from);
    const [source, target] = [`${sys.realPath(from)}/`, parentPath(sys, to)];
    if (`${target}/`.startsWith(source)) {
      return this.fail(`cannot copy a directory, ${quoteName(from)}, into itself, ${quoteName(to)}`);
    }
    const exists = isDirectoryAt(sys, to);
    if (exists === false)
      return this.fail(`cannot overwrite non-directory ${quoteName(to)} with directory ${quoteName(from)}`);
    if (exists === undefined) sys.makeDirectory(to, stat.mode & 0o777);
    this.tell(from, to);
    for (const name of names) this.copy(joinPath(from, name), joinPath(to, name));
    this.preserve(to, stat);
  }

  private copyOther(from: Bytes, to: Bytes, stat: FileStat, isRecursive: boolean): void {
    const { tool, options } = this;
    const { sys } = tool;
    const existing = statIfAny(sys, to);
    if (existing?.type === 'directory') {
      return this.fail(`cannot overwrite directory ${quoteName(to)} with non-directory`);
    }
    if (existing !== undefined) {
      if (options.last('n', 'i') === 'n' || (options.has('u') && existing.modified >= stat.modified)) return;
      if (existing.inode === stat.inode && existing.fileSystem === stat.fileSystem) {
        return this.fail(
          tool.flavour === 'gnu'
            ? `${quoteName(from)} and ${quoteName(to)} are the same file`
            : `'${from}' and '${to}' are the same file`,
        );
      }
      if (this.asking !== undefined && !mayReplace(this.asking, to)) return;
      if (options.has('remove-destination', 'l', 's') && options.has('f', 'remove-destination')) sys.unlink(to);
    }
    if (options.has('s')) sys.symlink(from, to);
    else if (options.has('l')) sys.link(from, to);
    else if (stat.type === 'link') {
      if (existing !== undefined) sys.unlink(to);
      sys.symlink(sys.readLink(from), to);
    } else if (isRecursive && stat.type !== 'file')
      sys.makeNode(to, stat.type === 'fifo' ? 'fifo' : (stat.type as 'char'), stat.mode, stat.device);
    else {
      const failure = this.copyOnce(from, to, stat);
      if (failure !== undefined) return this.fail(failure);
    }
    this.tell(from, to);
    if (stat.type !== 'link') this.preserve(to, stat);
  }

  /** Also when cp runs again after an answer. */
  private copyOnce(from: Bytes, to: Bytes, stat: FileStat): Bytes | undefined {
    const copy = () => this.copyContent(from, to, stat);
    return this.asking === undefined ? copy() : this.asking.act(copy);
  }

  /** Why the source cannot be read. */
  private copyContent(from: Bytes, to: Bytes, stat: FileStat): Bytes | undefined {
    const { tool, options } = this;
    const { sys } = tool;
    let source: number;
    try {
      source = sys.open(from, { read: true });
    } catch (error) {
      const message = strerror(error);
      return tool.flavour === 'gnu'
        ? `cannot open ${quoteName(from)} for reading: ${message}`
        : `can't open '${from}': ${message}`;
    }
    try {
      const target = openTarget(sys, to, stat.mode & 0o777, options.has('f'));
      copyDescriptor(sys, source, target);
      sys.close(target);
    } finally {
      sys.close(source);
    }
    return undefined;
  }

  private tell(from: Bytes, to: Bytes): void {
    if (!this.options.has('v')) return;
    this.tool.out(this.tool.flavour === 'gnu' ? `${quoteName(from)} -> ${quoteName(to)}\n` : `'${from}' -> '${to}'\n`);
  }

  private preserve(path: Bytes, stat: FileStat): void {
    if (!this.options.has('a', 'p', 'preserve')) return;
    const { sys } = this.tool;
    try {
      sys.chown(path, stat.user, stat.group);
    } catch (error) {
      // Only root may give files away; cp says nothing about it.
      strerror(error);
    }
    sys.chmod(path, stat.mode);
    sys.setTimes(path, stat.accessed, stat.modified);
  }
}

function explainCreate(tool: ToolContext, to: Bytes, stat: FileStat, message: string): Bytes {
  if (tool.flavour === 'busybox')
    return `can't create ${stat.type === 'directory' ? 'directory ' : ''}'${to}': ${message}`;
  if (stat.type === 'directory') return `cannot create directory ${quoteName(to)}: ${message}`;
  return message === 'No space left on device'
    ? `error writing ${quoteName(to)}: ${message}`
    : `cannot create regular file ${quoteName(to)}: ${message}`;
}

function parentPath(sys: ToolContext['sys'], path: Bytes): Bytes {
  const parent = path.slice(0, trimSlashes(path).lastIndexOf('/') + 1);
  try {
    return sys.realPath(parent === '' ? '.' : parent);
  } catch (error) {
    strerror(error);
    return parent;
  }
}

function statIfAny(sys: ToolContext['sys'], path: Bytes): FileStat | undefined {
  try {
    return sys.stat(path);
  } catch (error) {
    if (error instanceof SystemError && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function openTarget(sys: ToolContext['sys'], path: Bytes, mode: number, isForced: boolean): number {
  try {
    return sys.open(path, { write: true, create: true, truncate: true }, mode);
  } catch (error) {
    if (!isForced || !(error instanceof SystemError) || error.code !== 'EACCES') throw error;
    sys.unlink(path);
    return sys.open(path, { write: true, create: true, truncate: true }, mode);
  }
}

/** Copies what can be read at once: files do not block. Zeros, of which binaries are made, cost next to nothing. */
export function copyDescriptor(sys: ToolContext['sys'], source: number, target: number): number {
  let total = 0;
  for (let bytes = sys.read(source, 1 << 20); bytes !== undefined && bytes !== ''; bytes = sys.read(source, 1 << 20)) {
    sys.write(target, bytes);
    sys.charge(1 + (bytes.length >> (isZeros(bytes) ? 9 : 6)));
    total += bytes.length;
  }
  return total;
}

const MOVE_OPTIONS = [
  'b',
  'f,force',
  'i,interactive',
  'n,no-clobber',
  't,target-directory:',
  'T,no-target-directory',
  'u,update',
  'v,verbose',
];

export const mv = defineTool(
  (tool) => {
    const options = parseOptions(tool, MOVE_OPTIONS);
    const answer = options.last('f', 'i', 'n');
    const asking = answer === 'i' ? tool.asking() : undefined;
    const { sys, flavour } = asking ?? tool;
    const isGnu = flavour === 'gnu';
    let code = 0;
    for (const [from, to] of planTargets(asking ?? tool, options)) {
      let source: FileStat;
      try {
        source = sys.lstat(from);
      } catch (error) {
        tool.warn(
          isGnu ? `cannot stat ${quoteName(from)}: ${strerror(error)}` : `can't rename '${from}': ${strerror(error)}`,
        );
        code = 1;
        continue;
      }
      try {
        const target = statIfAny(sys, to);
        if (target !== undefined && (answer === 'n' || (options.has('u') && target.modified >= source.modified)))
          continue;
        if (target !== undefined && target.inode === source.inode && sys.realPath(from) === sys.realPath(to)) {
          throw new ToolFailure(
            isGnu
              ? `${quoteName(from)} and ${quoteName(to)} are the same file`
              : `'${from}' and '${to}' are the same file`,
          );
        }
        if (source.type === 'directory' && `${parentPath(sys, to)}/`.startsWith(`${sys.realPath(from)}/`)) {
          throw new ToolFailure(`cannot move ${quoteName(from)} to a subdirectory of itself, ${quoteName(to)}`);
        }
        if (target !== undefined && asking !== undefined && !mayReplace(asking, to)) continue;
        if (asking === undefined) rename(tool, from, to);
        else asking.act(() => rename(tool, from, to));
        if (options.has('v')) tool.out(`${isGnu ? 'renamed ' : ''}${quoteName(from)} -> ${quoteName(to)}\n`);
      } catch (error) {
        code = 1;
        if (error instanceof ToolFailure) tool.warn(error.message);
        else
          tool.warn(
            isGnu
              ? `cannot move ${quoteName(from)} to ${quoteName(to)}: ${strerror(error)}`
              : `can't rename '${from}': ${strerror(error)}`,
          );
      }
    }
    return code;
  },
  { usage: '[OPTION]... SOURCE... DEST' },
);

/** Between file systems a move is a copy and a removal. */
function rename(tool: ToolContext, from: Bytes, to: Bytes): void {
  try {
    tool.sys.rename(from, to);
  } catch (error) {
    if (!(error instanceof SystemError) || error.code !== 'EXDEV') throw error;
    const copy = new Copy(tool, parseOptions({ ...tool, args: ['-a', '-T', from, to] }, COPY_OPTIONS));
    if (copy.run() === 0) removeTree(tool.sys, from);
  }
}

const INSTALL_OPTIONS = [
  'd,directory',
  'D',
  'm,mode:',
  'o,owner:',
  'g,group:',
  'p,preserve-timestamps',
  's',
  't,target-directory:',
  'T',
  'v,verbose',
  'c',
];

export const install = defineTool(
  (tool) => {
    const options = parseOptions(tool, INSTALL_OPTIONS);
    const { sys } = tool;
    const mode = applyMode(options.value('m') ?? '755', 0, false, 0);
    if (mode === undefined) throw new ToolFailure(`invalid mode ${quoteName(options.value('m')!)}`);
    const names = readNames(sys);
    const [owner, group] = [options.value('o'), options.value('g')];
    const finish = (path: Bytes) => {
      sys.chmod(path, mode);
      if (owner === undefined && group === undefined) return;
      const [user, groupId] = [
        owner === undefined ? sys.user : findUser(names, owner),
        group === undefined ? sys.group : findGroup(names, group),
      ];
      if (user === undefined) throw new ToolFailure(`invalid user ${quoteName(owner!)}`);
      if (groupId === undefined) throw new ToolFailure(`invalid group ${quoteName(group!)}`);
      sys.chown(path, user, groupId);
    };
    if (options.has('d')) {
      for (const path of options.operands) {
        makeParents(tool, path, (directory) => sys.makeDirectory(directory, 0o755));
        finish(path);
      }
      return 0;
    }
    const last = options.operands.at(-1);
    if (options.has('D') && last !== undefined) {
      const parent = trimSlashes(options.value('t') ?? parentName(last));
      if (parent !== '') makeParents(tool, parent, (directory) => sys.makeDirectory(directory, 0o755));
    }
    const copies = planTargets(tool, options);
    const copy = new Copy(tool, parseOptions({ ...tool, args: options.has('v') ? ['-v'] : [] }, COPY_OPTIONS));
    for (const [from, to] of copies) {
      copy.copy(from, to);
      finish(to);
    }
    return 0;
  },
  { usage: '[OPTION]... SOURCE... DEST' },
);
