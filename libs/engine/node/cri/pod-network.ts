import type { Node, Pod, Service } from '../../api/core_v1.js';
import type { Endpoint, EndpointPort } from '../../api/discovery_v1.js';
import type { Destination, Network, Remote } from '../../kernel/network.js';
import { EndpointSlices, Nodes, Pods, Services } from '../../kinds/index.js';
import type { Reader } from '../../machinery/client.js';
import { hash32 } from '../../machinery/random.js';
import { SECOND, type Millis } from '../../machinery/time/time.js';
import { podAt, resolveName } from '../cni/cluster-dns.js';
import { isReadyAt } from '../kubelet/container/process.js';
import { internalIPOf } from '../kubelet/nodestatus/internal-ip.js';

const SERVICE_NAME = 'kubernetes.io/service-name';
const API_SERVER_PORT = 6_443;
const CONTROL_PLANE = 'node-role.kubernetes.io/control-plane';
const POD_NETWORK = /^10\.244\./;
/** Until the kernel gives up to find a neighbour by ARP. */
const NEIGHBOUR_TIMEOUT = 3.06 * SECOND;
/** Until the kernel has sent its last SYN in vain. */
const CONNECT_TIMEOUT = 130 * SECOND;

export interface NetworkOptions {
  readonly read: Reader;
  /** Called when a program asks for a name or connects to an address. */
  onContact(now: Millis): void;
  /**
   * What is at a port of a pod: a server that is known by its summary, a program of the pod's machine, or nothing that
   * accepts connections.
   */
  listenerOf(pod: Pod, port: number, now: Millis): 'summary' | 'machine' | 'none';
  /** A server that is known by its summary. */
  summaryServer(pod: Pod, port: number): Remote;
  apiServer(from: Pod): Remote;
}

/** Where a packet to an address is delivered. */
type Target =
  | { readonly pod: Pod; readonly port: number }
  | { readonly api: true }
  | { readonly error: 'ECONNREFUSED' | 'EHOSTUNREACH' | 'ENETUNREACH' | 'ETIMEDOUT'; readonly after: Millis };

const REFUSED: Target = { error: 'ECONNREFUSED', after: 0 };

/** The cluster's network, as one pod is plugged into it. */
export function podNetwork(pod: Pod, options: NetworkOptions): Network {
  const { read } = options;
  const ip = pod.status.podIP ?? '';
  return {
    connect(from, address, port, protocol, now) {
      options.onContact(now);
      return connect(findTarget(read, `${from}/${address}`, address, port, protocol, now), pod, options, now);
    },
    resolve(name, type, now) {
      options.onContact(now);
      return resolveName(read, name, type, now);
    },
    interfaces: () => [
      LOOPBACK,
      { name: 'eth0', index: 2, addresses: ip ? [`${ip}/24`] : [], mac: macOf(ip), mtu: 1_500, isUp: true },
    ],
    routes: () => {
      const gateway = ip.replace(/\.\d+$/, '.1');
      const network = ip.replace(/\.\d+$/, '.0/24');
      return ip
        ? [
            { destination: 'default', gateway, device: 'eth0' },
            { destination: network, gateway, device: 'eth0', source: ip },
            { destination: gateway, device: 'eth0', source: ip },
          ]
        : [];
    },
  };
}

const LOOPBACK = {
  name: 'lo',
  index: 1,
  addresses: ['127.0.0.1/8', '::1/128'],
  mac: '00:00:00:00:00:00',
  mtu: 65_536,
  isUp: true,
};

/** Local, and the address in it, as plug-ins choose it. */
const macOf = (ip: string): string =>
  ['0a', '58', ...ip.split('.').map((part) => Number(part).toString(16).padStart(2, '0'))].join(':');

function connect(target: Target, from: Pod, options: NetworkOptions, now: Millis): Destination {
  if ('error' in target) return target;
  if ('api' in target) return { remote: options.apiServer(from) };
  const { pod, port } = target;
  switch (options.listenerOf(pod, port, now)) {
    case 'summary':
      return { remote: options.summaryServer(pod, port) };
    case 'machine':
      return { machine: pod.metadata.uid ?? '', port, from: from.status.podIP ?? '' };
    default:
      return { error: 'ECONNREFUSED', after: 0 };
  }
}

function findTarget(
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

/** Models kube-proxy's rules: an endpoint that is ready, or REJECT when there is none. */
function behindService(
  read: Reader,
  service: Service,
  flow: string,
  port: number,
  protocol: 'tcp' | 'udp',
  now: Millis,
): Target {
  const { namespace = '', name = '' } = service.metadata;
  const found = service.spec.ports?.find((p) => p.port === port && (p.protocol ?? 'TCP').toLowerCase() === protocol);
  if (!found) return { error: 'ETIMEDOUT', after: CONNECT_TIMEOUT };
  const backends = backendsOf(read, namespace, name, found.name ?? '', now);
  if (backends.length === 0) return REFUSED;
  const sticky = service.spec.sessionAffinity === 'ClientIP';
  const { ip, port: targetPort, endpoint } = backends[hash32(flow, sticky ? 0 : now) % backends.length]!;
  const ref = endpoint.targetRef;
  const pod =
    ref?.kind === 'Pod' ? read.get(Pods, { namespace: ref.namespace ?? namespace, name: ref.name ?? '' }) : undefined;
  if (pod) return { pod, port: targetPort };
  return isApiServer(read, ip, targetPort) ? { api: true } : { error: 'ENETUNREACH', after: 0 };
}

interface Backend {
  readonly ip: string;
  readonly port: number;
  readonly endpoint: Endpoint;
}

function backendsOf(read: Reader, namespace: string, service: string, portName: string, now: Millis): Backend[] {
  return read
    .list(EndpointSlices, namespace)
    .filter((slice) => slice.metadata.labels?.[SERVICE_NAME] === service)
    .flatMap(({ ports, endpoints = [] }) => {
      const port = (ports as EndpointPort[] | undefined)?.find((p) => (p.name ?? '') === portName)?.port;
      if (port === undefined) return [];
      const ready = endpoints.filter((e) => e.conditions?.ready !== false && isReadyAt(read, namespace, e, now));
      return ready.map((endpoint) => ({ ip: endpoint.addresses[0] ?? '', port, endpoint }));
    });
}

function isApiServer(read: Reader, ip: string, port: number): boolean {
  if (port !== API_SERVER_PORT) return false;
  return read
    .list(Nodes)
    .some((node) => node.metadata.labels?.[CONTROL_PLANE] !== undefined && internalIPOf(node) === ip);
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
