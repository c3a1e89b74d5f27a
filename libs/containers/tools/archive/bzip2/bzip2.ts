import { type Bytes, fromArray, toArray } from '../../../../engine/kernel/bytes.js';
import { writeWholeFile } from '../../whole-file.js';
import { type Options, parseOptions } from '../../framework/options.js';
import { defineTool, strerror, type Tool, type ToolContext } from '../../framework/tool.js';
import { compress } from './compress.js';
import { decompress } from './decompress.js';

const OPTIONS = [
  ...['1,fast', '2', '3', '4', '5', '6', '7', '8', '9,best', 'c,stdout', 'd,decompress', 'f,force', 'k,keep'],
  ...['q,quiet', 's,small', 't,test', 'v,verbose', 'z,compress'],
];
/** Bytes that are compressed at once. */
const MAX_INPUT = 16 << 20;

export const isBzip2 = (bytes: Bytes): boolean => bytes.startsWith('BZh');
/** Undefined: there is too much of it. */
export const packBzip2 = (bytes: Bytes): Bytes | undefined =>
  bytes.length > MAX_INPUT ? undefined : fromArray(compress(toArray(bytes)));
export function unpackBzip2(bytes: Bytes): Bytes | undefined {
  const found = decompress(toArray(bytes));
  return found && fromArray(found);
}

/** bzip2, bunzip2 and bzcat. Models bzip2 1.0.8. */
function bzip2Tool(unpacksAlways: boolean, toOutput: boolean): Tool {
  return defineTool(
    (tool) => {
      const options = parseOptions(tool, OPTIONS);
      const unpacks = options.has('z') ? false : unpacksAlways || options.has('d', 't');
      const paths = options.operands.length === 0 ? ['-'] : options.operands;
      return Math.max(...paths.map((path) => convertOne(tool, options, path, unpacks, toOutput || options.has('c'))));
    },
    {
      usage: '[flags and input files in any order]',
      version: 'bzip2, a block-sorting file compressor.  Version 1.0.8',
    },
  );
}

export const bzip2 = bzip2Tool(false, false);
export const bunzip2 = bzip2Tool(true, false);
export const bzcat = bzip2Tool(true, true);

function convertOne(tool: ToolContext, options: Options, path: Bytes, unpacks: boolean, toOutput: boolean): number {
  const { sys } = tool;
  const complain = (message: string): 1 => {
    tool.err(`${tool.name}: ${message}\n`);
    return 1;
  };
  const writesFile = path !== '-' && !toOutput && !options.has('t');
  if (path !== '-' && sys.access(path, '') && sys.stat(path).type === 'directory')
    return complain(`Input file ${path} is a directory.`);
  if (writesFile && !unpacks && /\.(?:bz2?|tbz2?)$/.test(path))
    return complain(`Input file ${path} already has ${/\.[a-z0-9]+$/.exec(path)?.[0] ?? ''} suffix.`);
  let bytes: Bytes;
  try {
    bytes = tool.input(path);
  } catch (error) {
    return complain(`Can't open input file ${path}: ${strerror(error)}.`);
  }
  sys.charge(bytes.length << 2);
  const shown = path === '-' ? '(stdin)' : path;
  const result = unpacks ? unpackBzip2(bytes) : packBzip2(bytes);
  if (result === undefined && !unpacks)
    return complain(`${shown}: more than ${MAX_INPUT} bytes are not compressed here`);
  if (result === undefined) {
    if (isBzip2(bytes)) return complain(`Data integrity error when decompressing.\n\tInput file = ${shown}`) + 1;
    return complain(`${shown} is not a bzip2 file.`) + 1;
  }
  if (options.has('t')) return 0;
  if (!writesFile) {
    tool.out(result);
    return 0;
  }
  const target = unpacks ? unpackedName(path) : `${path}.bz2`;
  if (unpacks && target === `${path}.out`)
    tool.err(`${tool.name}: Can't guess original name for ${path} -- using ${target}\n`);
  if (sys.access(target, '') && !options.has('f')) return complain(`Output file ${target} already exists.`);
  return replaceFile(tool, options, path, target, result);
}

function unpackedName(path: Bytes): Bytes {
  if (/\.tbz2?$/.test(path)) return path.replace(/\.tbz2?$/, '.tar');
  return /\.bz2?$/.test(path) ? path.replace(/\.bz2?$/, '') : `${path}.out`;
}

function replaceFile(tool: ToolContext, options: Options, path: Bytes, target: Bytes, result: Bytes): number {
  const { sys } = tool;
  const stat = sys.stat(path);
  try {
    writeWholeFile(tool.sys, target, result, { mode: 0o666 });
  } catch (error) {
    tool.err(`${tool.name}: Can't create output file ${target}: ${strerror(error)}.\n`);
    return 1;
  }
  sys.chmod(target, stat.mode);
  sys.setTimes(target, stat.accessed, stat.modified);
  if (!options.has('k')) sys.unlink(path);
  return 0;
}
