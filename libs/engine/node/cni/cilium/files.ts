import type { Reader } from '../../../machinery/client.js';
import { ciliumNodeOf, routerOf } from './objects.js';
import { ciliumConfig, ciliumSettings } from './settings.js';

const RUN = '/var/run/cilium';
const NONE: Readonly<Record<string, string | undefined>> = {};

/**
 * What the agent has left on its node once it knew its addresses: the network's configuration. Models
 * daemon/cmd/cni/config.go. Left out: configurations of others are not renamed to *.cilium_bak; its own comes first.
 */
export function ciliumFiles(read: Reader, node: string): Readonly<Record<string, string | undefined>> {
  if (!ciliumConfig(read)) return NONE;
  // Pods mount them before there is anything in them.
  const folders = { [RUN]: undefined, [`${RUN}/state`]: undefined };
  const own = ciliumNodeOf(read, node);
  if (!own || routerOf(own) === '') return folders;
  const { chaining } = ciliumSettings(read);
  const plugin = { type: 'cilium-cni', 'enable-debug': false, 'log-file': `${RUN}/cilium-cni.log` };
  const others = chaining === 'portmap' ? [{ type: 'portmap', capabilities: { portMappings: true } }] : [];
  const config = { cniVersion: '0.3.1', name: 'cilium', plugins: [plugin, ...others] };
  return {
    ...folders,
    '/etc/cni/net.d/05-cilium.conflist': `\n${JSON.stringify(config, undefined, 2)}\n`,
  };
}
