import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import { parseSize } from '../../format.js';
import { parseOptions, quoteName, requireOperands } from '../../framework/options.js';
import { defineTool, strerror, type ToolContext, ToolFailure, UsageFailure } from '../../framework/tool.js';
import { applyMode } from './modes.js';
import { readDate } from '../time/date-input.js';
import { parentName } from '../../names.js';

/** Runs for each operand; one that fails is told, and makes the exit code 1. */
export function forEach(
  tool: ToolContext,
  paths: readonly Bytes[],
  act: (path: Bytes) => void,
  explain: (path: Bytes, message: string) => Bytes,
): number {
  let code = 0;
  for (const path of paths) {
    try {
      act(path);
    } catch (error) {
      tool.warn(explain(path, strerror(error)));
      code = 1;
    }
  }
  return code;
}

function readModeOption(tool: ToolContext, text: Bytes | undefined, base: number): number | undefined {
  if (text === undefined) return undefined;
  const mode = applyMode(text, base, false, tool.sys.umask());
  if (mode === undefined) throw new ToolFailure(`invalid mode ${quoteName(text)}`);
  return mode;
}

export const mkdir = defineTool(
  (tool) => {
    const options = parseOptions(tool, ['m,mode:', 'p,parents', 'v,verbose', 'Z']);
    requireOperands(tool, options.operands);
    const { sys, flavour } = tool;
    const mode = readModeOption(tool, options.value('m'), 0o777);
    const make = (path: Bytes) => {
      sys.makeDirectory(path, 0o777);
      if (options.has('v'))
        tool.out(
          flavour === 'gnu' ? `mkdir: created directory ${quoteName(path)}\n` : `created directory: '${path}'\n`,
        );
    };
    const makeAll = (path: Bytes) => {
      if (!options.has('p')) make(path);
      else makeParents(tool, path, make);
      if (mode !== undefined) sys.chmod(path, mode);
    };
    const explain = (path: Bytes, message: string) =>
      flavour === 'gnu'
        ? `cannot create directory ${quoteName(path)}: ${message}`
        : `can't create directory '${path}': ${message}`;
    return forEach(tool, options.operands, makeAll, explain);
  },
  { usage: '[OPTION]... DIRECTORY...' },
);

/** Makes a directory and those above it that are missing. */
export function makeParents({ sys }: Pick<ToolContext, 'sys'>, path: Bytes, make: (path: Bytes) => void): void {
  const names = path.split('/').filter(Boolean);
  let at = path.startsWith('/') ? '' : '.';
  names.forEach((name, i) => {
    at = at === '.' ? name : `${at}/${name}`;
    const isDirectory = isDirectoryAt(sys, at);
    if (isDirectory === false) throw new SystemError(i === names.length - 1 ? 'EEXIST' : 'ENOTDIR');
    if (isDirectory === undefined) make(at);
  });
}

