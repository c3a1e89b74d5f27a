import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import { EXEC, type Wait } from '../../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import { NETNS } from '../../../../engine/node/network/namespaces.js';
import { exitCodeOf, findCommand } from '../../framework/command.js';
import { strerror, type ToolContext, ToolFailure } from '../../framework/tool.js';

/** `ip netns`: the namespaces that containerd has made for pods. Models iproute2's ip/ipnetns.c. */
export function runNetns(tool: ToolContext, [verb = 'list', ...words]: readonly Bytes[]): number | Wait {
  if (['list', 'show', 'lst'].some((name) => name.startsWith(verb))) return list(tool);
  if ('exec'.startsWith(verb)) return execute(tool, words);
  tool.err(
    ['add', 'attach', 'delete', 'set', 'identify', 'pids', 'monitor'].includes(verb)
      ? `ip netns ${verb} is not simulated\n`
      : `Command "${verb}" is unknown, try "ip netns help".\n`,
  );
  return 255;
}

function list(tool: ToolContext): number {
  const { sys } = tool;
  const names = sys.access(NETNS, 'r') ? sys.readDirectory(NETNS) : [];
  for (const [index, name] of names.entries()) tool.out(`${name} (id: ${index})\n`);
  return 0;
}

function execute(tool: ToolContext, [name, ...argv]: readonly Bytes[]): number | Wait {
  if (name === undefined) {
    tool.err('No netns name specified\n');
    return 255;
  }
  if (argv.length === 0) {
    tool.err('No command specified\n');
    return 255;
  }
  enterNamed(tool.sys, name);
  try {
    tool.sys.exec(findCommand(tool.sys, argv[0]!), argv);
    return EXEC;
  } catch (error) {
    tool.err(`exec of "${argv[0]}" failed: ${strerror(error)}\n`);
    return exitCodeOf(error) === 127 ? 255 : 1;
  }
}

/** `ip -n NAME` and `ip netns exec NAME`. Throws ToolFailure. */
export function enterNamed(sys: Syscalls, name: Bytes): void {
  if (name.includes('/') || !sys.access(`${NETNS}/${name}`, 'r'))
    throw new ToolFailure(`Cannot open network namespace "${name}": No such file or directory`, 255);
  try {
    sys.enterNetwork(name);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    throw new ToolFailure(`setting the network namespace "${name}" failed: ${error.message}`, 255);
  }
}
