import type { Bytes } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import type { FileStat } from '../../../engine/kernel/files/file.js';
import { formatDate } from '../coreutils/time/date-format.js';
import { makeParents } from '../coreutils/files/make.js';
import { defineFilter, type FilterContext } from '../framework/filter.js';
import { modeLetters } from '../format.js';
import { matchesGlob } from '../patterns/glob.js';
import { trimSlashes } from '../names.js';
import { type Options, quoteName } from '../framework/options.js';
import { strerror, ToolFailure } from '../framework/tool.js';
import { isBzip2, unpackBzip2 } from './bzip2/bzip2.js';
import { isGzip, unzip } from './gzip-format.js';
import type { TarEntry } from './tar-format.js';
import {
  absoluteArchive,
  archivePath,
  changeDirectory,
  endWith,
  readOptions,
  refuse,
  refuseOpen,
  SETTINGS,
  requireBzip2,
} from './tar-options.js';
import { faultOf, newReading, readPiece, type Reading, type TarHandler } from './tar-reader.js';

/** What is done to an entry when its content is there. */
type Made = {
  name: Bytes;
  target: Bytes;
  type: TarEntry['type'];
  mode: number;
  user: number;
  group: number;
  modified: number;
};

/** tar -x and -t between two steps. */
type Extracting = {
  reading: Reading;
  /** A compressed archive is unpacked when all of it is there. */
  packed: Bytes | null;
  isBegun: boolean;
  code: number;
  /** Operands that are in the archive. */
  found: Bytes[];
  /** The entry whose content comes next: it is written to a file, printed, or passed over. */
  entry: Made | null;
  name: Bytes;
  file: number;
  /** A directory's times and mode are set when nothing more is written into it. */
  directories: Made[];
};

/** Bytes of a compressed archive. */
const MAX_PACKED = 16 << 20;
/** What the kernel charges for reading and writing is the most of it. */
const BYTES_PER_STEP = 65_536;
const STDOUT = -2;
const NOWHERE = -1;

export const extraction = defineFilter<Extracting>(
  {
    unit: 'chunk',
    bytesPerStep: BYTES_PER_STEP,
    start(tool) {
      const options = readOptions(tool);
      const archive = absoluteArchive(tool, options);
      changeDirectory(tool, options);
      const isPacked = options.has('z', 'j');
      return {
        files: [archive],
        state: {
          ...{ reading: newReading(), packed: isPacked ? '' : null, isBegun: isPacked, code: 0, found: [] },
          ...{ entry: null, name: '', file: NOWHERE, directories: [] },
        },
      };
    },
    fail: (tool, _state, _path, error) => refuseOpen(tool, archivePath(readOptions(tool)), error),
    take: (tool, state, piece) => new Extraction(tool, readOptions(tool), state).take(piece),
    end: (tool, state) => new Extraction(tool, readOptions(tool), state).end(),
  },
  SETTINGS,
);

class Extraction implements TarHandler {
  constructor(
    private readonly tool: FilterContext,
    private readonly options: Options,
    private readonly state: Extracting,
  ) {}

  take(piece: Bytes): void {
    const { state } = this;
    const { reading } = state;
    if (!state.isBegun && (isGzip(reading.rest + piece) || isBzip2(reading.rest + piece))) {
      state.packed = reading.rest;
      reading.rest = '';
    }
    state.isBegun ||= reading.rest !== '' || piece.length > 1;
    if (state.packed === null) return readPiece(reading, piece, this);
    state.packed += piece;
    if (state.packed.length > MAX_PACKED) throw new ToolFailure('memory exhausted', 2);
  }

  end(): number {
    const { tool, options, state } = this;
    if (state.packed !== null) readPiece(state.reading, this.unpack(state.packed), this);
    this.checkEnd();
    for (const entry of state.directories.reverse()) this.setAttributes(this.nameOf(entry)!, entry);
    for (const operand of options.operands) {
      if (state.found.includes(operand)) continue;
      tool.warn(tool.flavour === 'gnu' ? `${operand}: Not found in archive` : `${operand}: not found in archive`);
      state.code = this.failure;
    }
    return endWith(tool, state.code);
  }

  private get failure(): number {
    return this.tool.flavour === 'gnu' ? 2 : 1;
  }

  private unpack(packed: Bytes): Bytes {
    const { tool } = this;
    const ofBzip2 = isBzip2(packed) || this.options.has('j');
    if (ofBzip2) requireBzip2(tool);
    if (ofBzip2) tool.sys.charge(packed.length << 2);
    const unpacked = ofBzip2 ? unpackBzip2(packed) : unzip(packed);
    if (unpacked !== undefined) return unpacked;
    if (tool.flavour === 'busybox') throw new ToolFailure('invalid magic');
    if (ofBzip2) tool.err('bzip2: (stdin) is not a bzip2 file.\n');
    else tool.err(`\ngzip: stdin: ${packed === '' ? 'unexpected end of file' : 'not in gzip format'}\n`);
    tool.warn('Child returned status 1');
    throw new ToolFailure('Error is not recoverable: exiting now', 2);
  }

