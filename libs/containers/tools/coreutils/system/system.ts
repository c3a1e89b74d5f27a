import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import { lookUp } from '../../../servers/lookup.js';
import { findUser, groupName, readNames, userName } from '../../accounts.js';
import { parseOptions, quoteName, refuseExtraOperands } from '../../framework/options.js';
import { defineTool, strerror, type ToolContext, ToolFailure, UsageFailure } from '../../framework/tool.js';
import { forEach } from '../files/make.js';

const MACHINE = 'x86_64';

export const uname = defineTool(
  (tool) => {
    const table = ['a,all', 's,kernel-name', 'n,nodename', 'r,kernel-release', 'v,kernel-version', 'm,machine'];
    const options = parseOptions(tool, [...table, 'p,processor', 'i,hardware-platform', 'o,operating-system']);
    refuseExtraOperands(tool, options.operands, 0);
    const { release, version } = tool.sys.kernel;
    const values: Readonly<Record<string, string>> = {
      ...{ s: 'Linux', n: tool.sys.hostname, r: release, v: version, m: MACHINE },
      ...{ p: 'unknown', i: 'unknown', o: tool.flavour === 'gnu' ? 'GNU/Linux' : 'Linux' },
    };
    const all = tool.flavour === 'gnu' ? 'snrvmo' : 'snrvmo';
    const wanted = options.has('a') ? all : options.all.length === 0 ? 's' : 'snrvmpio';
    const shown = [...wanted].filter((key) => options.has('a') || options.all.length === 0 || options.has(key));
    tool.out(`${shown.map((key) => values[key]).join(' ')}\n`);
    return 0;
  },
  { usage: '[OPTION]...' },
);

export const arch = defineTool((tool) => {
  tool.out(`${MACHINE}\n`);
  return 0;
});

export const hostname = defineTool(
  (tool) => {
    const table = ['a,alias', 'd,domain', 'f,fqdn,long', 'i,ip-address', 'I,all-ip-addresses', 's,short', 'F,file:'];
    const options = parseOptions(tool, table);
    const { sys } = tool;
    if (options.operands.length > 0 || options.has('F')) {
      throw new ToolFailure(
        tool.flavour === 'gnu' ? 'you must be root to change the host name' : 'sethostname: Operation not permitted',
      );
    }
    const addresses = () =>
      sys
        .interfaces()
        .filter(({ name }) => name !== 'lo')
        .flatMap((one) => one.addresses.map((address) => address.replace(/\/.*/, '')));
    if (options.has('I')) tool.out(`${addresses().join(' ')} \n`);
    else if (options.has('i')) tool.out(`${addresses()[0] ?? '127.0.0.1'}\n`);
    else if (options.has('s')) tool.out(`${sys.hostname.split('.')[0]}\n`);
    else if (options.has('d')) tool.out(`${fullName(sys).split('.').slice(1).join('.')}\n`);
    else if (options.has('f')) tool.out(`${fullName(sys)}\n`);
    else tool.out(`${sys.hostname}\n`);
    return 0;
  },
  { usage: '[-b] {hostname|-F file}' },
);

/** The canonical name of the host, as the container's libc finds it. */
const fullName = (sys: Syscalls): Bytes => lookUp(sys, sys.hostname).canonical;

/** Of a cgroup's quota it knows nothing, as before coreutils 9.8. */
export const nproc = defineTool(
  (tool) => {
    const options = parseOptions(tool, ['all', 'ignore:']);
    tool.out(`${Math.max(1, tool.sys.cpus - Number(options.value('ignore') ?? 0))}\n`);
    return 0;
  },
  { usage: '[OPTION]...' },
);

export const whoami = defineTool((tool) => {
  refuseExtraOperands(tool, parseOptions(tool, []).operands, 0);
  const user = readNames(tool.sys).users.find(({ id }) => id === tool.sys.user);
  if (user === undefined) {
    throw new ToolFailure(
      tool.flavour === 'gnu' ? `cannot find name for user ID ${tool.sys.user}` : `unknown uid ${tool.sys.user}`,
    );
  }
  tool.out(`${user.name}\n`);
  return 0;
});

/** The kernel has them in ascending order; GNU's tools put the effective group first. */
function orderGroups({ flavour }: ToolContext, group: number, others: readonly number[]): number[] {
  const sorted = [...new Set([group, ...others])].sort((a, b) => a - b);
  return flavour === 'gnu' ? [...new Set([group, ...sorted])] : sorted;
}

