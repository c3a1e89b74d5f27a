import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { FileStat } from '../../../../engine/kernel/files/file.js';
import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import { humanSize, modeLetters } from '../../format.js';
import { type Options, parseOptions, quoteName } from '../../framework/options.js';
import { groupName, readNames, userName, type Names } from '../../accounts.js';
import { defineTool, strerror, type ToolContext } from '../../framework/tool.js';
import { compareVersions } from '../lines/sort-order.js';
import { formatListTime } from '../time/date-format.js';
import { printColumns } from './columns.js';

interface Entry {
  readonly name: Bytes;
  readonly path: Bytes;
  readonly stat: FileStat;
}

const OPTIONS = [
  ...['a,all', 'A,almost-all', 'B,ignore-backups', 'b,escape', 'C', 'c', 'D,dired', 'd,directory', 'F,classify::'],
  ...[
    'f',
    'g',
    'G,no-group',
    'H',
    'h,human-readable',
    'I,ignore:',
    'i,inode',
    'k,kibibytes',
    'L,dereference',
    'l',
    'm',
  ],
  ...['N,literal', 'n,numeric-uid-gid', 'o', 'p', 'Q,quote-name', 'q,hide-control-chars', 'R,recursive', 'r,reverse'],
  ...['S', 's,size', 'T:', 't', 'U', 'u', 'v', 'w,width:', 'X', 'x', 'Z,context', '1', 'color::', 'full-time'],
  ...['group-directories-first', 'si', 'sort:', 'time:', 'time-style:', 'author', 'file-type', 'block-size:'],
];
/** A letter that takes a value only as a long option. */
const TABLE = OPTIONS.flatMap((word) => (word === 'F,classify::' ? ['F', 'classify::'] : [word]));

export const ls = defineTool(
  (tool) => {
    const options = parseOptions(tool, TABLE);
    const listing = new Listing(tool, options);
    return listing.run();
  },
  { usage: '[OPTION]... [FILE]...', usageCode: 2 },
);

class Listing {
  private readonly names: Names;
  private readonly isTerminal: boolean;
  private readonly isLong: boolean;
  private code = 0;
  private hasPrinted = false;
  private hasPainted = false;

  constructor(
    private readonly tool: ToolContext,
    private readonly options: Options,
  ) {
    const long = options.last('l', 'g', 'o', 'n', 'full-time', 'C', '1', 'x', 'm');
    // -1 after -l leaves the long form.
    this.isLong = options.has('l', 'g', 'o', 'n', 'full-time') && !['C', 'x', 'm'].includes(long ?? '');
    this.isTerminal = tool.sys.isTerminal(1);
    this.names = readNames(tool.sys);
  }

  run(): number {
    const { options } = this;
    const files: Entry[] = [];
    const directories: Entry[] = [];
    for (const path of options.operands.length === 0 ? ['.'] : options.operands) {
      const entry = this.examine(path, path, true);
      if (entry === undefined) this.code = this.tool.flavour === 'gnu' ? 2 : 1;
      else if (entry.stat.type === 'directory' && !options.has('d')) directories.push(entry);
      else files.push(entry);
    }
    if (files.length > 0) this.print(this.order(files));
    this.hasPrinted = files.length > 0;
    const hasHeaders = options.operands.length > 1 || options.has('R');
    for (const { path } of this.order(directories)) this.listDirectory(path, hasHeaders);
    return this.code;
  }

  /** Links on the command line are followed to directories, but not in the long form. */
  private examine(name: Bytes, path: Bytes, isOperand: boolean): Entry | undefined {
    const { sys } = this.tool;
    const { options } = this;
    const follows = options.has('L') || (isOperand && (options.has('H') || !(this.isLong || options.has('d', 'F'))));
    try {
      if (!follows) return { name, path, stat: sys.lstat(path) };
      return { name, path, stat: statOrLink(sys, path) };
    } catch (error) {
      const message = strerror(error);
      this.tool.warn(
        this.tool.flavour === 'gnu' ? `cannot access ${quoteName(path)}: ${message}` : `${path}: ${message}`,
      );
      return undefined;
    }
  }

  private listDirectory(path: Bytes, hasHeader: boolean): void {
    const { tool, options } = this;
    let names: readonly Bytes[];
    try {
      names = tool.sys.readDirectory(path);
    } catch (error) {
      const message = strerror(error);
      const gnu = `cannot open directory ${quoteName(path)}: ${message}`;
      tool.warn(tool.flavour === 'gnu' ? gnu : `can't open '${path}': ${message}`);
      this.code = this.code === 0 && this.tool.flavour === 'gnu' ? (hasHeader ? 1 : 2) : Math.max(1, this.code);
      return;
    }
    const hidden = options.has('a', 'f') ? ['.', '..'] : [];
    const shown = [...hidden, ...names.filter((name) => this.isShown(name))];
    const base = path.endsWith('/') ? path : `${path}/`;
    const entries = shown.flatMap((name) => this.examine(name, base + name, false) ?? []);
    tool.sys.charge(entries.length);
    if (hasHeader) tool.out(`${this.hasPrinted ? '\n' : ''}${path}:\n`);
    this.hasPrinted = true;
    const sorted = this.order(entries);
    if (this.isLong || options.has('s'))
      tool.out(`total ${this.blocksText(sorted.reduce((sum, { stat }) => sum + stat.blocks, 0))}\n`);
    this.print(sorted);
    if (!options.has('R')) return;
    const below = sorted.filter(({ name, stat }) => stat.type === 'directory' && name !== '.' && name !== '..');
    for (const entry of below) this.listDirectory(entry.path, true);
  }

