import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import type { FileStat } from '../../../../engine/kernel/files/file.js';
import { type Options, quoteName } from '../../framework/options.js';
import { type AskingContext, type ToolContext, ToolFailure, UsageFailure, strerror } from '../../framework/tool.js';
import { lastName, trimSlashes } from '../../names.js';
import { isDirectoryAt } from './make.js';

/** Where each source goes: into a directory, or to a name. Throws in the words of cp and mv. */
export function planTargets(tool: ToolContext, options: Options): [from: Bytes, to: Bytes][] {
  const operands = [...options.operands];
  const isGnu = tool.flavour === 'gnu';
  if (operands.length === 0) throw new UsageFailure(isGnu ? 'missing file operand' : '');
  const given = options.value('t');
  if (operands.length === 1 && given === undefined) {
    throw new UsageFailure(isGnu ? `missing destination file operand after ${quoteName(operands[0]!)}` : '');
  }
  const target = given ?? operands.pop()!;
  const kind = isDirectoryAt(tool.sys, target);
  const isDirectory = !options.has('T') && kind === true;
  if (options.has('T') && operands.length > 1) throw new UsageFailure(`extra operand ${quoteName(operands[1]!)}`);
  if (!isDirectory && (operands.length > 1 || given !== undefined)) {
    const why = kind === undefined && isGnu ? ': No such file or directory' : ' is not a directory';
    throw new ToolFailure(`target ${quoteName(target)}${why}`);
  }
  return operands.map((from) => [from, isDirectory ? joinPath(target, lastName(from)) : target]);
}

/** A name in a directory. */
export const joinPath = (directory: Bytes, name: Bytes): Bytes =>
  directory.endsWith('/') ? directory + name : `${directory}/${name}`;

/** Whether the user of -i wants a file to be replaced. */
export const mayReplace = (asking: AskingContext, path: Bytes): boolean =>
  asking.ask(`${asking.name}: overwrite ${asking.flavour === 'gnu' ? quoteName(path) : `'${path}'`}? `);

/** The real directory of a path, or as it is written when that is not there. */
export function parentPath(sys: ToolContext['sys'], path: Bytes): Bytes {
  const parent = path.slice(0, trimSlashes(path).lastIndexOf('/') + 1);
  try {
    return sys.realPath(parent === '' ? '.' : parent);
  } catch (error) {
    strerror(error);
    return parent;
  }
}

/** Undefined: nothing is there. */
export function statIfAny(sys: ToolContext['sys'], path: Bytes): FileStat | undefined {
  try {
    return sys.stat(path);
  } catch (error) {
    if (error instanceof SystemError && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
