import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { FileStat } from '../../../../engine/kernel/files/file.js';
import { findGroup, findUser, groupName, readNames, userName } from '../../accounts.js';
import { modeLetters, octal } from '../../format.js';
import { type Options, parseOptions, quoteName, requireOperands } from '../../framework/options.js';
import { defineTool, strerror, type ToolContext, ToolFailure, UsageFailure } from '../../framework/tool.js';
import { applyMode } from './modes.js';

/** Calls for a file and, with -R, all below it. Links below are not followed. Returns the exit code. */
function walkTree(
  tool: ToolContext,
  path: Bytes,
  isRecursive: boolean,
  act: (path: Bytes, stat: FileStat) => void,
): number {
  const { sys } = tool;
  let stat: FileStat;
  try {
    stat = sys.lstat(path);
    if (stat.type === 'link') sys.stat(path);
  } catch (error) {
    const message = strerror(error);
    tool.warn(tool.flavour === 'gnu' ? `cannot access ${quoteName(path)}: ${message}` : `${path}: ${message}`);
    return 1;
  }
  let code = 0;
  try {
    act(path, stat.type === 'link' ? sys.stat(path) : stat);
  } catch (error) {
    tool.warn(explainChange(tool, path, strerror(error)));
    code = 1;
  }
  if (!isRecursive || stat.type !== 'directory') return code;
  for (const name of sys.readDirectory(path)) {
    const child = path.endsWith('/') ? path + name : `${path}/${name}`;
    sys.charge(1);
    if (sys.lstat(child).type !== 'link') code = walkTree(tool, child, true, act) || code;
  }
  return code;
}

function explainChange(tool: ToolContext, path: Bytes, message: string): Bytes {
  if (tool.flavour === 'busybox') return `${path}: ${message}`;
  const base = tool.name.slice(tool.name.lastIndexOf('/') + 1);
  const what =
    base === 'chmod' ? 'changing permissions of' : base === 'chgrp' ? 'changing group of' : 'changing ownership of';
  return `${what} ${quoteName(path)}: ${message}`;
}

const CHMOD_OPTIONS = ['c,changes', 'f,silent,quiet', 'v,verbose', 'R,recursive', 'reference:', 'preserve-root'];

export const chmod = defineTool(
  (tool) => {
    // A mode such as -x is no option.
    const modeAt = tool.args.findIndex((word) => /^-[rwxXstugoa,=+-]+$/.test(word) && !/^-R/.test(word));
    const args = tool.args.filter((_word, i) => i !== modeAt);
    const options = parseOptions({ ...tool, args }, CHMOD_OPTIONS);
    const reference = options.value('reference');
    const operands = modeAt < 0 ? options.operands : [tool.args[modeAt]!, ...options.operands];
    requireOperands(tool, operands, reference === undefined ? 2 : 1);
    const [text, ...paths] = reference === undefined ? operands : [octal(tool.sys.stat(reference).mode), ...operands];
    const umask = tool.sys.umask();
    if (applyMode(text!, 0, false, umask) === undefined) {
      throw tool.flavour === 'gnu'
        ? new UsageFailure(`invalid mode: ${quoteName(text!)}`)
        : new ToolFailure(`invalid mode '${text}'`);
    }
    let code = 0;
    for (const path of paths) {
      const result = walkTree(tool, path, options.has('R'), (file, stat) => {
        const mode = applyMode(text!, stat.mode, stat.type === 'directory', umask)!;
        tool.sys.chmod(file, mode);
        tellChange(tool, options, file, stat, mode);
      });
      code = result || code;
    }
    return code;
  },
  { usage: '[OPTION]... MODE[,MODE]... FILE...' },
);

function tellChange(tool: ToolContext, options: Options, path: Bytes, stat: FileStat, mode: number): void {
  const isChanged = stat.mode !== mode;
  if (!options.has('v') && !(options.has('c') && isChanged)) return;
  const show = (bits: number) => `${octal(bits)} (${modeLetters('file', bits).slice(1)})`;
  const text = isChanged ? `changed from ${show(stat.mode)} to ${show(mode)}` : `retained as ${show(mode)}`;
  tool.out(`mode of ${quoteName(path)} ${text}\n`);
}

const CHOWN_OPTIONS = [
  ...[
    'c,changes',
    'f,silent,quiet',
    'v,verbose',
    'R,recursive',
    'h,no-dereference',
    'H',
    'L',
    'P',
    'reference:',
    'from:',
  ],
  ...['dereference', 'preserve-root'],
];

export const chown = defineTool((tool) => changeOwner(tool, false), { usage: '[OPTION]... [OWNER][:[GROUP]] FILE...' });
export const chgrp = defineTool((tool) => changeOwner(tool, true), { usage: '[OPTION]... GROUP FILE...' });

function changeOwner(tool: ToolContext, isGroupOnly: boolean): number {
  const options = parseOptions(tool, CHOWN_OPTIONS);
  const reference = options.value('reference');
  requireOperands(tool, options.operands, reference === undefined ? 2 : 1);
  const paths = reference === undefined ? options.operands.slice(1) : options.operands;
  const names = readNames(tool.sys);
  const [user, group] =
    reference === undefined
      ? readOwner(tool, options.operands[0]!, isGroupOnly)
      : ([tool.sys.stat(reference).user, tool.sys.stat(reference).group] as const);
  let code = 0;
  for (const path of paths) {
    const result = walkTree(tool, path, options.has('R'), (file, stat) => {
      tool.sys.chown(file, user ?? stat.user, group ?? stat.group, options.has('h'));
      if (options.has('v')) {
        const to = [
          user === undefined ? '' : userName(names, user),
          group === undefined ? '' : groupName(names, group),
        ];
        tool.out(
          `changed ownership of ${quoteName(file)} from ${userName(names, stat.user)}:${groupName(names, stat.group)} to ${to.filter(Boolean).join(':')}\n`,
        );
      }
    });
    code = result || code;
  }
  return code;
}

function readOwner(
  tool: ToolContext,
  text: Bytes,
  isGroupOnly: boolean,
): readonly [number | undefined, number | undefined] {
  const names = readNames(tool.sys);
  const [owner = '', groupText] = isGroupOnly ? ['', text] : text.split(/[:.]/);
  const user = owner === '' ? undefined : findUser(names, owner);
  const isBusybox = tool.flavour === 'busybox';
  if (owner !== '' && user === undefined) {
    throw new ToolFailure(isBusybox ? `unknown user/group ${text}` : `invalid user: ${quoteName(text)}`);
  }
  if (groupText === '') return [user, names.users.find(({ id }) => id === user)?.group ?? undefined];
  const group = groupText === undefined ? undefined : findGroup(names, groupText);
  if (groupText !== undefined && group === undefined) {
    throw new ToolFailure(isBusybox ? `unknown user/group ${text}` : `invalid group: ${quoteName(text)}`);
  }
  return [user, group];
}
