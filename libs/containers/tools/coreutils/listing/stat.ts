import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { FileStat, FileSystemStat } from '../../../../engine/kernel/files/file.js';
import { groupName, readNames, userName } from '../../accounts.js';
import { humanSize, modeLetters, unescapeBytes } from '../../format.js';
import { parseOptions, quoteName, requireOperands } from '../../framework/options.js';
import { defineTool, strerror, type ToolContext } from '../../framework/tool.js';
import { formatDate } from '../time/date-format.js';

const TYPES: Readonly<Record<FileStat['type'], string>> = {
  ...{ file: 'regular file', directory: 'directory', link: 'symbolic link', fifo: 'fifo', socket: 'socket' },
  ...{ char: 'character special file', block: 'block special file' },
};
const FORMAT = [
  '  File: %N',
  '  Size: %-10s\tBlocks: %-10b IO Block: %-6o %F',
  'Device: %Hd,%Ld\tInode: %-11i Links: %h',
  'Access: (%04a/%A)  Uid: (%5u/%8U)   Gid: (%5g/%8G)',
  'Access: %x',
  'Modify: %y',
  'Change: %z',
  ' Birth: %w',
  '',
].join('\n');
const FILE_SYSTEM_FORMAT = [
  '  File: "%n"',
  '    ID: 0        Namelen: 255     Type: %T',
  'Block size: 4096       Fundamental block size: 4096',
  'Blocks: Total: %-10b Free: %-10f Available: %a',
  'Inodes: Total: %-10c Free: %d',
  '',
].join('\n');

export const stat = defineTool(
  (tool) => {
    const options = parseOptions(tool, [
      'c,format:',
      'f,file-system',
      'L,dereference',
      't,terse',
      'printf:',
      'cached:',
    ]);
    requireOperands(tool, options.operands);
    const format = options.value('c') ?? options.value('printf');
    let code = 0;
    for (const path of options.operands) {
      try {
        const line = options.has('f')
          ? describeSystem(tool, path, format)
          : describeFile(tool, path, format, options.has('L'), options.has('t'));
        if (options.has('printf')) tool.out(unescapeBytes(line, true).bytes);
        else tool.out(format === undefined && !options.has('t') ? line : `${line}\n`);
      } catch (error) {
        const message = strerror(error);
        const what = options.has('f') ? 'cannot read file system information for' : 'cannot statx';
        tool.warn(
          tool.flavour === 'gnu' ? `${what} ${quoteName(path)}: ${message}` : `can't stat '${path}': ${message}`,
        );
        code = 1;
      }
    }
    return code;
  },
  { usage: '[OPTION]... FILE...' },
);