  private isShown(name: Bytes): boolean {
    const { options } = this;
    if (name.startsWith('.') && !options.has('a', 'A', 'f')) return false;
    return !(options.has('B') && name.endsWith('~'));
  }

  private blocksText(blocks: number): string {
    return this.options.has('h') ? humanSize(blocks * 512) : String(Math.ceil(blocks / 2));
  }

  private order(entries: readonly Entry[]): Entry[] {
    const { options } = this;
    const byName = (a: Entry, b: Entry) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
    const time = ({ stat }: Entry) =>
      options.has('u') ? stat.accessed : options.has('c') ? stat.changed : stat.modified;
    const given = options.value('sort');
    const named = { size: 'S', time: 't', version: 'v', extension: 'X', none: 'U' }[given ?? ''];
    const key =
      named ??
      (options.has('f') ? 'U' : options.last('S', 't', 'v', 'X', 'U')) ??
      (options.has('u', 'c') && !this.isLong ? 't' : '');
    const extension = (name: Bytes) => /\.[^.]*$/.exec(name)?.[0] ?? '';
    const orders: Readonly<Record<string, (a: Entry, b: Entry) => number>> = {
      S: (a, b) => b.stat.size - a.stat.size || byName(a, b),
      t: (a, b) => time(b) - time(a) || byName(a, b),
      v: (a, b) => compareVersions(a.name, b.name),
      X: (a, b) =>
        extension(a.name) < extension(b.name) ? -1 : extension(a.name) > extension(b.name) ? 1 : byName(a, b),
      U: () => 0,
    };
    const order = orders[key] ?? byName;
    const sorted = [...entries].sort(options.has('r') && key !== 'U' ? (a, b) => order(b, a) : order);
    if (!options.has('group-directories-first')) return sorted;
    const rank = ({ stat }: Entry) => (stat.type === 'directory' ? 0 : 1);
    return sorted.sort((a, b) => rank(a) - rank(b));
  }

  private print(entries: readonly Entry[]): void {
    const { tool, options } = this;
    if (this.isLong) return this.printLong(entries);
    const inodeWidth = Math.max(0, ...entries.map(({ stat }) => String(stat.inode).length));
    const sizeWidth = Math.max(0, ...entries.map(({ stat }) => this.blocksText(stat.blocks).length));
    const cells = entries.map((entry) => {
      const inode = options.has('i') ? `${String(entry.stat.inode).padStart(inodeWidth)} ` : '';
      const size = options.has('s') ? `${this.blocksText(entry.stat.blocks).padStart(sizeWidth)} ` : '';
      return { text: inode + size + this.nameOf(entry), color: this.colorOf(entry) };
    });
    const form = options.last('C', '1', 'x', 'm') ?? (this.isTerminal ? 'C' : '1');
    if (form === '1') {
      for (const { text, color } of cells) tool.out(`${this.paint(text, color)}\n`);
      return;
    }
    const terminalWidth = this.isTerminal ? tool.sys.terminalSize(1).columns : (tool.sys.env['COLUMNS'] ?? 80);
    const width = Number(options.value('w') ?? terminalWidth);
    if (form === 'm')
      tool.out(
        joinWithCommas(
          cells.map(({ text }) => text),
          width,
        ),
      );
    else {
      const style = { width, isAcross: form === 'x', hasTabs: tool.flavour === 'gnu' };
      printColumns(cells, style, tool.out, (text, color) => this.paint(text, color));
    }
  }

  private printLong(entries: readonly Entry[]): void {
    const { tool, options } = this;
    const rows = entries.map((entry) => this.longRow(entry));
    // busybox' columns have fixed widths.
    const least = tool.flavour === 'busybox' ? [0, 0, 4, 8, 8, 9] : [0, 0, 0, 0, 0, 0];
    const widths = least.map((width, column) => Math.max(width, ...rows.map((row) => row[column]!.length)));
    rows.forEach((row, i) => {
      const [inode, blocks, links, user, group, size] = row.slice(0, 6).map((text, column) => {
        return column === 3 || column === 4 ? text.padEnd(widths[column]!) : text.padStart(widths[column]!);
      }) as [string, string, string, string, string, string];
      const { stat } = entries[i]!;
      const fields = [
        ...(options.has('i') ? [inode] : []),
        ...(options.has('s') ? [blocks] : []),
        modeLetters(stat.type, stat.mode),
        links,
        ...(options.has('g') ? [] : [user]),
        ...(options.has('o', 'G') ? [] : [group]),
        size,
        formatListTime(this.timeOf(stat), tool.sys.now, this.timeStyle(), tool.flavour),
      ];
      tool.out(
        `${fields.join(' ')} ${this.paint(this.nameOf(entries[i]!), this.colorOf(entries[i]!))}${this.targetOf(entries[i]!)}\n`,
      );
    });
  }

