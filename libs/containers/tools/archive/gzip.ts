import type { Bytes } from '../../../engine/kernel/bytes.js';
import { writeWholeFile } from '../whole-file.js';
import { openFailure } from '../framework/filter.js';
import { type Options, parseOptions } from '../framework/options.js';
import { defineTool, strerror, type Tool, type ToolContext } from '../framework/tool.js';
import { unzip, zip } from './gzip-format.js';

const OPTIONS = [
  ...[
    '1,fast',
    '2',
    '3',
    '4',
    '5',
    '6',
    '7',
    '8',
    '9,best',
    'c,stdout,to-stdout',
    'd,decompress,uncompress',
    'f,force',
  ],
  ...['k,keep', 'l,list', 'n,no-name', 'N,name', 'q,quiet', 'r,recursive', 'S,suffix:', 't,test', 'v,verbose'],
];
const SETTINGS = { usage: '[OPTION]... [FILE]...', version: 'gzip 1.12' };

function gzipTool(unpacksAlways: boolean, toOutput: boolean): Tool {
  return defineTool((tool) => {
    const options = parseOptions(tool, OPTIONS);
    const unpacks = unpacksAlways || options.has('d', 't');
    let code = 0;
    for (const path of options.operands.length === 0 ? ['-'] : options.operands) {
      const result = options.has('l')
        ? listOne(tool, path)
        : convertOne(tool, options, path, unpacks, toOutput || options.has('c'));
      code = Math.max(code, result);
    }
    return code;
  }, SETTINGS);
}

export const gzip = gzipTool(false, false);
export const gunzip = gzipTool(true, false);
export const zcat = gzipTool(true, true);

const shortName = (tool: ToolContext) => (tool.flavour === 'gnu' ? 'gzip' : tool.name);

function complain(tool: ToolContext, message: Bytes): void {
  const blank = message.startsWith('\n') ? '\n' : '';
  tool.err(`${blank}${shortName(tool)}: ${message.trimStart()}\n`);
}

/** What gunzip opens for a name: `a.gz` when there is no `a`. */
function withSuffix({ sys }: ToolContext, path: Bytes, suffix: Bytes): Bytes {
  return path === '-' || path.endsWith(suffix) || sys.access(path, '') ? path : `${path}${suffix}`;
}

function convertOne(tool: ToolContext, options: Options, named: Bytes, unpacks: boolean, toOutput: boolean): number {
  const { sys } = tool;
  const suffix = options.value('S') ?? '.gz';
  const path = unpacks && tool.flavour === 'gnu' ? withSuffix(tool, named, suffix) : named;
  let bytes: Bytes;
  try {
    if (path !== '-' && sys.stat(path).type === 'directory') {
      complain(tool, `${path} is a directory -- ignored`);
      return 2;
    }
    bytes = tool.input(path);
  } catch (error) {
    complain(tool, openFailure(tool.flavour, path, strerror(error)));
    return 1;
  }
  sys.charge(bytes.length >> 1);
  const target = unpacks ? unpackedName(path, suffix) : `${path}${suffix}`;
  const writesFile = path !== '-' && !toOutput && !options.has('t');
  if (writesFile && target === undefined) {
    complain(tool, `${path}: unknown suffix -- ignored`);
    return 2;
  }
  if (writesFile && !unpacks && path.endsWith(suffix)) {
    complain(tool, `${path} already has ${suffix} suffix -- unchanged`);
    return 2;
  }
  const stamp = options.has('n') || path === '-' ? 0 : sys.stat(path).modified;
  const level = Number(options.last('1', '2', '3', '4', '5', '6', '7', '8', '9') ?? 6) as 6;
  const name = options.has('n') || path === '-' ? '' : path.replace(/^.*\//s, '');
  const result = unpacks ? unzip(bytes) : zip(bytes, level, stamp, name);
  if (result === undefined) {
    const shown = path === '-' ? 'stdin' : path;
    const why = bytes === '' ? 'unexpected end of file' : 'not in gzip format';
    complain(tool, tool.flavour === 'gnu' ? `\n${shown}: ${why}` : 'invalid magic');
    return 1;
  }
  if (options.has('t')) return 0;
  if (!writesFile) {
    tool.out(result);
    return 0;
  }
  if (sys.access(target!, '') && !options.has('f')) {
    complain(tool, `${target} already exists;	not overwritten`);
    return 2;
  }
  return replaceFile(tool, options, path, target!, result);
}

function replaceFile(tool: ToolContext, options: Options, path: Bytes, target: Bytes, result: Bytes): number {
  const { sys } = tool;
  const stat = sys.stat(path);
  try {
    writeWholeFile(tool.sys, target, result, { mode: 0o666 });
  } catch (error) {
    complain(tool, `${target}: ${strerror(error)}`);
    return 1;
  }
  sys.chmod(target, stat.mode);
  sys.setTimes(target, stat.accessed, stat.modified);
  if (!options.has('k')) sys.unlink(path);
  const share = stat.size === 0 ? 0 : 1 - Math.min(result.length, stat.size) / Math.max(result.length, stat.size);
  if (options.has('v'))
    tool.err(
      `${path}:\t ${(share * 100).toFixed(1)}% -- ${options.has('k') ? 'created' : 'replaced with'} ${target}\n`,
    );
  return 0;
}

function unpackedName(path: Bytes, suffix: Bytes): Bytes | undefined {
  if (path.endsWith('.tgz')) return `${path.slice(0, -4)}.tar`;
  return path.endsWith(suffix) ? path.slice(0, -suffix.length) : undefined;
}

function listOne(tool: ToolContext, path: Bytes): number {
  const bytes = tool.input(path);
  const unpacked = unzip(bytes);
  if (unpacked === undefined) {
    complain(tool, `\n${path}: not in gzip format`);
    return 1;
  }
  // What counts is the data alone: a header of 10 bytes with the name after it, and a trailer of 8.
  const header = 10 + ((bytes.charCodeAt(3) & 8) === 0 ? 0 : bytes.indexOf('\0', 10) - 9);
  const packed = bytes.length - header - 8;
  const share = unpacked.length === 0 ? 0 : (100 * (unpacked.length - packed)) / unpacked.length;
  tool.out('         compressed        uncompressed  ratio uncompressed_name\n');
  const sizes = `${String(bytes.length).padStart(19)} ${String(unpacked.length).padStart(19)}`;
  tool.out(`${sizes} ${`${share.toFixed(1)}%`.padStart(6)} ${path.replace(/\.gz$/, '')}\n`);
  return 0;
}