/** Fills `%` directives with their flags and widths. */
function fill(format: Bytes, valueOf: (letter: string) => Bytes | undefined): Bytes {
  return format.replace(
    /%([-#+0 ]{0,5})(\d{0,5})(?:\.\d{1,5})?([HL]?[a-zA-Z%])/g,
    (whole, flags: string, width: string, letter: string) => {
      if (letter === '%') return '%';
      const value = valueOf(letter);
      if (value === undefined) return whole;
      if (flags.includes('-')) return value.padEnd(Number(width || 0));
      return value.padStart(Number(width || 0), flags.includes('0') ? '0' : ' ');
    },
  );
}

function describeFile(
  tool: ToolContext,
  path: Bytes,
  format: Bytes | undefined,
  follows: boolean,
  isTerse: boolean,
): Bytes {
  const { sys } = tool;
  const file = follows ? sys.stat(path) : sys.lstat(path);
  const names = readNames(sys);
  const time = (at: number) => formatDate('%F %T.%N %z', at);
  const seconds = (at: number) => String(Math.floor(at / 1_000));
  const type = file.type === 'file' && file.size === 0 ? 'regular empty file' : TYPES[file.type];
  const major = String(deviceOf(file.fileSystem));
  const values = (letter: string): Bytes | undefined => {
    switch (letter) {
      case 'a':
        return file.mode.toString(8);
      case 'A':
        return modeLetters(file.type, file.mode);
      case 'b':
        return String(file.blocks);
      case 'B':
        return '512';
      case 'd':
      case 'Ld':
        return major;
      case 'D':
        return Number(major).toString(16);
      case 'Hd':
        return '0';
      case 'f':
        return (modeBits(file) | file.mode).toString(16);
      case 'F':
        return type;
      case 'g':
        return String(file.group);
      case 'G':
        return groupName(names, file.group);
      case 'h':
        return String(file.links);
      case 'i':
        return String(file.inode);
      case 'm':
        return mountPointOf(tool, path);
      case 'n':
        return path;
      case 'N':
        return file.type === 'link'
          ? `${quoted(format, path)} -> ${quoted(format, sys.readLink(path))}`
          : quoted(format, path);
      case 'o':
        return '4096';
      case 's':
        return String(file.size);
      case 't':
        return file.device[0].toString(16);
      case 'T':
        return file.device[1].toString(16);
      case 'u':
        return String(file.user);
      case 'U':
        return userName(names, file.user);
      case 'w':
        return time(file.changed);
      case 'W':
        return seconds(file.changed);
      case 'x':
        return time(file.accessed);
      case 'X':
        return seconds(file.accessed);
      case 'y':
        return time(file.modified);
      case 'Y':
        return seconds(file.modified);
      case 'z':
        return time(file.changed);
      case 'Z':
        return seconds(file.changed);
      default:
        return undefined;
    }
  };
  const terse = '%n %s %b %f %u %g %D %i %h %t %T %X %Y %Z %W %o';
  return fill(format ?? (isTerse ? terse : FORMAT), values);
}

/** The default form shows names bare, `%N` of a format quotes them. */
const quoted = (format: Bytes | undefined, name: Bytes) => (format === undefined ? name : quoteName(name));

function modeBits({ type }: FileStat): number {
  return {
    fifo: 0o10000,
    char: 0o20000,
    directory: 0o40000,
    block: 0o60000,
    file: 0o100000,
    link: 0o120000,
    socket: 0o140000,
  }[type];
}

/** A number that is the same for all files of a file system. */
function deviceOf(fileSystem: string): number {
  let hash = 0;
  for (const c of fileSystem) hash = (hash * 31 + c.charCodeAt(0)) % 200;
  return 40 + hash;
}

function mountPointOf({ sys }: ToolContext, path: Bytes): Bytes {
  const real = sys.realPath(path);
  const points = sys.mounts().map((mount) => mount.path);
  const above = points.filter((point) => point === '/' || real === point || real.startsWith(`${point}/`));
  return above.sort((a, b) => b.length - a.length)[0] ?? '/';
}

function describeSystem(tool: ToolContext, path: Bytes, format: Bytes | undefined): Bytes {
  const system: FileSystemStat = tool.sys.statFileSystem(path);
  const blocks = (bytes: number) => String(Math.floor(bytes / 4_096));
  const types: Readonly<Record<string, string>> = { overlay: 'overlayfs', ext4: 'ext2/ext3' };
  const values: Readonly<Record<string, Bytes>> = {
    ...{
      n: path,
      T: types[system.type] ?? system.type,
      b: blocks(system.total),
      f: blocks(system.total - system.used),
    },
    ...{ a: blocks(system.available), c: String(system.inodes), d: String(system.inodes - system.inodesUsed) },
    ...{ s: '4096', S: '4096', l: '255' },
  };
  return fill(format ?? FILE_SYSTEM_FORMAT, (letter) => values[letter]);
}

const DF_OPTIONS = [
  ...[
    'a,all',
    'B,block-size:',
    'h,human-readable',
    'H,si',
    'i,inodes',
    'k',
    'l,local',
    'm',
    'P,portability',
    'T,print-type',
  ],
  ...['t,type:', 'x,exclude-type:', 'total', 'output::', 'sync', 'no-sync'],
];
/** Without a size of their own; `df` does not list them. */
const PSEUDO = ['proc', 'sysfs', 'devpts', 'mqueue', 'cgroup', 'cgroup2', 'debugfs', 'tracefs', 'securityfs', 'bpf'];

export const df = defineTool(
  (tool) => {
    const options = parseOptions(tool, DF_OPTIONS);
    const { sys } = tool;
    const mounts = sys.mounts();
    let code = 0;
    const rows: string[][] = [];
    const unit = options.has('h') ? 'h' : options.has('H') ? 'H' : options.has('m') ? 1_048_576 : 1_024;
    const add = (source: string, type: string, point: Bytes, path: Bytes) => {
      const system = sys.statFileSystem(path);
      const [total, used, available] = options.has('i')
        ? [system.inodes, system.inodesUsed, system.inodes - system.inodesUsed]
        : [system.total, system.used, system.available];
      const show = (n: number) => (options.has('i') ? (unit === 'h' ? humanSize(n) : String(n)) : sizeText(n, unit));
      const share = used + available === 0 ? '-' : `${Math.ceil((used * 100) / (used + available))}%`;
      rows.push([source, ...(options.has('T') ? [type] : []), show(total), show(used), show(available), share, point]);
    };
    if (options.operands.length > 0) {
      for (const path of options.operands) {
        try {
          const point = sys.realPath(path) && mountPointOf(tool, path);
          const mount = mounts.findLast((entry) => entry.path === point);
          add(mount?.source ?? 'overlay', mount?.type ?? 'overlay', point, path);
        } catch (error) {
          tool.warn(tool.flavour === 'gnu' ? `${path}: ${strerror(error)}` : `${path}: can't find mount point`);
          code = 1;
        }
      }
    } else {
      for (const mount of mounts) {
        const isListed = options.has('a') || !PSEUDO.includes(mount.type);
        const isType = options.values('t').length === 0 || options.values('t').includes(mount.type);
        if (isListed && isType && !options.values('x').includes(mount.type))
          add(mount.source, mount.type, mount.path, mount.path);
      }
    }
    if (rows.length === 0) return code || 1;
    const sizes = options.has('i')
      ? ['Inodes', 'IUsed', 'IFree', 'IUse%']
      : unit === 'h' || unit === 'H'
        ? ['Size', 'Used', tool.flavour === 'gnu' ? 'Avail' : 'Available', 'Use%']
        : [
            unit === 1_024 ? (options.has('P') ? '1024-blocks' : '1K-blocks') : '1M-blocks',
            'Used',
            'Available',
            options.has('P') ? 'Capacity' : 'Use%',
          ];
    const header = ['Filesystem', ...(options.has('T') ? ['Type'] : []), ...sizes, 'Mounted on'];
    tool.out(tool.flavour === 'gnu' ? gnuTable([header, ...rows], options.has('T')) : busyboxTable([header, ...rows]));
    return code;
  },
  { usage: '[OPTION]... [FILE]...' },
);

const sizeText = (bytes: number, unit: 'h' | 'H' | number) =>
  typeof unit === 'number' ? String(Math.ceil(bytes / unit)) : humanSize(bytes, unit === 'H' ? 1_000 : 1_024);

function gnuTable(rows: readonly string[][], hasType: boolean): Bytes {
  const columns = rows[0]!.length;
  const leftColumns = hasType ? [0, 1, columns - 1] : [0, columns - 1];
  const widths = Array.from({ length: columns }, (_, c) =>
    Math.max(c === 0 ? 14 : 0, ...rows.map((row) => row[c]!.length)),
  );
  // Numbers are at least as wide as their heads and 5 for sizes.
  const cell = (text: string, c: number) =>
    leftColumns.includes(c) ? text.padEnd(widths[c]!) : text.padStart(Math.max(widths[c]!, c === columns - 2 ? 4 : 5));
  return rows.map((row) => `${row.map((text, c) => (c === columns - 1 ? text : cell(text, c))).join(' ')}\n`).join('');
}

function busyboxTable(rows: readonly string[][]): Bytes {
  return rows
    .map((row) => {
      const [source, ...rest] = row;
      const point = rest.pop();
      const share = rest.pop()!;
      const numbers = rest.map((text, i) => text.padStart(i === 0 ? 9 : 9));
      return `${source!.padEnd(20)} ${numbers.join(' ')} ${share.padStart(3)} ${point}\n`;
    })
    .join('');
}
