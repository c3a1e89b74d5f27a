import { makeContext } from '../framework/context.js';
import type { Bytes } from '../../../engine/kernel/bytes.js';
import type { FileStat } from '../../../engine/kernel/files/file.js';
import { exit, type Program, type Wait, waitToRead, YIELD } from '../../../engine/kernel/process/program.js';
import { groupName, type Names, readNames, userName } from '../accounts.js';
import type { FilterContext } from '../framework/filter.js';
import { splitLines } from '../format.js';
import { matchesGlob } from '../patterns/glob.js';
import type { Options } from '../framework/options.js';
import { addOutput, flushOutput, type Output } from '../framework/output.js';
import {
  explainFailure,
  failWrite,
  type Flavour,
  strerror,
  type Tool,
  ToolFailure,
  UsageFailure,
} from '../framework/tool.js';
import { packBzip2 } from './bzip2/bzip2.js';
import { zip } from './gzip-format.js';
import { BLOCK, decodeHeader, encodeEntry, endArchive, NO_EXTRA, padding, type TarEntry } from './tar-format.js';
import {
  absoluteArchive,
  archivePath,
  changeDirectory,
  endWith,
  readOptions,
  refuseOpen,
  SETTINGS,
  requireBzip2,
} from './tar-options.js';

/** tar -c, -r and -u between two steps. */
type Creating = {
  argv: Bytes[];
  phase: 'begin' | 'lists' | 'skip' | 'walk' | 'done';
  /** Files of -T and -X that are to be read, and what was read of the first one. */
  lists: { key: 'T' | 'X'; path: Bytes }[];
  list: { descriptor: number; bytes: Bytes } | null;
  excluded: Bytes[];
  /** Directories whose names are being gone through. */
  folders: { path: Bytes; names: Bytes[]; at: number }[];
  /** The file that is being read, and how many bytes its header has promised. */
  file: { path: Bytes; descriptor: number; left: number; size: number; isShort: boolean } | null;
  archive: number;
  /** Bytes of the archive so far. */
  written: number;
  /** A compressed archive is packed when all of it is there. */
  packed: Bytes | null;
  /** Names of files with several links, by inode. */
  links: Record<string, Bytes>;
  hasToldSlash: boolean;
  failure: number;
  output: Output;
  code: number | null;
};

const STDOUT = 1;
const CHUNK = 65_536;
/** Entries or pieces of files in one step. */
const MAX_PIECES = 8;
/** Headers of an archive that is added to, in one step. */
const MAX_SKIPPED = 256;
/** Bytes of an archive that is packed, and of a list of names. */
const MAX_UNPACKED = 64 << 20;
const MAX_LIST = 16 << 20;
const MAX_FOLDERS = 1_000;

export function creationIn(flavour: Flavour): Program<Creating> {
  return {
    start: (argv) => ({
      ...{ argv: [...argv], phase: 'begin', lists: [], list: null, excluded: [], folders: [], file: null },
      ...{
        archive: STDOUT,
        written: 0,
        packed: null,
        links: {},
        hasToldSlash: false,
        failure: 0,
        output: [],
        code: null,
      },
    }),
    step(state, sys) {
      const tool = makeContext(state, sys, SETTINGS, flavour);
      try {
        for (let pieces = 0; pieces < MAX_PIECES; pieces++) {
          const blocked = flushOutput(state.output, sys);
          if (blocked !== undefined) return blocked;
          if (state.code !== null) return exit(state.code);
          const wait = advance(tool, state);
          if (wait !== undefined) return wait;
        }
        return YIELD;
      } catch (error) {
        return failWrite(state, tool.name, error);
      }
    },
  };
}

export const creation: Tool = {
  ...(creationIn('gnu') as unknown as Program),
  as: (flavour) => ({ ...creation, ...(creationIn(flavour) as unknown as Program) }),
};

function advance(tool: FilterContext, state: Creating): Wait | undefined {
  try {
    return new Creation(tool, readOptions(tool), state).advance();
  } catch (error) {
    state.code = explainFailure(tool, error);
    return undefined;
  }
}

class Creation {
  private names: Names | undefined;

  constructor(
    private readonly tool: FilterContext,
    private readonly options: Options,
    private readonly state: Creating,
  ) {}

  advance(): Wait | undefined {
    switch (this.state.phase) {
      case 'begin':
        return this.begin();
      case 'lists':
        return this.readList();
      case 'skip':
        return this.skipEntries();
      case 'walk':
        return this.state.file === null ? this.addNext() : this.addContent(this.state.file);
      case 'done':
        this.state.code = endWith(this.tool, this.state.failure);
        return undefined;
    }
  }

  private begin(): undefined {
    const { tool, options, state } = this;
    if (options.operands.length === 0 && !options.has('T')) {
      if (tool.flavour === 'busybox') throw new ToolFailure('empty archive');
      throw new UsageFailure('Cowardly refusing to create an empty archive');
    }
    for (const key of ['T', 'X'] as const) for (const path of options.values(key)) state.lists.push({ key, path });
    state.excluded = options.values('exclude');
    state.folders = [{ path: '', names: [...options.operands], at: 0 }];
    state.phase = 'lists';
  }

