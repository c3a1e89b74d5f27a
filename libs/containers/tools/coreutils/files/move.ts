import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import type { FileStat } from '../../../../engine/kernel/files/file.js';
import { parseOptions, quoteName } from '../../framework/options.js';
import { type ToolContext, ToolFailure, defineTool, strerror } from '../../framework/tool.js';
import { COPY_OPTIONS, Copy } from './copy.js';
import { removeTree } from './remove.js';
import { mayReplace, parentPath, planTargets, statIfAny } from './targets.js';

const MOVE_OPTIONS = [
  'b',
  'f,force',
  'i,interactive',
  'n,no-clobber',
  't,target-directory:',
  'T,no-target-directory',
  'u,update',
  'v,verbose',
];

export const mv = defineTool(
  (tool) => {
    const options = parseOptions(tool, MOVE_OPTIONS);
    const answer = options.last('f', 'i', 'n');
    const asking = answer === 'i' ? tool.asking() : undefined;
    const { sys, flavour } = asking ?? tool;
    const isGnu = flavour === 'gnu';
    let code = 0;
    for (const [from, to] of planTargets(asking ?? tool, options)) {
      let source: FileStat;
      try {
        source = sys.lstat(from);
      } catch (error) {
        tool.warn(
          isGnu ? `cannot stat ${quoteName(from)}: ${strerror(error)}` : `can't rename '${from}': ${strerror(error)}`,
        );
        code = 1;
        continue;
      }
      try {
        const target = statIfAny(sys, to);
        if (target !== undefined && (answer === 'n' || (options.has('u') && target.modified >= source.modified)))
          continue;
        if (target !== undefined && target.inode === source.inode && sys.realPath(from) === sys.realPath(to)) {
          throw new ToolFailure(
            isGnu
              ? `${quoteName(from)} and ${quoteName(to)} are the same file`
              : `'${from}' and '${to}' are the same file`,
          );
        }
        if (source.type === 'directory' && `${parentPath(sys, to)}/`.startsWith(`${sys.realPath(from)}/`)) {
          throw new ToolFailure(`cannot move ${quoteName(from)} to a subdirectory of itself, ${quoteName(to)}`);
        }
        if (target !== undefined && asking !== undefined && !mayReplace(asking, to)) continue;
        if (asking === undefined) rename(tool, from, to);
        else asking.act(() => rename(tool, from, to));
        if (options.has('v')) tool.out(`${isGnu ? 'renamed ' : ''}${quoteName(from)} -> ${quoteName(to)}\n`);
      } catch (error) {
        code = 1;
        if (error instanceof ToolFailure) tool.warn(error.message);
        else
          tool.warn(
            isGnu
              ? `cannot move ${quoteName(from)} to ${quoteName(to)}: ${strerror(error)}`
              : `can't rename '${from}': ${strerror(error)}`,
          );
      }
    }
    return code;
  },
  { usage: '[OPTION]... SOURCE... DEST' },
);

/** Between file systems a move is a copy and a removal. */
function rename(tool: ToolContext, from: Bytes, to: Bytes): void {
  try {
    tool.sys.rename(from, to);
  } catch (error) {
    if (!(error instanceof SystemError) || error.code !== 'EXDEV') throw error;
    const copy = new Copy(tool, parseOptions({ ...tool, args: ['-a', '-T', from, to] }, COPY_OPTIONS));
    if (copy.run() === 0) removeTree(tool.sys, from);
  }
}
