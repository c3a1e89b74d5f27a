import type { Program } from '../../../engine/kernel/process/program.js';
import { defineTool } from '../../tools/framework/tool.js';
import { bytesOf } from '../../../engine/kernel/bytes.js';
import { clients } from './ctl/index.js';
import { install } from './install.js';
import { logLine } from './lines.js';

/** Without a container runtime that calls them, plug-ins have nothing to go by. */
const plugin = defineTool((tool) => {
  if (tool.args[0] === '-v') {
    tool.out(bytesOf(`${tool.sys.env['CALICO_VERSION'] ?? 'v3.31.0'}\n`));
    return 0;
  }
  if (tool.args[0] !== '-upgrade') {
    tool.out(bytesOf('{\n    "code": 4,\n    "msg": "required env variables [CNI_COMMAND] missing"\n}\n'));
    return 1;
  }
  const say = (where: string, message: string): void =>
    tool.err(bytesOf(`${logLine(tool.sys.now, 1, 'INFO', where, message)}\n`));
  const node = tool.sys.env['KUBERNETES_NODE_NAME'] ?? '';
  say('ipam_plugin.go 75', 'migrating from host-local to calico-ipam...');
  say('migrate.go 67', 'checking host-local IPAM data dir dir existence...');
  say('migrate.go 69', 'host-local IPAM data dir dir not found; no migration necessary, successfully exiting...');
  say('ipam_plugin.go 105', `migration from host-local to calico-ipam complete node="${node}"`);
  return 0;
});

/** `calico-node -init` mounts what the BPF data plane needs; the others ask whether the agent is well. */
const node = defineTool((tool) => {
  if (tool.args[0] === '-v') tool.out(bytesOf(`${tool.sys.env['CALICO_VERSION'] ?? 'v3.31.0'}\n`));
  return 0;
});

export const programs: Readonly<Record<string, Program>> = {
  ...clients,
  'calico:install': install,
  'calico:calico': plugin,
  'calico:calico-ipam': plugin,
  'calico:calico-node': node,
};
