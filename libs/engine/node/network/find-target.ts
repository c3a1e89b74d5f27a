import type { Node } from '../../api/core_v1.js';
import { Nodes, Pods, Services } from '../../kinds/index.js';
import type { Reader } from '../../machinery/client.js';
import { SECOND, type Millis } from '../../machinery/time/time.js';
import { podAt } from '../cni/cluster-dns.js';
import { internalIPOf } from '../kubelet/nodestatus/internal-ip.js';
import { isApiServer } from './api-server.js';
import { behindService } from './service-target.js';
import { REFUSED, type Target } from './target.js';

const POD_NETWORK = /^10\.244\./;
/** Until the kernel gives up to find a neighbour by ARP. */
const NEIGHBOUR_TIMEOUT = 3.06 * SECOND;

/** Where a packet that a pod sends to an address is delivered. */
export function findTarget(
  read: Reader,
  flow: string,
  address: string,
  port: number,
  protocol: 'tcp' | 'udp',
  now: Millis,
): Target {
  const service = read.byIndex(Services, 'clusterIP', address)[0];
  if (service) return behindService(read, service, flow, port, protocol, now);
  const pod = podAt(read, address);
  if (pod) return { pod, port };
  const node = read.list(Nodes).find((n) => internalIPOf(n) === address);
  if (node) return onNode(read, node, flow, port, protocol, now);
  if (POD_NETWORK.test(address)) return { error: 'EHOSTUNREACH', after: NEIGHBOUR_TIMEOUT };
  return { error: 'ENETUNREACH', after: 0 };
}

/** A node's own address: the API server, a node port, a pod on the node's network. */
function onNode(read: Reader, node: Node, flow: string, port: number, protocol: 'tcp' | 'udp', now: Millis): Target {
  if (isApiServer(read, internalIPOf(node), port)) return { api: true };
  for (const service of read.byIndex(Services, 'nodePort', String(port))) {
    const found = service.spec.ports?.find((p) => p.nodePort === port);
    if (found) return behindService(read, service, flow, found.port ?? 0, protocol, now);
  }
  const pod = read
    .list(Pods)
    .find(
      (p) =>
        p.spec.hostNetwork &&
        p.spec.nodeName === node.metadata.name &&
        p.spec.containers.some((c) => c.ports?.some((own) => own.containerPort === port)),
    );
  return pod ? { pod, port } : REFUSED;
}
