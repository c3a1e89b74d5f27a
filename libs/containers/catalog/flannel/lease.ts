import { Nodes } from '../../../engine/kinds/index.js';
import type { Client } from '../../../engine/machinery/client.js';
import { FLANNEL } from '../../../engine/node/cni/agent-files.js';
import { hash32 } from '../../../engine/machinery/random.js';
import { timestamp } from '../../../engine/machinery/time/time.js';
import type { NetConf } from '../../../engine/node/cni/flannel/net-conf.js';

const UNAVAILABLE = 'NetworkUnavailable';

/** Says on its node where the node's part of the network is. Models flannel's pkg/subnet/kube/kube.go AcquireLease. */
export function acquireLease(api: Client, nodeName: string, conf: NetConf, now: number): boolean {
  const node = api.get(Nodes, { namespace: '', name: nodeName });
  if (!node?.spec.podCIDR) return false;
  const before = node.metadata.annotations ?? {};
  const publicIP =
    before[`${FLANNEL}public-ip-overwrite`] ??
    node.status.addresses?.find(({ type }) => type === 'InternalIP')?.address ??
    '';
  const own: Record<string, string> = {
    'backend-data': backendData(conf, nodeName),
    'backend-type': conf.backend,
    'kube-subnet-manager': 'true',
    'public-ip': publicIP,
  };
  const annotations = Object.fromEntries(Object.entries(own).map(([name, value]) => [FLANNEL + name, value]));
  const known = node.status.conditions?.find(({ type }) => type === UNAVAILABLE);
  const isSaid = Object.entries(annotations).every(([name, value]) => before[name] === value);
  if (isSaid && known?.reason === 'FlannelIsUp') return true;
  const time = timestamp(now);
  const condition = {
    ...{ type: UNAVAILABLE, status: 'False', reason: 'FlannelIsUp', message: 'Flannel is running on this node' },
    ...{ lastHeartbeatTime: time, lastTransitionTime: time },
  };
  const others = (node.status.conditions ?? []).filter(({ type }) => type !== UNAVAILABLE);
  api.updateStatus(Nodes, {
    ...node,
    metadata: { ...node.metadata, annotations: { ...before, ...annotations } },
    status: { ...node.status, conditions: [condition, ...others] },
  });
  return true;
}

/** The end of the tunnel, whose address on the link is made up once, and kept. */
function backendData({ backend, vni }: NetConf, node: string): string {
  if (backend !== 'vxlan') return 'null';
  const digits = [1, 2, 3, 4, 5].map((i) => (hash32(node, i) % 256).toString(16).padStart(2, '0'));
  return JSON.stringify({ VNI: vni, VtepMAC: ['ae', ...digits].join(':') });
}