  private readList(): Wait | undefined {
    const { tool, state } = this;
    const next = state.lists[0];
    if (next === undefined) return this.openArchive();
    state.list ??= { descriptor: next.path === '-' ? 0 : tool.sys.open(next.path, { read: true }), bytes: '' };
    const { list } = state;
    const bytes = tool.sys.read(list.descriptor, CHUNK);
    if (bytes === undefined) return waitToRead(list.descriptor);
    list.bytes += bytes;
    if (list.bytes.length > MAX_LIST) throw new ToolFailure('memory exhausted', 2);
    if (bytes !== '') return undefined;
    if (list.descriptor > 0) tool.sys.close(list.descriptor);
    (next.key === 'X' ? state.excluded : state.folders[0]!.names).push(...splitLines(list.bytes));
    state.lists.shift();
    state.list = null;
    return undefined;
  }

  private openArchive(): undefined {
    const { tool, options, state } = this;
    const path = absoluteArchive(tool, options);
    const adds = options.has('r', 'u');
    if (path !== '-') {
      try {
        state.archive = tool.sys.open(path, { read: adds, write: true, create: true, truncate: !adds });
      } catch (error) {
        refuseOpen(tool, archivePath(options), error);
      }
    }
    changeDirectory(tool, options);
    if (options.has('z', 'j') || (options.has('a') && /\.(?:t?gz|tbz2?|bz2)$/.test(path))) state.packed = '';
    state.phase = adds && path !== '-' ? 'skip' : 'walk';
  }

  /** -r: what is added begins where the entries end. */
  private skipEntries(): undefined {
    const { tool, state } = this;
    const { sys } = tool;
    for (let i = 0; i < MAX_SKIPPED; i++) {
      sys.seek(state.archive, state.written, 'start');
      const header = sys.read(state.archive, BLOCK) ?? '';
      const block = header.length < BLOCK ? { type: 'end' as const } : decodeHeader(header, NO_EXTRA);
      if (block === undefined) {
        tool.warn('This does not look like a tar archive');
        throw new ToolFailure('Error is not recoverable: exiting now', 2);
      }
      if (block.type === 'end') {
        sys.seek(state.archive, state.written, 'start');
        sys.truncate(state.archive, state.written);
        state.phase = 'walk';
        return;
      }
      const size = block.type === 'entry' ? block.entry.size : block.size;
      state.written += BLOCK + size + padding(size);
    }
  }

  // ---- entries ----

  private addNext(): undefined {
    const { state } = this;
    const folder = state.folders.at(-1);
    if (folder === undefined) return this.finish();
    const name = folder.names[folder.at++];
    if (name === undefined) {
      state.folders.pop();
      return;
    }
    const isInside = state.folders.length > 1;
    this.add(isInside ? `${folder.path}${folder.path.endsWith('/') ? '' : '/'}${name}` : name);
  }

