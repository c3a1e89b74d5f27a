import type { Bytes } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import type { FileStat } from '../../../engine/kernel/files/file.js';
import { groupName, type Names, readNames, userName } from '../accounts.js';
import { formatDate } from '../coreutils/date-format.js';
import { makeParents } from '../coreutils/make.js';
import { writeFile } from '../coreutils/sort.js';
import { modeLetters, splitLines } from '../format.js';
import { matchesGlob } from '../glob.js';
import { type Options, parseOptions, quoteName } from '../options.js';
import { defineTool, strerror, type ToolContext, ToolFailure, UsageFailure } from '../tool.js';
import { isGzip, unzip, zip } from './gzip-format.js';
import { decodeArchive, encodeEntry, endArchive, type TarEntry } from './tar-format.js';
import { trimSlashes } from '../names.js';

const OPTIONS = [
  ...[
    'c,create',
    'x,extract,get',
    't,list',
    'r,append',
    'u,update',
    'f,file:',
    'v,verbose',
    'z,gzip,gunzip',
    'j,bzip2',
    'J,xz',
  ],
  ...[
    'C,directory:',
    'p,preserve-permissions,same-permissions',
    'o,no-same-owner',
    'O,to-stdout',
    'k,keep-old-files',
    'm,touch',
  ],
  ...[
    'h,dereference',
    'T,files-from:',
    'X,exclude-from:',
    'P,absolute-names',
    'a,auto-compress',
    'n',
    'strip-components:',
  ],
  ...[
    'exclude:',
    'same-owner',
    'no-same-permissions',
    'overwrite',
    'numeric-owner',
    'owner:',
    'group:',
    'mode:',
    'mtime:',
    'sort:',
  ],
  ...[
    'format:',
    'wildcards',
    'no-recursion',
    'transform:',
    'warning:',
    'totals',
    'one-file-system',
    'keep-directory-symlink',
  ],
  ...['skip-old-files', 'no-overwrite-dir', 'no-wildcards', 'one-top-level::'],
];
const SETTINGS = {
  usage: '[OPTION...] [FILE]...',
  usageCode: 2,
  version: 'tar (GNU tar) 1.34',
  otherHelp: " or 'tar --usage'",
};

export const tar = defineTool((tool) => {
  const args = [...tool.args];
  // `tar xzf a.tar`: the first word may be letters without a dash, their values follow.
  if (args.length > 0 && !args[0]!.startsWith('-')) args.splice(0, 1, ...expandLetters(args.shift()!, args));
  const options = parseOptions({ ...tool, args }, OPTIONS);
  const modes = ['c', 'x', 't', 'r', 'u'].filter((mode) => options.has(mode));
  if (modes.length === 0) {
    throw new UsageFailure(
      tool.flavour === 'gnu' ? "You must specify one of the '-Acdtrux', '--delete' or '--test-label' options" : '',
    );
  }
  if (modes.length > 1)
    throw new UsageFailure("You may not specify more than one '-Acdtrux', '--delete' or  '--test-label' option");
  if (options.has('j', 'J'))
    throw new ToolFailure(`${options.has('j') ? 'bzip2' : 'xz'}: Cannot exec: No such file or directory`, 2);
  return modes[0] === 'x' || modes[0] === 't' ? new Extraction(tool, options).run() : new Creation(tool, options).run();
}, SETTINGS);

/** The letters' values are taken from the words behind, in the letters' order. */
function expandLetters(letters: Bytes, rest: Bytes[]): Bytes[] {
  const words: Bytes[] = [];
  for (const letter of letters) {
    words.push(`-${letter}`);
    if ('fCTX'.includes(letter)) {
      const value = rest.shift();
      if (value !== undefined) words.push(value);
    }
  }
  return [...words, ...rest.splice(0)];
}

const archivePath = (options: Options) => options.value('f') ?? '-';

function refuse(tool: ToolContext, message: Bytes): never {
  if (tool.flavour === 'busybox') throw new ToolFailure(message);
  tool.warn(message);
  throw new ToolFailure('Error is not recoverable: exiting now', 2);
}

class Creation {
  private output = '';
  private code = 0;
  private hasToldSlash = false;
  private readonly names: Names;
  private readonly links = new Map<string, Bytes>();

  constructor(
    private readonly tool: ToolContext,
    private readonly options: Options,
  ) {
    this.names = readNames(tool.sys);
  }

