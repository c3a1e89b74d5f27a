import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import type { FileStat } from '../../../../engine/kernel/files/file.js';
import { UsageFailure } from '../../framework/failure.js';
import { type Options, parseOptions, quoteName } from '../../framework/options.js';
import { type AskingContext, type ToolContext, defineTool, strerror } from '../../framework/tool.js';
import { copyDescriptor } from './content.js';
import { isDirectoryAt } from './make.js';
import { joinPath, mayReplace, parentPath, planTargets, statIfAny } from './targets.js';

/** Of cp. */
export const COPY_OPTIONS = [
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
    'u',
    'update::',
    'v,verbose',
    'x,one-file-system',
    'remove-destination',
  ],
];

export const cp = defineTool(
  (tool) => {
    const options = parseOptions(tool, COPY_OPTIONS);
    updateOf(options);
    const asking = options.last('n', 'i') === 'i' ? tool.asking() : undefined;
    return new Copy(tool, options, asking).run();
  },
  { usage: '[OPTION]... SOURCE... DEST' },
);

const UPDATES: readonly string[] = ['all', 'none', 'none-fail', 'older'];

/** Which files that are there already are replaced. Throws ToolFailure. */
function updateOf(options: Options): string {
  if (!options.has('update')) return options.has('u') ? 'older' : 'all';
  const update = options.value('update') || 'older';
  if (UPDATES.includes(update)) return update;
  const valid = UPDATES.map((one) => `  - ${quoteName(one)}\n`).join('');
  throw new UsageFailure(
    `invalid argument ${quoteName(update)} for ${quoteName('--update')}\nValid arguments are:\n${valid}`.trimEnd(),
  );
}

/** What cp does, and mv between file systems, and install. */
export class Copy {
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
      const update = updateOf(options);
      if (update === 'none-fail') return this.fail(`not replacing ${quoteName(to)}`);
      if (options.last('n', 'i') === 'n' || update === 'none') return;
      if (update === 'older' && existing.modified >= stat.modified) return;
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

function openTarget(sys: ToolContext['sys'], path: Bytes, mode: number, isForced: boolean): number {
  try {
    return sys.open(path, { write: true, create: true, truncate: true }, mode);
  } catch (error) {
    if (!isForced || !(error instanceof SystemError) || error.code !== 'EACCES') throw error;
    sys.unlink(path);
    return sys.open(path, { write: true, create: true, truncate: true }, mode);
  }
}