  private add(path: Bytes): void {
    const { tool, options, state } = this;
    const { sys } = tool;
    const base = path.replace(/\/$/, '').replace(/^.*\//s, '');
    const isExcluded = (glob: Bytes) =>
      matchesGlob(glob, path) || matchesGlob(glob, base) || matchesGlob(`*/${glob}`, path);
    if (state.excluded.some(isExcluded)) return;
    try {
      const stat = options.has('h') ? sys.stat(path) : sys.lstat(path);
      if (this.isArchive(stat)) return this.passOver(path);
      this.addEntry(path, stat);
      sys.charge(5);
    } catch (error) {
      this.failPath(path, error);
    }
  }

  /** Throws SystemError before anything is written. */
  private addEntry(path: Bytes, stat: FileStat): void {
    const { tool, options, state } = this;
    const { sys } = tool;
    const entry = this.describe(path, stat);
    const hasContent = entry.type === 'file' && entry.size > 0;
    const descriptor = hasContent ? sys.open(path, { read: true }) : -1;
    const names = stat.type === 'directory' && !options.has('no-recursion') ? [...sys.readDirectory(path)] : [];
    this.emit(encodeEntry(entry));
    if (options.has('v')) this.tell(`${stat.type === 'directory' ? `${path.replace(/\/$/, '')}/` : path}\n`);
    if (hasContent) state.file = { path, descriptor, left: entry.size, size: entry.size, isShort: false };
    if (names.length === 0) return;
    if (state.folders.length >= MAX_FOLDERS) throw new ToolFailure('memory exhausted', 2);
    state.folders.push({ path, names, at: 0 });
  }

  /** An archive is not put into itself. */
  private isArchive(stat: FileStat): boolean {
    const { state, tool } = this;
    if (state.archive === STDOUT) return false;
    const own = tool.sys.fstat(state.archive);
    return own.inode === stat.inode && own.fileSystem === stat.fileSystem;
  }

  private passOver(path: Bytes): void {
    const { tool } = this;
    tool.warn(`${path}: file is the archive; ${tool.flavour === 'gnu' ? 'not dumped' : 'skipping'}`);
  }

  private failPath(path: Bytes, error: unknown): void {
    const { tool, state } = this;
    const message = strerror(error);
    const verb = message === 'No such file or directory' ? 'stat' : 'open';
    tool.warn(tool.flavour === 'gnu' ? `${path}: Cannot ${verb}: ${message}` : `${path}: ${message}`);
    state.failure = tool.flavour === 'gnu' ? 2 : 1;
  }

  /** A file that has become shorter is filled up to the size that its header has. */
  private addContent(file: NonNullable<Creating['file']>): Wait | undefined {
    const { tool, state } = this;
    const bytes = tool.sys.read(file.descriptor, Math.min(CHUNK, file.left));
    if (bytes === undefined) return waitToRead(file.descriptor);
    if (bytes === '') this.tellShrunk(file);
    const piece = bytes === '' ? '\0'.repeat(Math.min(CHUNK, file.left)) : bytes;
    this.emit(piece);
    file.left -= piece.length;
    if (file.left > 0) return undefined;
    this.emit('\0'.repeat(padding(file.size)));
    tool.sys.close(file.descriptor);
    state.file = null;
    return undefined;
  }

  private tellShrunk(file: NonNullable<Creating['file']>): void {
    const { tool, state } = this;
    if (tool.flavour === 'busybox') throw new ToolFailure('short read');
    if (!file.isShort) tool.warn(`${file.path}: File shrank by ${file.left} bytes; padding with zeros`);
    file.isShort = true;
    state.failure = Math.max(state.failure, 1);
  }

  private finish(): undefined {
    const { state } = this;
    this.emit(endArchive(state.written));
    if (state.packed !== null) addOutput(state.output, state.archive, this.pack(state.packed));
    state.phase = 'done';
  }

  private pack(bytes: Bytes): Bytes {
    const { options } = this;
    const isBzip2 = options.has('j') || (!options.has('z') && /\.(?:tbz2?|bz2)$/.test(archivePath(options)));
    if (!isBzip2) return zip(bytes);
    requireBzip2(this.tool);
    this.tool.sys.charge(bytes.length << 2);
    const packed = packBzip2(bytes);
    if (packed === undefined) throw new ToolFailure('memory exhausted', 2);
    return packed;
  }

  private emit(bytes: Bytes): void {
    const { state } = this;
    state.written += bytes.length;
    if (state.packed === null) return addOutput(state.output, state.archive, bytes);
    state.packed += bytes;
    if (state.packed.length > MAX_UNPACKED) throw new ToolFailure('memory exhausted', 2);
  }

  /** The list goes to standard error when the archive goes to standard output. */
  private tell(line: Bytes): void {
    if (archivePath(this.options) === '-') this.tool.err(line);
    else this.tool.out(line);
  }

  private describe(path: Bytes, stat: FileStat): TarEntry {
    const { tool, options } = this;
    this.names ??= readNames(tool.sys);
    const { names } = this;
    const name = this.relativeName(stat.type === 'directory' ? `${path.replace(/\/$/, '')}/` : path);
    const first = this.firstName(stat, name);
    const isNumeric = options.has('numeric-owner');
    return {
      name,
      type: first === undefined ? stat.type : 'hardlink',
      mode: stat.mode,
      user: stat.user,
      group: stat.group,
      userName: options.value('owner') ?? (isNumeric ? '' : nameOrNothing(userName(names, stat.user))),
      groupName: options.value('group') ?? (isNumeric ? '' : nameOrNothing(groupName(names, stat.group))),
      size: stat.type === 'file' && first === undefined ? stat.size : 0,
      modified: Math.floor(stat.modified / 1_000),
      device: stat.device,
      target: first ?? (stat.type === 'link' ? tool.sys.readLink(path) : ''),
    };
  }

  /** The name under which a file of several links is in the archive already. */
  private firstName(stat: FileStat, name: Bytes): Bytes | undefined {
    if (stat.type !== 'file' || stat.links < 2) return undefined;
    const { links } = this.state;
    const key = `${stat.fileSystem} ${stat.inode}`;
    const known = links[key];
    links[key] ??= name;
    return known;
  }

  private relativeName(path: Bytes): Bytes {
    const { tool, options, state } = this;
    if (!path.startsWith('/') || options.has('P')) return path;
    const gnu = `${tool.name}: Removing leading \`/' from member names\n`;
    if (!state.hasToldSlash) tool.err(tool.flavour === 'gnu' ? gnu : "tar: removing leading '/' from member names\n");
    state.hasToldSlash = true;
    return path.replace(/^\/+/, '') || './';
  }
}

const nameOrNothing = (name: Bytes) => (/^\d+$/.test(name) ? '' : name);