  run(): number {
    const { tool, options } = this;
    const listed = options.values('T').flatMap((path) => splitLines(tool.input(path)));
    const paths = [...options.operands, ...listed];
    if (paths.length === 0 && !options.has('T')) {
      if (tool.flavour === 'busybox') throw new ToolFailure('empty archive');
      throw new UsageFailure('Cowardly refusing to create an empty archive');
    }
    const before = this.readExisting();
    const start = tool.sys.cwd();
    const target = archivePath(options);
    const archive = target === '-' || target.startsWith('/') ? target : `${start}/${target}`;
    this.changeDirectory();
    for (const path of paths) this.add(path);
    tool.sys.chdir(start);
    const whole = before + this.output;
    const bytes = whole + endArchive(whole.length);
    const isPacked = options.has('z') || (options.has('a') && /\.t?gz$/.test(target));
    const packed = isPacked ? zip(bytes) : bytes;
    if (archive === '-') tool.out(packed);
    else this.write(target, packed);
    if (this.code !== 0 && tool.flavour === 'gnu') tool.warn('Exiting with failure status due to previous errors');
    return this.code;
  }

  private write(path: Bytes, bytes: Bytes): void {
    try {
      writeFile(this.tool, path, bytes);
    } catch (error) {
      refuse(
        this.tool,
        this.tool.flavour === 'gnu'
          ? `${path}: Cannot open: ${strerror(error)}`
          : `can't open '${path}': ${strerror(error)}`,
      );
    }
  }

  /** -r: the entries that are there, without the end. */
  private readExisting(): Bytes {
    if (!this.options.has('r', 'u')) return '';
    return decodeArchive(this.tool.input(archivePath(this.options)))
      .entries.map(encodeEntry)
      .join('');
  }

  private changeDirectory(): void {
    for (const directory of this.options.values('C')) {
      try {
        this.tool.sys.chdir(directory);
      } catch (error) {
        refuse(
          this.tool,
          this.tool.flavour === 'gnu'
            ? `${directory}: Cannot open: ${strerror(error)}`
            : `can't change directory to '${directory}': ${strerror(error)}`,
        );
      }
    }
  }

  private add(path: Bytes): void {
    const { tool, options } = this;
    const { sys } = tool;
    const excluded = [
      ...options.values('exclude'),
      ...options.values('X').flatMap((file) => splitLines(tool.input(file))),
    ];
    const base = path.replace(/\/$/, '').replace(/^.*\//s, '');
    if (excluded.some((glob) => matchesGlob(glob, path) || matchesGlob(glob, base) || matchesGlob(`*/${glob}`, path)))
      return;
    let stat: FileStat;
    try {
      stat = options.has('h') ? sys.stat(path) : sys.lstat(path);
      this.output += encodeEntry(this.describe(path, stat));
    } catch (error) {
      const message = strerror(error);
      const gnu =
        message === 'No such file or directory'
          ? `${path}: Cannot stat: ${message}`
          : `${path}: Cannot open: ${message}`;
      tool.warn(tool.flavour === 'gnu' ? gnu : `${path}: ${message}`);
      this.code = tool.flavour === 'gnu' ? 2 : 1;
      return;
    }
    sys.charge(5 + (stat.size >> 5));
    if (this.output.length > 64 << 20) throw new ToolFailure('memory exhausted', 2);
    if (options.has('v')) this.tell(`${stat.type === 'directory' ? `${path.replace(/\/$/, '')}/` : path}\n`);
    if (stat.type !== 'directory' || options.has('no-recursion')) return;
    for (const name of sys.readDirectory(path)) this.add(path.endsWith('/') ? path + name : `${path}/${name}`);
  }

  /** The list goes to standard error when the archive goes to standard output. */
  private tell(line: Bytes): void {
    if (archivePath(this.options) === '-') this.tool.err(line);
    else this.tool.out(line);
  }

  private describe(path: Bytes, stat: FileStat): TarEntry {
    const { tool, options, names } = this;
    const isDirectory = stat.type === 'directory';
    const name = this.relativeName(isDirectory ? `${path.replace(/\/$/, '')}/` : path);
    const key = `${stat.fileSystem} ${stat.inode}`;
    const first = stat.type === 'file' && stat.links > 1 ? this.links.get(key) : undefined;
    if (stat.type === 'file' && stat.links > 1 && first === undefined) this.links.set(key, name);
    const content = stat.type === 'file' && first === undefined ? tool.input(path) : '';
    return {
      ...{
        name,
        type: first === undefined ? stat.type : 'hardlink',
        mode: stat.mode,
        user: stat.user,
        group: stat.group,
      },
      userName:
        options.value('owner') ?? (options.has('numeric-owner') ? '' : nameOrNothing(userName(names, stat.user))),
      groupName:
        options.value('group') ?? (options.has('numeric-owner') ? '' : nameOrNothing(groupName(names, stat.group))),
      ...{ size: content.length, modified: Math.floor(stat.modified / 1_000), device: stat.device, content },
      target: first ?? (stat.type === 'link' ? tool.sys.readLink(path) : ''),
    };
  }

  private relativeName(path: Bytes): Bytes {
    if (!path.startsWith('/') || this.options.has('P')) return path;
    if (!this.hasToldSlash) {
      const text = "removing leading '/' from member names";
      this.tool.err(
        this.tool.flavour === 'gnu' ? `${this.tool.name}: Removing leading \`/' from member names\n` : `tar: ${text}\n`,
      );
    }
    this.hasToldSlash = true;
    return path.replace(/^\/+/, '') || './';
  }
}

const nameOrNothing = (name: Bytes) => (/^\d+$/.test(name) ? '' : name);

class Extraction {
  private code = 0;
  private readonly found = new Set<Bytes>();

