import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { findGroup, findUser, readNames } from '../../accounts.js';
import { parseOptions, quoteName } from '../../framework/options.js';
import { ToolFailure, defineTool } from '../../framework/tool.js';
import { parentName, trimSlashes } from '../../names.js';
import { COPY_OPTIONS, Copy } from './copy.js';
import { makeParents } from './make.js';
import { applyMode } from './modes.js';
import { planTargets } from './targets.js';

const INSTALL_OPTIONS = [
  'd,directory',
  'D',
  'm,mode:',
  'o,owner:',
  'g,group:',
  'p,preserve-timestamps',
  's',
  't,target-directory:',
  'T',
  'v,verbose',
  'c',
];

export const install = defineTool(
  (tool) => {
    const options = parseOptions(tool, INSTALL_OPTIONS);
    const { sys } = tool;
    const mode = applyMode(options.value('m') ?? '755', 0, false, 0);
    if (mode === undefined) throw new ToolFailure(`invalid mode ${quoteName(options.value('m')!)}`);
    const names = readNames(sys);
    const [owner, group] = [options.value('o'), options.value('g')];
    const finish = (path: Bytes) => {
      sys.chmod(path, mode);
      if (owner === undefined && group === undefined) return;
      const [user, groupId] = [
        owner === undefined ? sys.user : findUser(names, owner),
        group === undefined ? sys.group : findGroup(names, group),
      ];
      if (user === undefined) throw new ToolFailure(`invalid user ${quoteName(owner!)}`);
      if (groupId === undefined) throw new ToolFailure(`invalid group ${quoteName(group!)}`);
      sys.chown(path, user, groupId);
    };
    if (options.has('d')) {
      for (const path of options.operands) {
        makeParents(tool, path, (directory) => sys.makeDirectory(directory, 0o755));
        finish(path);
      }
      return 0;
    }
    const last = options.operands.at(-1);
    if (options.has('D') && last !== undefined) {
      const parent = trimSlashes(options.value('t') ?? parentName(last));
      if (parent !== '') makeParents(tool, parent, (directory) => sys.makeDirectory(directory, 0o755));
    }
    const copies = planTargets(tool, options);
    const copy = new Copy(tool, parseOptions({ ...tool, args: options.has('v') ? ['-v'] : [] }, COPY_OPTIONS));
    for (const [from, to] of copies) {
      copy.copy(from, to);
      finish(to);
    }
    return 0;
  },
  { usage: '[OPTION]... SOURCE... DEST' },
);