  private checkEnd(): void {
    const { tool, state } = this;
    const fault = faultOf(state.reading);
    if (fault === 'truncated') refuse(tool, tool.flavour === 'gnu' ? 'Unexpected EOF in archive' : 'short read');
    if (fault === undefined) return;
    if (tool.flavour === 'busybox') throw new ToolFailure('short read');
    if (!state.reading.hasGarbage) tool.warn('This does not look like a tar archive');
    state.code = this.failure;
  }

  // ---- TarHandler ----

  garbage(isFirst: boolean): void {
    const { tool, state } = this;
    if (tool.flavour === 'busybox') throw new ToolFailure('invalid tar magic');
    if (isFirst) tool.warn('This does not look like a tar archive');
    tool.warn('Skipping to next header');
    state.code = this.failure;
  }

  begin(entry: TarEntry): void {
    const { state, tool, options } = this;
    state.file = NOWHERE;
    state.entry = null;
    if (!this.isSelected(entry)) return;
    if (options.has('t')) return tool.out(`${options.has('v') ? describe(entry) : entry.name}\n`);
    const name = this.nameOf(entry);
    if (name === undefined) return;
    if (name.split('/').includes('..') && !options.has('P')) {
      tool.warn(`${entry.name}: Member name contains '..', skipped`);
      state.code = 2;
      return;
    }
    if (options.has('v')) (options.has('O') ? tool.err : tool.out)(`${entry.name}\n`);
    if (options.has('O')) {
      if (entry.type === 'file') state.file = STDOUT;
      return;
    }
    state.name = name;
    this.attempt(entry, () => {
      this.make(trimSlashes(name) || '.', entry);
      const { type, target, mode, user, group, modified } = entry;
      state.entry = { name: entry.name, target, type, mode, user, group, modified };
    });
  }

  content(bytes: Bytes): void {
    const { tool, state } = this;
    if (state.file === STDOUT) return tool.out(bytes);
    if (state.file === NOWHERE) return;
    try {
      tool.sys.write(state.file, bytes);
    } catch (error) {
      const why = strerror(error);
      if (tool.flavour === 'busybox') throw new ToolFailure(`write error: ${why}`);
      tool.warn(`${state.name}: Cannot write: ${why}`);
      state.code = this.failure;
      this.closeFile();
    }
  }

  finish(): void {
    const { state } = this;
    const { entry, name } = state;
    this.closeFile();
    state.entry = null;
    if (entry === null) return;
    if (entry.type === 'directory') state.directories.push(entry);
    else this.attempt(entry, () => this.setAttributes(name, entry));
  }

  private closeFile(): void {
    const { state, tool } = this;
    if (state.file >= 0) tool.sys.close(state.file);
    state.file = NOWHERE;
  }

  // ---- one entry ----

  private isSelected(entry: TarEntry): boolean {
    const { options, state } = this;
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
    if (match !== undefined && !state.found.includes(match)) state.found.push(match);
    return match !== undefined;
  }

  /** The name without the leading parts that are stripped; undefined when nothing is left. */
  private nameOf(entry: Pick<Made, 'name'>): Bytes | undefined {
    const strip = Number(this.options.value('strip-components') ?? 0);
    const safe = this.options.has('P') ? entry.name : entry.name.replace(/^\/+/, '');
    const rest = strip === 0 ? safe : safe.split('/').slice(strip).join('/');
    return rest === '' ? undefined : rest;
  }

  /** What cannot be made is said, and the rest goes on. */
  private attempt(entry: Pick<TarEntry, 'type' | 'target'>, act: () => void): void {
    const { tool, state } = this;
    const { name } = state;
    try {
      act();
    } catch (error) {
      const message = strerror(error);
      const verb =
        entry.type === 'directory' ? 'mkdir' : entry.type === 'link' ? `symlink to ${quoteName(entry.target)}` : 'open';
      tool.warn(tool.flavour === 'gnu' ? `${name}: Cannot ${verb}: ${message}` : `can't open '${name}': ${message}`);
      state.code = this.failure;
    }
  }

  private make(name: Bytes, entry: TarEntry): void {
    const { sys } = this.tool;
    const makeAll = (path: Bytes) => makeParents(this.tool, path, (one) => sys.makeDirectory(one, 0o777));
    const existing = lstatIfAny(sys, name);
    if (entry.type === 'directory') {
      if (existing === undefined) makeAll(name);
      return;
    }
    if (existing !== undefined) {
      if (this.options.has('k')) throw new SystemError('EEXIST');
      if (existing.type === 'directory') throw new SystemError('EISDIR');
      sys.unlink(name);
    }
    const parent = name.includes('/') ? name.replace(/\/[^/]*$/, '') : '';
    if (parent !== '') makeAll(parent);
    if (entry.type === 'link') sys.symlink(entry.target, name);
    else if (entry.type === 'hardlink') sys.link(entry.target, name);
    else if (entry.type === 'file') {
      this.state.file = sys.open(name, { write: true, create: true, exclusive: true }, entry.mode & 0o777);
    } else sys.makeNode(name, entry.type as 'fifo', entry.mode, entry.device);
  }

  private setAttributes(name: Bytes, entry: Made): void {
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

function lstatIfAny(sys: FilterContext['sys'], path: Bytes): FileStat | undefined {
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
