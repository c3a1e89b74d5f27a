import type { Client } from '@terrarium/engine';
import { Nodes, Pods } from '../../../engine/kinds/index.js';
import { hash32 } from '../../../engine/machinery/random.js';
import {
  CiliumNodes,
  ciliumNodeOf,
  rangeOf,
  routerOf,
  usableOf,
  type CiliumNode,
} from '../../../engine/node/cni/cilium/objects.js';
import { ciliumSettings } from '../../../engine/node/cni/cilium/settings.js';
import { toText } from '../../../engine/node/cni/fabric/fabric.js';
import { internalIPOf } from '../../../engine/node/kubelet/nodestatus/internal-ip.js';

/** What other modes of the agent keep there. */
const OTHERS = { 'alibaba-cloud': {}, azure: {}, encryption: {}, eni: {}, ingress: {} };

/**
 * The agent's own object: it says where the node is, and once there is a range, which address its router has and which
 * its health endpoint. False: its range is not there yet. Models pkg/nodediscovery.
 */
export function registerNode(api: Client, name: string): boolean {
  const node = api.get(Nodes, { namespace: '', name });
  if (!node) return false;
  const { labels = {}, uid = '' } = node.metadata;
  const known = ciliumNodeOf(api, name);
  const own: CiliumNode = known ?? {
    ...{ apiVersion: 'cilium.io/v2', kind: 'CiliumNode' },
    metadata: { name, labels, ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid }] },
    spec: {
      ...OTHERS,
      addresses: [{ ip: internalIPOf(node), type: 'InternalIP' }],
      ...{ health: {}, ipam: ciliumSettings(api).ipam === 'kubernetes' ? { podCIDRs: [node.spec.podCIDR ?? ''] } : {} },
    },
  };
  if (routerOf(own) !== '') return true;
  const range = rangeOf(own);
  if (range !== '') {
    const [router, health] = chooseAddresses(api, name, range);
    const addresses = [
      { ip: internalIPOf(node), type: 'InternalIP' },
      { ip: router, type: 'CiliumInternalIP' },
    ];
    const spec = { ...own.spec, addresses, health: { ipv4: health } };
    if (known) api.update(CiliumNodes, { ...own, spec });
    else api.create(CiliumNodes, { ...own, spec });
    return true;
  }
  if (!known) api.create(CiliumNodes, own);
  return false;
}

/** Any two of the range that no pod has. */
function chooseAddresses(api: Client, node: string, range: string): readonly [router: string, health: string] {
  const taken = new Set(api.byIndex(Pods, 'nodeName', node).map(({ status }) => status.podIP));
  const [first, last] = usableOf(range);
  const count = last - first + 1;
  const chosen: string[] = [];
  const start = hash32(`${node}/router`) % count;
  for (let i = 0; i < count && chosen.length < 2; i++) {
    const ip = toText(first + ((start + i * 37) % count));
    if (!taken.has(ip) && !chosen.includes(ip)) chosen.push(ip);
  }
  return [chosen[0] ?? toText(first), chosen[1] ?? toText(last)];
}
