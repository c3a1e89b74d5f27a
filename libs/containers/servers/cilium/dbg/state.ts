import { textOf } from '../../../../engine/kernel/bytes.js';
import { CILIUM_STATE_FILE, type CiliumView } from '../../../../engine/node/cni/cilium/view.js';
import { ToolFailure, type ToolContext } from '../../../tools/framework/tool.js';

/** What the agent of the node knows; fails as its clients do where there is none. */
export function readState(tool: ToolContext, what: string): CiliumView {
  if (tool.sys.access(CILIUM_STATE_FILE, 'r')) return JSON.parse(textOf(tool.input(CILIUM_STATE_FILE))) as CiliumView;
  tool.err(
    `Error: Cannot get ${what}: Get "http://localhost/v1/${what}": dial unix /var/run/cilium/cilium.sock: ` +
      'connect: no such file or directory\nIs the agent running?\n',
  );
  throw new ToolFailure('', 1);
}

/** The names of reserved identities, with those that the kube-apiserver has beside. */
export const RESERVED_LABELS: readonly (readonly [id: number, labels: readonly string[]])[] = [
  [1, ['reserved:host', 'reserved:kube-apiserver']],
  [2, ['reserved:world']],
  [3, ['reserved:unmanaged']],
  [4, ['reserved:health']],
  [5, ['reserved:init']],
  [6, ['reserved:remote-node']],
  [7, ['reserved:kube-apiserver', 'reserved:remote-node']],
  [8, ['reserved:ingress']],
  [9, ['reserved:world-ipv4']],
  [10, ['reserved:world-ipv6']],
];