  constructor(
    private readonly tool: ToolContext,
    private readonly options: Options,
  ) {}

  run(): number {
    const { tool, options } = this;
    const entries = this.readArchive();
    const start = tool.sys.cwd();
    for (const directory of options.values('C')) {
      try {
        tool.sys.chdir(directory);
      } catch (error) {
        refuse(
          tool,
          tool.flavour === 'gnu'
            ? `${directory}: Cannot open: ${strerror(error)}`
            : `can't change directory to '${directory}': ${strerror(error)}`,
        );
      }
    }
    const directories: TarEntry[] = [];
    for (const entry of entries) if (this.isSelected(entry)) this.take(entry, directories);
    // A directory's times and mode are set when nothing more is written into it.
    for (const entry of directories.reverse()) this.finish(this.nameOf(entry)!, entry);
    for (const operand of options.operands) {
      if (this.found.has(operand)) continue;
      tool.warn(tool.flavour === 'gnu' ? `${operand}: Not found in archive` : `${operand}: not found in archive`);
      this.code = tool.flavour === 'gnu' ? 2 : 1;
    }
    if (this.code !== 0 && tool.flavour === 'gnu') tool.warn('Exiting with failure status due to previous errors');
    tool.sys.chdir(start);
    return this.code;
  }

  private readArchive(): TarEntry[] {
    const { tool, options } = this;
    const path = archivePath(options);
    let bytes: Bytes;
    try {
      bytes = tool.input(path);
    } catch (error) {
      refuse(
        tool,
        tool.flavour === 'gnu'
          ? `${path}: Cannot open: ${strerror(error)}`
          : `can't open '${path}': ${strerror(error)}`,
      );
    }
    if (options.has('z') || isGzip(bytes)) {
      const unpacked = unzip(bytes);
      if (unpacked === undefined) {
        if (tool.flavour === 'busybox') throw new ToolFailure('invalid magic');
        tool.err(`\ngzip: stdin: ${bytes === '' ? 'unexpected end of file' : 'not in gzip format'}\n`);
        tool.warn('Child returned status 1');
        throw new ToolFailure('Error is not recoverable: exiting now', 2);
      }
      bytes = unpacked;
    }
    const { entries, fault } = decodeArchive(bytes);
    if (fault === 'truncated') refuse(tool, tool.flavour === 'gnu' ? 'Unexpected EOF in archive' : 'short read');
    if (fault === 'not-an-archive') {
      if (tool.flavour === 'busybox') throw new ToolFailure('invalid tar magic');
      tool.warn('This does not look like a tar archive');
      tool.warn('Exiting with failure status due to previous errors');
      throw new ToolFailure('', 2);
    }
    return entries;
  }

  private isSelected(entry: TarEntry): boolean {
    const { options } = this;
    const name = entry.name.replace(/\/$/, '');
    if (options.values('exclude').some((glob) => matchesGlob(glob, name) || matchesGlob(`*/${glob}`, name)))
      return false;
    if (options.operands.length === 0) return true;
    const match = options.operands.find((operand) => {
      const wanted = operand.replace(/\/$/, '');
      return (
        name === wanted || name.startsWith(`${wanted}/`) || (options.has('wildcards') && matchesGlob(wanted, name))
      );
    });
    if (match !== undefined) this.found.add(match);
    return match !== undefined;
  }

