import type { Bytes } from '../../../engine/kernel/bytes.js';
import type { MountEntry } from '../../../engine/kernel/files/file.js';
import { EXEC } from '../../../engine/kernel/process/program.js';
import { readNames } from '../accounts.js';
import { exitCodeOf } from '../framework/command.js';
import { parseOptions } from '../framework/options.js';
import { defineTool, strerror, ToolFailure, UsageFailure } from '../framework/tool.js';

const MOUNT_OPTIONS = [
  ...['a,all', 't,types:', 'o,options:', 'r,read-only', 'w,rw,read-write', 'l,show-labels', 'B,bind', 'R,rbind', 'n'],
  ...['v,verbose', 'f,fake', 'M,move', 'L,label:', 'U,uuid:', 'make-private', 'make-shared', 'make-rprivate'],
];

/** What is mounted can be listed; nothing can be mounted from within a container, also with CAP_SYS_ADMIN. */
export const mount = defineTool(
  (tool) => {
    const options = parseOptions(tool, MOUNT_OPTIONS);
    const { sys, flavour } = tool;
    const [source, path] = options.operands;
    const types = options.values('t').flatMap((list) => list.split(','));
    if (source === undefined) {
      if (options.has('a')) return 0;
      for (const entry of sys.mounts())
        if (types.length === 0 || types.includes(entry.type)) tool.out(mountLine(entry));
      return 0;
    }
    const point = path ?? source;
    if (path === undefined && !sys.mounts().some((entry) => entry.path === source || entry.source === source)) {
      if (flavour === 'busybox') throw new ToolFailure(`can't find ${source} in /etc/fstab`);
      throw new ToolFailure(`${source}: can't find in /etc/fstab.`);
    }
    if (sys.user !== 0 && flavour === 'gnu') throw new ToolFailure(`${point}: must be superuser to use mount.`);
    if (!sys.access(point, '')) {
      if (flavour === 'gnu') throw new ToolFailure(`${point}: mount point does not exist.`, 32);
      throw new ToolFailure(`mounting ${source} on ${point} failed: No such file or directory`, 255);
    }
    if (flavour === 'busybox') {
      tool.warn(sys.user === 0 ? `permission denied (are you root?)` : 'permission denied (are you root?)');
      return 1;
    }
    tool.err(
      `mount: ${point}: permission denied.\n       dmesg(1) may have more information after failed mount system call.\n`,
    );
    return 32;
  },
  { usage: '[-lhV]' },
);

const mountLine = ({ source, path, type, options }: MountEntry): Bytes =>
  `${source} on ${path} type ${type} (${options.join(',')})\n`;

export const umount = defineTool((tool) => {
  const options = parseOptions(tool, [
    'a,all',
    'f,force',
    'l,lazy',
    'r,read-only',
    'R,recursive',
    't,types:',
    'n',
    'v,verbose',
  ]);
  const { sys, flavour } = tool;
  if (options.operands.length === 0) throw new UsageFailure(flavour === 'gnu' ? 'bad usage' : '');
  for (const target of options.operands) {
    const isMounted = sys.mounts().some((entry) => entry.path === target || entry.source === target);
    if (flavour === 'busybox')
      tool.warn(`can't unmount ${target}: ${isMounted ? 'Operation not permitted' : 'Invalid argument'}`);
    else if (!isMounted)
      tool.warn(`${target}: ${sys.access(target, '') ? 'not mounted.' : 'no mount point specified.'}`);
    else tool.warn(`${target}: must be superuser to unmount.`);
  }
  return flavour === 'gnu' ? 32 : 1;
});

export const mountpoint = defineTool((tool) => {
  const options = parseOptions(tool, ['q,quiet', 'd,fs-devno', 'x,devno', 'n', 'nofollow']);
  const [path] = options.operands;
  if (path === undefined) throw new UsageFailure('bad usage');
  let real: Bytes;
  try {
    real = tool.sys.realPath(path);
  } catch (error) {
    if (!options.has('q')) tool.warn(`${path}: ${strerror(error)}`);
    return 1;
  }
  const isMounted = tool.sys.mounts().some((entry) => entry.path === real);
  if (!options.has('q')) tool.out(`${path} is ${isMounted ? '' : 'not '}a mountpoint\n`);
  return isMounted ? 0 : tool.flavour === 'gnu' ? 32 : 1;
});

export const su = defineTool((tool) => {
  const options = parseOptions(tool, [
    'c,command:',
    'l,login',
    's,shell:',
    'm,p,preserve-environment',
    ...['P,pty', 'f,fast'],
  ]);
  const operands = options.operands.filter((word) => word !== '-');
  const name = operands[0] ?? 'root';
  const isLogin = options.has('l') || options.operands.includes('-');
  const { sys } = tool;
  const { users, groups } = readNames(sys);
  const user = users.find((one) => one.name === name);
  if (user === undefined) {
    throw new ToolFailure(
      tool.flavour === 'gnu'
        ? `user ${name} does not exist or the user entry does not contain all the required fields`
        : `unknown user ${name}`,
    );
  }
  if (sys.user !== 0) {
    if (tool.flavour === 'gnu') {
      tool.err('Password: \n');
      throw new ToolFailure('Authentication failure');
    }
    throw new ToolFailure(`must be suid to work properly`);
  }
  const shell = options.value('s') ?? (user.shell || '/bin/sh');
  const env: Record<string, Bytes> = isLogin
    ? { PATH: '/usr/local/bin:/usr/bin:/bin', TERM: sys.env['TERM'] ?? 'dumb' }
    : { ...sys.env };
  if (!options.has('m')) Object.assign(env, { HOME: user.home, SHELL: shell, USER: name, LOGNAME: name });
  if (/(?:nologin|false)$/.test(shell) && !sys.access(shell, 'x'))
    throw new ToolFailure(`failed to execute ${shell}: No such file or directory`, 127);
  const command = options.value('c');
  const base = shell.slice(shell.lastIndexOf('/') + 1);
  const words = [isLogin ? `-${base}` : base, ...(command === undefined ? operands.slice(1) : ['-c', command])];
  const others = groups.filter(({ members }) => members.includes(user.name)).map(({ id }) => id);
  sys.setUser(user.id, user.group, [...new Set([user.group, ...others])]);
  if (isLogin && sys.access(user.home, 'x')) sys.chdir(user.home);
  try {
    sys.exec(shell, words, env);
    return EXEC;
  } catch (error) {
    throw new ToolFailure(`failed to execute ${shell}: ${strerror(error)}`, exitCodeOf(error));
  }
});
