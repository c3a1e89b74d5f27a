import { bytesOf, textOf, type Bytes } from '../../../engine/kernel/bytes.js';
import type { Program } from '../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import { copyDescriptor } from '../../tools/coreutils/files/content.js';
import { defineTool, ToolFailure } from '../../tools/framework/tool.js';

const BINARIES = '/opt/cni/bin';
const HOST = '/host';
/** Where the chart mounts the node's plug-ins for a program that runs on the node. */
const NODE_BINARIES = '/hostbin';

function copy(sys: Syscalls, from: Bytes, to: Bytes): void {
  const source = sys.open(from, { read: true });
  const target = sys.open(to, { write: true, create: true, truncate: true }, 0o755);
  copyDescriptor(sys, source, target);
  sys.close(target);
  sys.close(source);
}

/** Puts the plug-in on the node. Models images/cilium/install-plugin.sh. */
const installPlugin = defineTool(({ sys, out }) => {
  const folder = `${HOST}${BINARIES}`;
  out(bytesOf(`Installing cilium-cni to ${folder}/ ...\n`));
  if (!sys.access(folder, '')) throw new ToolFailure(`mkdir: cannot create directory '${folder}'`);
  if (!sys.access(`${folder}/loopback`, '')) copy(sys, `${BINARIES}/loopback`, `${folder}/loopback`);
  copy(sys, `${BINARIES}/cilium-cni`, `${folder}/.cilium-cni.new`);
  sys.rename(`${folder}/.cilium-cni.new`, `${folder}/cilium-cni`);
  out(bytesOf(`wrote ${folder}/cilium-cni\n`));
  return 0;
});

/**
 * Runs a program of the node in the node's namespaces, as the chart's init containers do it: by their files below a
 * mounted /proc, and with the plug-ins' folder mounted, where the program was put before.
 */
const nsenter = defineTool(({ sys, args, err }) => {
  const files = args.filter((word) => word.startsWith('--')).map((word) => word.slice(word.indexOf('=') + 1));
  const [program = '', ...rest] = args.filter((word) => !word.startsWith('-'));
  if (files.length === 0) throw new ToolFailure('no target PID specified');
  for (const file of files)
    if (!sys.access(file.split('/1/')[0] ?? '', ''))
      throw new ToolFailure(`cannot open ${textOf(file)}: No such file or directory`);
  if (!sys.hasCapability('SYS_ADMIN'))
    throw new ToolFailure("reassociate to namespace 'ns/mnt' failed: Operation not permitted");
  const name = program.slice(program.lastIndexOf('/') + 1);
  if (!sys.access(`${NODE_BINARIES}/${name}`, 'x')) {
    err(bytesOf(`nsenter: failed to execute ${textOf(program)}: No such file or directory\n`));
    return 127;
  }
  if (name === 'cilium-mount' && rest.length === 0) {
    err(bytesOf('usage: /opt/cni/bin/cilium-mount <cgroup-mount-point>\n'));
    return 1;
  }
  return 0;
});

/** Lists what is mounted, and mounts the file system of BPF for who is privileged. */
const mount = defineTool(({ sys, args, out, err }) => {
  if (args.length === 0) {
    for (const { source, path, type, options } of sys.mounts())
      out(bytesOf(`${source} on ${path} type ${type} (${options.join(',')})\n`));
    return 0;
  }
  const at = args.at(-1) ?? '';
  if (args[0] === '-t' && args[1] === 'bpf' && sys.hasCapability('SYS_ADMIN')) return 0;
  err(bytesOf(`mount: ${textOf(at)}: permission denied.\n`));
  err(bytesOf('       dmesg(1) may have more information after failed mount system call.\n'));
  return 32;
});

/** Without a container runtime that calls it, the plug-in has nothing to go by. */
const plugin = defineTool(({ out }) => {
  out(bytesOf('{\n    "code": 4,\n    "msg": "required env variables [CNI_COMMAND] missing"\n}\n'));
  return 1;
});

/** Removes what an agent has left, when it is told so. Models images/cilium/init-container.sh. */
const initContainer = defineTool(({ sys, out }) => {
  const isOn = (name: string): boolean => sys.env[name] === 'true';
  if (isOn('CILIUM_ALL_STATE') || isOn('CILIUM_BPF_STATE')) out(bytesOf('Removed BPF state\n'));
  return 0;
});

const quiet = defineTool(() => 0);

export const installers: Readonly<Record<string, Program>> = {
  'cilium:install-plugin': installPlugin,
  'cilium:init-container': initContainer,
  'cilium:cni-uninstall': quiet,
  'cilium:cilium-mount': quiet,
  'cilium:cilium-sysctlfix': quiet,
  'cilium:cilium-cni': plugin,
  'cilium:loopback': plugin,
  'cilium:nsenter': nsenter,
  'cilium:mount': mount,
};