export const id = defineTool(
  (tool) => {
    const options = parseOptions(tool, [
      'a',
      'G,groups',
      'g,group',
      'n,name',
      'r,real',
      'u,user',
      'z,zero',
      'Z,context',
    ]);
    const { sys } = tool;
    const names = readNames(sys);
    const [operand] = options.operands;
    const known = operand === undefined ? undefined : names.users.find((user) => user.id === findUser(names, operand));
    if (operand !== undefined && known === undefined) {
      throw new ToolFailure(tool.flavour === 'gnu' ? `${quoteName(operand)}: no such user` : `unknown user ${operand}`);
    }
    const [user, group] = known === undefined ? [sys.user, sys.group] : [known.id, known.group];
    const member = names.groups.filter(({ members }) => members.includes(known?.name ?? '')).map((entry) => entry.id);
    const all = known === undefined ? sys.groups : member;
    const groups = known === undefined ? orderGroups(tool, group, all) : [...new Set([group, ...all])];
    const show = (number: number, name: Bytes) => (options.has('n') ? name : String(number));
    if (options.has('u')) tool.out(`${show(user, userName(names, user))}\n`);
    else if (options.has('g')) tool.out(`${show(group, groupName(names, group))}\n`);
    else if (options.has('G')) tool.out(`${groups.map((g) => show(g, groupName(names, g))).join(' ')}\n`);
    else {
      const withName = (number: number, name: Bytes) =>
        name === String(number) ? String(number) : `${number}(${name})`;
      const list = groups.map((g) => withName(g, groupName(names, g))).join(',');
      tool.out(
        `uid=${withName(user, userName(names, user))} gid=${withName(group, groupName(names, group))} groups=${list}\n`,
      );
    }
    return 0;
  },
  { usage: '[OPTION]... [USER]...' },
);

export const groups = defineTool((tool) => {
  const names = readNames(tool.sys);
  const list = orderGroups(tool, tool.sys.group, tool.sys.groups);
  tool.out(`${list.map((group) => groupName(names, group)).join(' ')}\n`);
  return 0;
});

/** Nobody logs into a container: there is no utmp. */
export const who = defineTool((tool) => {
  parseOptions(tool, ['a,all', 'b,boot', 'H,heading', 'q,count', 'm', 's', 'u', 'r', 'T,w']);
  return 0;
});

export const tty = defineTool((tool) => {
  const options = parseOptions(tool, ['s,silent,quiet']);
  const name = tool.sys.terminalName(0);
  if (!options.has('s')) tool.out(name === undefined ? 'not a tty\n' : `/dev/${name}\n`);
  return name === undefined ? 1 : 0;
});

export const stty = defineTool((tool) => {
  const { sys, args } = tool;
  if (!sys.isTerminal(0))
    throw new ToolFailure(
      tool.flavour === 'gnu'
        ? "'standard input': Inappropriate ioctl for device"
        : 'standard input: Inappropriate ioctl for device',
    );
  const { rows, columns } = sys.terminalSize(0);
  if (args[0] === 'size') tool.out(`${rows} ${columns}\n`);
  else if (args.length === 0) tool.out('speed 38400 baud; line = 0;\n');
  else if (args[0] === '-a') tool.out(`speed 38400 baud; rows ${rows}; columns ${columns}; line = 0;\n`);
  else if (args.includes('raw')) sys.setTerminalMode(0, 'raw');
  else if (args.includes('-echo')) sys.setTerminalMode(0, 'no-echo');
  else if (args.some((word) => ['sane', 'cooked', '-raw', 'echo'].includes(word))) sys.setTerminalMode(0, 'cooked');
  else if (!/^(?:-?[a-z]+|\d+)$/.test(args[0]!)) throw new UsageFailure(`invalid argument ${quoteName(args[0]!)}`);
  return 0;
});

/** Everything that is written is in the log already. */
export const sync = defineTool((tool) =>
  forEach(
    tool,
    parseOptions(tool, ['d,data', 'f,file-system']).operands,
    (path) => void tool.sys.stat(path),
    (path, message) => `error opening ${quoteName(path)}: ${message}`,
  ),
);

/** There is no syslog to write to in a container. */
export const logger = defineTool((tool) => {
  const options = parseOptions(tool, ['t,tag:', 'p,priority:', 's,stderr', 'i,id', 'f,file:']);
  const text = options.operands.length > 0 ? options.operands.join(' ') : tool.stdin();
  if (options.has('s')) tool.err(`${options.value('t') ?? 'root'}: ${text.replace(/\n$/, '')}\n`);
  if (tool.flavour === 'gnu' && !hasSyslog(tool)) {
    tool.warn('socket /dev/log: No such file or directory');
    return 1;
  }
  return 0;
});

function hasSyslog({ sys }: ToolContext): boolean {
  try {
    return sys.stat('/dev/log').type === 'socket';
  } catch (error) {
    strerror(error);
    return false;
  }
}
