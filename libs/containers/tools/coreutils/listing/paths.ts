import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import { parseOptions, refuseExtraOperands, requireOperands } from '../../framework/options.js';
import { defineTool, strerror, type ToolContext } from '../../framework/tool.js';
import { lastName, trimSlashes } from '../../names.js';

export const basename = defineTool(
  (tool) => {
    const options = parseOptions(tool, ['a,multiple', 's,suffix:', 'z,zero'], true);
    requireOperands(tool, options.operands);
    const isMany = options.has('a', 's');
    if (!isMany) refuseExtraOperands(tool, options.operands, 2);
    const suffix = options.value('s') ?? (isMany ? '' : (options.operands[1] ?? ''));
    for (const path of isMany ? options.operands : options.operands.slice(0, 1)) {
      const name = path !== '' && trimSlashes(path) === '' ? '/' : lastName(path);
      const isCut = suffix !== '' && name !== suffix && name.endsWith(suffix);
      tool.out((isCut ? name.slice(0, -suffix.length) : name) + (options.has('z') ? '\0' : '\n'));
    }
    return 0;
  },
  { usage: 'NAME [SUFFIX]' },
);

export const dirname = defineTool(
  (tool) => {
    const options = parseOptions(tool, ['z,zero']);
    requireOperands(tool, options.operands);
    for (const path of options.operands) tool.out(directoryOf(path) + (options.has('z') ? '\0' : '\n'));
    return 0;
  },
  { usage: '[OPTION] NAME...' },
);

export function directoryOf(path: Bytes): Bytes {
  const trimmed = trimSlashes(path);
  if (trimmed === '') return path.startsWith('/') ? '/' : '.';
  const at = trimmed.lastIndexOf('/');
  if (at < 0) return '.';
  return trimSlashes(trimmed.slice(0, at)) || '/';
}

export const pwd = defineTool((tool) => {
  const options = parseOptions(tool, ['L,logical', 'P,physical']);
  const logical = tool.sys.env['PWD'];
  tool.out(`${options.has('L') && logical?.startsWith('/') === true ? logical : tool.sys.cwd()}\n`);
  return 0;
});

const LINK_OPTIONS = [
  ...['f,canonicalize', 'e,canonicalize-existing', 'm,canonicalize-missing', 'n,no-newline', 'q,quiet', 's,silent'],
  ...['v,verbose', 'z,zero', 'strip', 'no-symlinks', 'P', 'L', 'relative-to:', 'relative-base:'],
];

export const readlink = defineTool(
  (tool) => {
    const options = parseOptions(tool, LINK_OPTIONS);
    requireOperands(tool, options.operands);
    const ending = options.has('n') ? '' : options.has('z') ? '\0' : '\n';
    let code = 0;
    for (const path of options.operands) {
      try {
        const isWhole = options.has('f', 'e', 'm');
        const rule = options.has('m') ? 'missing' : options.has('e') ? 'existing' : 'last';
        tool.out((isWhole ? canonicalize(tool.sys, path, rule) : tool.sys.readLink(path)) + ending);
      } catch (error) {
        if (options.has('v')) tool.warn(`${path}: ${strerror(error)}`);
        code = 1;
      }
    }
    return code;
  },
  { usage: '[OPTION]... FILE...' },
);

export const realpath = defineTool(
  (tool) => {
    const options = parseOptions(tool, LINK_OPTIONS);
    requireOperands(tool, options.operands);
    let code = 0;
    for (const path of options.operands) {
      try {
        const rule = options.has('m')
          ? 'missing'
          : options.has('e') || tool.flavour === 'busybox'
            ? 'existing'
            : 'last';
        const real = canonicalize(tool.sys, path, rule);
        const base = options.value('relative-to');
        tool.out(`${base === undefined ? real : relativeTo(tool, base, real)}${options.has('z') ? '\0' : '\n'}`);
      } catch (error) {
        if (!options.has('q')) tool.warn(`${path}: ${strerror(error)}`);
        code = 1;
      }
    }
    return code;
  },
  { usage: '[OPTION]... FILE...' },
);

/** `last`: the last name may be missing; `missing`: any may. */
function canonicalize(sys: Syscalls, path: Bytes, rule: 'existing' | 'last' | 'missing'): Bytes {
  try {
    return sys.realPath(path);
  } catch (error) {
    if (!(error instanceof SystemError) || error.code !== 'ENOENT' || rule === 'existing' || path === '') throw error;
  }
  const trimmed = trimSlashes(path);
  const name = trimmed.slice(trimmed.lastIndexOf('/') + 1);
  const target = readLinkIfAny(sys, trimmed);
  if (target !== undefined) {
    return canonicalize(sys, target.startsWith('/') ? target : `${directoryOf(trimmed)}/${target}`, rule);
  }
  const parent = canonicalize(sys, directoryOf(trimmed), rule === 'last' ? 'existing' : rule);
  if (name === '.') return parent;
  if (name === '..') return directoryOf(parent);
  return parent === '/' ? `/${name}` : `${parent}/${name}`;
}

function readLinkIfAny(sys: Syscalls, path: Bytes): Bytes | undefined {
  try {
    return sys.readLink(path);
  } catch (error) {
    strerror(error);
    return undefined;
  }
}

function relativeTo(tool: ToolContext, base: Bytes, real: Bytes): Bytes {
  const [from, to] = [canonicalize(tool.sys, base, 'last'), real].map((path) => path.split('/').filter(Boolean)) as [
    Bytes[],
    Bytes[],
  ];
  let common = 0;
  while (common < from.length && from[common] === to[common]) common++;
  return [...from.slice(common).map(() => '..'), ...to.slice(common)].join('/') || '.';
}