  /** The name without the leading parts that are stripped; undefined when nothing is left. */
  private nameOf(entry: TarEntry): Bytes | undefined {
    const strip = Number(this.options.value('strip-components') ?? 0);
    const safe = this.options.has('P') ? entry.name : entry.name.replace(/^\/+/, '');
    const parts = safe.split('/');
    if (strip === 0) return safe === '' ? undefined : safe;
    const rest = parts.slice(strip).join('/');
    return rest === '' ? undefined : rest;
  }

  private take(entry: TarEntry, directories: TarEntry[]): void {
    const { tool, options } = this;
    const name = this.nameOf(entry);
    if (options.has('t')) {
      const isVerbose = options.has('v');
      tool.out(`${isVerbose ? describe(entry) : entry.name}\n`);
      return;
    }
    if (name === undefined) return;
    const isEscape = name.split('/').includes('..') && !options.has('P');
    if (isEscape) {
      tool.warn(`${entry.name}: Member name contains '..', skipped`);
      this.code = 2;
      return;
    }
    if (options.has('v')) (options.has('O') ? tool.err : tool.out)(`${entry.name}\n`);
    if (options.has('O')) {
      if (entry.type === 'file') tool.out(entry.content);
      return;
    }
    try {
      this.extract(trimSlashes(name) || '.', entry);
      if (entry.type === 'directory') directories.push(entry);
      else this.finish(name, entry);
    } catch (error) {
      const message = strerror(error);
      const verb =
        entry.type === 'directory' ? 'mkdir' : entry.type === 'link' ? `symlink to ${quoteName(entry.target)}` : 'open';
      tool.warn(
        tool.flavour === 'gnu'
          ? `${name}: Cannot ${verb === 'symlink to' ? 'create symlink' : verb}: ${message}`
          : `can't open '${name}': ${message}`,
      );
      this.code = tool.flavour === 'gnu' ? 2 : 1;
    }
  }

  private extract(name: Bytes, entry: TarEntry): void {
    const { sys } = this.tool;
    const existing = lstatIfAny(sys, name);
    if (entry.type === 'directory') {
      if (existing === undefined) makeParents(this.tool, name, (path) => sys.makeDirectory(path, 0o777));
      return;
    }
    if (existing !== undefined) {
      if (this.options.has('k')) throw new SystemError('EEXIST');
      if (existing.type === 'directory') throw new SystemError('EISDIR');
      sys.unlink(name);
    }
    const parent = name.includes('/') ? name.replace(/\/[^/]*$/, '') : '';
    if (parent !== '') makeParents(this.tool, parent, (path) => sys.makeDirectory(path, 0o777));
    if (entry.type === 'link') sys.symlink(entry.target, name);
    else if (entry.type === 'hardlink') sys.link(entry.target, name);
    else if (entry.type === 'file') {
      const descriptor = sys.open(name, { write: true, create: true, exclusive: true }, entry.mode & 0o777);
      sys.write(descriptor, entry.content);
      sys.close(descriptor);
    } else sys.makeNode(name, entry.type as 'fifo', entry.mode, entry.device);
  }

  private finish(name: Bytes, entry: TarEntry): void {
    const { tool, options } = this;
    const { sys } = tool;
    if (entry.type === 'link' || entry.type === 'hardlink') return;
    const isRoot = sys.user === 0;
    if (isRoot && !options.has('o')) sys.chown(name, entry.user, entry.group);
    const keepsMode = isRoot || options.has('p');
    sys.chmod(name, keepsMode ? entry.mode & 0o7777 : entry.mode & 0o777 & ~sys.umask());
    if (!options.has('m')) sys.setTimes(name, sys.now, entry.modified * 1_000);
  }
}

function lstatIfAny(sys: ToolContext['sys'], path: Bytes): FileStat | undefined {
  try {
    return sys.lstat(path);
  } catch (error) {
    if (error instanceof SystemError && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return undefined;
    throw error;
  }
}

function describe(entry: TarEntry): Bytes {
  const type = entry.type === 'hardlink' ? 'file' : entry.type;
  const letters = modeLetters(type, entry.mode);
  const owner = `${entry.userName || entry.user}/${entry.groupName || entry.group}`;
  const size = String(entry.size).padStart(Math.max(1, 19 - owner.length - 1));
  const link =
    entry.type === 'link' ? ` -> ${entry.target}` : entry.type === 'hardlink' ? ` link to ${entry.target}` : '';
  const shown = entry.type === 'hardlink' ? `h${letters.slice(1)}` : letters;
  return `${shown} ${owner} ${size} ${formatDate('%Y-%m-%d %H:%M', entry.modified * 1_000)} ${entry.name}${link}`;
}