  /** The first colour is preceded by a reset. */
  private paint(text: Bytes, color: string): Bytes {
    if (color === '') return text;
    const reset = this.hasPainted ? '' : '\x1b[0m';
    this.hasPainted = true;
    return `${reset}\x1b[${color}m${text}\x1b[0m`;
  }

  private timeOf(stat: FileStat): number {
    return this.options.has('u') ? stat.accessed : this.options.has('c') ? stat.changed : stat.modified;
  }

  private timeStyle(): string {
    return this.options.has('full-time') ? 'full-iso' : (this.options.value('time-style') ?? 'locale');
  }

  private longRow({ stat }: Entry): string[] {
    const { options } = this;
    const isDevice = stat.type === 'char' || stat.type === 'block';
    const size = isDevice
      ? `${stat.device[0]}, ${String(stat.device[1]).padStart(3)}`
      : options.has('h')
        ? humanSize(stat.size)
        : String(stat.size);
    const isNumeric = options.has('n');
    return [
      ...[String(stat.inode), this.blocksText(stat.blocks), String(stat.links)],
      isNumeric ? String(stat.user) : userName(this.names, stat.user),
      isNumeric ? String(stat.group) : groupName(this.names, stat.group),
      size,
    ];
  }

  private nameOf({ name, stat }: Entry): Bytes {
    const { options } = this;
    const shown = options.has('Q')
      ? `"${name.replace(/["\\]/g, '\\$&')}"`
      : this.isTerminal
        ? quoteForTerminal(name, this.tool.flavour)
        : name;
    if (options.has('p') && stat.type === 'directory') return `${shown}/`;
    return options.has('F', 'classify', 'file-type') && !(this.isLong && stat.type === 'link')
      ? shown + suffixOf(stat)
      : shown;
  }

  private targetOf({ path, stat }: Entry): Bytes {
    if (stat.type !== 'link') return '';
    const target = this.tool.sys.readLink(path);
    if (!this.options.has('F', 'classify')) return ` -> ${target}`;
    try {
      return ` -> ${target}${suffixOf(this.tool.sys.stat(path))}`;
    } catch (error) {
      strerror(error);
      return ` -> ${target}`;
    }
  }

  private colorOf({ stat }: Entry): string {
    const when = this.options.value('color');
    const hasTerminalType = this.tool.sys.env['TERM'] !== undefined;
    const isColored = when === 'always' || when === '' || (when === 'auto' && this.isTerminal);
    const isBusyboxTerminal = this.tool.flavour === 'busybox' && this.isTerminal && when === undefined;
    return (isColored && hasTerminalType) || isBusyboxTerminal ? colorFor(stat) : '';
  }
}

function statOrLink(sys: Syscalls, path: Bytes): FileStat {
  try {
    return sys.stat(path);
  } catch (error) {
    strerror(error);
    return sys.lstat(path);
  }
}

function joinWithCommas(names: readonly Bytes[], width: number): Bytes {
  let text = '';
  let column = 0;
  names.forEach((name, i) => {
    const isLast = i === names.length - 1;
    if (i > 0) {
      const fits = column + name.length + (isLast ? 1 : 2) < width;
      text += fits ? ' ' : '\n';
      column = fits ? column + 1 : 0;
    }
    text += isLast ? name : `${name},`;
    column += name.length + 1;
  });
  return text === '' ? '' : `${text}\n`;
}

function colorFor({ type, mode }: FileStat): string {
  if (type === 'directory') return (mode & 0o1002) === 0o1002 ? '30;42' : '01;34';
  if (type === 'file') return (mode & 0o111) !== 0 ? '01;32' : '';
  return { link: '01;36', fifo: '33', socket: '01;35', char: '01;33', block: '01;33' }[type];
}

function suffixOf({ type, mode }: FileStat): string {
  if (type === 'file') return (mode & 0o111) !== 0 ? '*' : '';
  return { directory: '/', link: '@', fifo: '|', socket: '=', char: '', block: '' }[type];
}

/** On a terminal GNU quotes names that a shell would not read as one word. */
function quoteForTerminal(name: Bytes, flavour: string): Bytes {
  const visible = name.replace(/[\0-\x1f\x7f]/g, '?');
  if (flavour === 'busybox' || /^[\w@%+=:,./~^-]+$/.test(visible)) return visible;
  return visible.includes("'") ? `"${visible}"` : `'${visible}'`;
}