/** Undefined: nothing is there. */
export function isDirectoryAt(sys: ToolContext['sys'], path: Bytes): boolean | undefined {
  try {
    return sys.stat(path).type === 'directory';
  } catch (error) {
    if (error instanceof SystemError && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

export const rmdir = defineTool(
  (tool) => {
    const options = parseOptions(tool, ['p,parents', 'v,verbose', 'ignore-fail-on-non-empty']);
    requireOperands(tool, options.operands);
    const remove = (path: Bytes) => {
      tool.sys.removeDirectory(path);
      const parent = parentName(path);
      if (options.has('p') && parent !== '' && parent !== '.') remove(parent);
    };
    return forEach(tool, options.operands, remove, (path, message) =>
      tool.flavour === 'gnu' ? `failed to remove ${quoteName(path)}: ${message}` : `'${path}': ${message}`,
    );
  },
  { usage: '[OPTION]... DIRECTORY...' },
);

export const touch = defineTool(
  (tool) => {
    const table = ['a', 'c,no-create', 'd,date:', 'f', 'h,no-dereference', 'm', 'r,reference:', 't:', 'time:'];
    const options = parseOptions(tool, table);
    const { sys, flavour } = tool;
    if (options.operands.length === 0) throw new UsageFailure(flavour === 'gnu' ? 'missing file operand' : '');
    const time = readTouchTime(tool, options.value('d'), options.value('t'), options.value('r'));
    const act = (path: Bytes) => {
      if (isDirectoryAt(sys, path) === undefined) {
        if (options.has('c')) return;
        sys.close(sys.open(path, { write: true, create: true }, 0o666));
      }
      const { accessed, modified } = sys.stat(path);
      sys.setTimes(
        path,
        options.has('m') && !options.has('a') ? accessed : time,
        options.has('a') && !options.has('m') ? modified : time,
      );
    };
    return forEach(tool, options.operands, act, (path, message) =>
      flavour === 'gnu' ? `cannot touch ${quoteName(path)}: ${message}` : `${path}: ${message}`,
    );
  },
  { usage: '[OPTION]... FILE...' },
);

function readTouchTime(
  tool: ToolContext,
  date: Bytes | undefined,
  stamp: Bytes | undefined,
  reference: Bytes | undefined,
): number {
  if (reference !== undefined) return tool.sys.stat(reference).modified;
  if (date !== undefined) {
    const time = readDate(date, tool.sys.now);
    if (time === undefined) throw new ToolFailure(`invalid date format ${quoteName(date)}`);
    return time;
  }
  if (stamp === undefined) return tool.sys.now;
  const [, year, month, day, hour, minute, second] =
    /^(\d{2}|\d{4})?(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d\d))?$/.exec(stamp) ?? [];
  if (month === undefined) throw new ToolFailure(`invalid date format ${quoteName(stamp)}`);
  const century =
    year === undefined
      ? new Date(tool.sys.now).getUTCFullYear()
      : year.length === 4
        ? Number(year)
        : 2_000 + Number(year);
  return Date.UTC(century, Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second ?? 0));
}

export const mkfifo = defineTool(
  (tool) => {
    const options = parseOptions(tool, ['m,mode:', 'Z']);
    requireOperands(tool, options.operands);
    const mode = readModeOption(tool, options.value('m'), 0o666);
    return forEach(
      tool,
      options.operands,
      (path) => tool.sys.makeNode(path, 'fifo', mode ?? 0o666),
      (path, message) => `cannot create fifo ${quoteName(path)}: ${message}`,
    );
  },
  { usage: '[OPTION]... NAME...' },
);

export const mknod = defineTool(
  (tool) => {
    const options = parseOptions(tool, ['m,mode:', 'Z']);
    requireOperands(tool, options.operands, 2);
    const [path, type, major, minor] = options.operands as [Bytes, Bytes, Bytes?, Bytes?];
    const kind = ({ p: 'fifo', c: 'char', u: 'char', b: 'block' } as const)[type];
    if (kind === undefined) throw new UsageFailure(`invalid device type ${quoteName(type)}`);
    if (kind !== 'fifo' && minor === undefined) {
      throw new UsageFailure('Special files require major and minor device numbers.');
    }
    const mode = readModeOption(tool, options.value('m'), 0o666) ?? 0o666;
    const device = kind === 'fifo' ? undefined : ([Number(major), Number(minor)] as const);
    return forEach(
      tool,
      [path],
      () => tool.sys.makeNode(path, kind, mode, device),
      (_path, message) => `${path}: ${message}`,
    );
  },
  { usage: '[OPTION]... NAME TYPE [MAJOR MINOR]' },
);

/** The last three or more X in a row. */
function lastRun(template: Bytes): { readonly 0: Bytes; readonly index: number } | null {
  const end = template.lastIndexOf('X') + 1;
  let index = end;
  while (index > 0 && template[index - 1] === 'X') index--;
  return end - index < 3 ? null : { 0: template.slice(index, end), index };
}

export const mktemp = defineTool(
  (tool) => {
    const table = ['d,directory', 'u,dry-run', 'q,quiet', 'p:', 'tmpdir::', 'suffix:', 't'];
    const options = parseOptions(tool, table);
    const template = options.operands[0] ?? 'tmp.XXXXXXXXXX';
    const suffix = options.value('suffix') ?? '';
    const runs = lastRun(template);
    if (runs === null || (suffix !== '' && !template.endsWith('X'))) {
      throw new ToolFailure(
        tool.flavour === 'gnu' ? `too few X's in template ${quoteName(template)}` : `${template}: Invalid argument`,
      );
    }
    const usesDirectory = options.operands.length === 0 || options.has('p', 'tmpdir', 't');
    const directory = options.value('p') || options.value('tmpdir') || tool.sys.env['TMPDIR'] || '/tmp';
    const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
    const random = Array.from(runs[0], () => LETTERS[Math.floor(tool.sys.random() * LETTERS.length)]).join('');
    const name = template.slice(0, runs.index) + random + template.slice(runs.index + runs[0].length) + suffix;
    const path = usesDirectory ? `${directory.replace(/\/$/, '')}/${name}` : name;
    const what = options.has('d') ? 'directory' : 'file';
    try {
      if (!options.has('u')) {
        if (options.has('d')) tool.sys.makeDirectory(path, 0o700);
        else tool.sys.close(tool.sys.open(path, { write: true, create: true, exclusive: true }, 0o600));
      }
    } catch (error) {
      const shown = usesDirectory ? `${directory.replace(/\/$/, '')}/${template}${suffix}` : template + suffix;
      throw new ToolFailure(
        tool.flavour === 'gnu'
          ? `failed to create ${what} via template ${quoteName(shown)}: ${strerror(error)}`
          : `${path}: ${strerror(error)}`,
      );
    }
    tool.out(`${path}\n`);
    return 0;
  },
  { usage: '[OPTION]... [TEMPLATE]' },
);

export const truncate = defineTool(
  (tool) => {
    const options = parseOptions(tool, ['c,no-create', 'o,io-blocks', 'r,reference:', 's,size:']);
    const text = options.value('s');
    const reference = options.value('r');
    if (text === undefined && reference === undefined)
      throw new UsageFailure(
        tool.flavour === 'gnu' ? `you must specify either ${quoteName('--size')} or ${quoteName('--reference')}` : '',
      );
    if (options.operands.length === 0) throw new UsageFailure(tool.flavour === 'gnu' ? 'missing file operand' : '');
    const [, sign, digits] = /^([-+<>/%]?)(.*)$/.exec(text ?? '')!;
    const size = reference === undefined ? parseSize(digits!) : tool.sys.stat(reference).size;
    if (size === undefined) throw new ToolFailure(`Invalid number: ${quoteName(text!)}`);
    const act = (path: Bytes) => {
      if (options.has('c') && isDirectoryAt(tool.sys, path) === undefined) return;
      const descriptor = tool.sys.open(path, { write: true, create: true }, 0o666);
      const before = tool.sys.fstat(descriptor).size;
      const sizes: Readonly<Record<string, number>> = {
        ...{ '': size, '+': before + size, '-': Math.max(0, before - size), '<': Math.min(before, size) },
        ...{ '>': Math.max(before, size), '/': before - (before % size), '%': Math.ceil(before / size) * size },
      };
      tool.sys.truncate(descriptor, sizes[sign!]!);
      tool.sys.close(descriptor);
    };
    return forEach(
      tool,
      options.operands,
      act,
      (path, message) => `cannot open ${quoteName(path)} for writing: ${message}`,
    );
  },
  { usage: 'OPTION... FILE...' },
);

/** Space that nobody has written to: zeros, which count as used. */
export const fallocate = defineTool(
  (tool) => {
    const isGnu = tool.flavour === 'gnu';
    const options = parseOptions(tool, isGnu ? ['l,length:', 'o,offset:', 'n,keep-size', 'v,verbose'] : ['l:', 'o:']);
    const text = options.value('l');
    if (text === undefined) throw new UsageFailure(isGnu ? 'no length argument specified' : '');
    const [path] = options.operands;
    if (path === undefined) throw new UsageFailure(isGnu ? 'no filename specified' : '');
    const length = parseSize(text);
    const offset = parseSize(options.value('o') ?? '0');
    if (length === undefined || length <= 0)
      throw new ToolFailure(isGnu ? 'invalid length value specified' : `invalid number '${text}'`);
    if (offset === undefined) throw new ToolFailure('invalid offset value specified');
    let descriptor: number;
    try {
      descriptor = tool.sys.open(path, { write: true, create: true }, 0o666);
    } catch (error) {
      throw new ToolFailure(
        isGnu ? `cannot open ${path}: ${strerror(error)}` : `can't open '${path}': ${strerror(error)}`,
      );
    }
    try {
      const { size } = tool.sys.fstat(descriptor);
      if (!options.has('n')) tool.sys.truncate(descriptor, Math.max(size, offset + length));
    } catch (error) {
      throw new ToolFailure(isGnu ? `fallocate failed: ${strerror(error)}` : `fallocate '${path}': ${strerror(error)}`);
    }
    tool.sys.close(descriptor);
    if (options.has('v')) tool.out(`${path}: ${text} (${length} bytes) allocated.\n`);
    return 0;
  },
  { usage: '-l <length> <filename>' },
);
