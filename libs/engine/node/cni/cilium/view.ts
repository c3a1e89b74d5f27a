import type { Node, Pod, Service } from '../../../api/core_v1.js';
import type { FlowRecord } from '../../../machinery/questions/flow.js';
import type { Reader } from '../../../machinery/client.js';
import { EndpointSlices, Nodes, Pods, Services } from '../../../kinds/index.js';
import { internalIPOf } from '../../kubelet/nodestatus/internal-ip.js';
import { endpointsOf, type ProxyEndpoint } from '../../proxy/endpoints.js';
import { SERVICE_NAME } from '../../proxy/service-table.js';
import { servicePorts, type ServicePortInfo } from '../../proxy/service-port.js';
import { CiliumEndpoints, CiliumIdentities, CiliumNodes, ciliumNodeOf, rangeOf, routerOf } from './objects.js';
import { ciliumConfig, ciliumSettings, type CiliumSettings } from './settings.js';

/** Where a node's agent shows what it knows to the programs in its container. */
export const CILIUM_STATE_FILE = '/var/run/cilium/state/daemon.json';

/** One line of `cilium-dbg service list`. */
export interface ServiceView {
  readonly id: number;
  readonly type: string;
  readonly address: string;
  readonly port: number;
  readonly protocol: string;
  readonly affinity: boolean;
  readonly name: string;
  readonly backends: readonly { readonly address: string; readonly port: number; readonly state: string }[];
}

export interface EndpointView {
  readonly id: number;
  readonly identity: number;
  readonly labels: readonly string[];
  readonly ipv4: string;
  /** namespace/name; '' of what is no pod. */
  readonly pod: string;
  readonly ingress: boolean;
  readonly egress: boolean;
}

/** What an agent's own commands show. */
export interface CiliumView {
  readonly node: string;
  readonly address: string;
  readonly router: string;
  readonly range: string;
  readonly health: string;
  readonly settings: CiliumSettings;
  readonly config: Readonly<Record<string, string>>;
  readonly version: string;
  readonly nodes: readonly {
    readonly name: string;
    readonly address: string;
    readonly range: string;
    readonly router: string;
    readonly health: string;
  }[];
  readonly services: readonly ServiceView[];
  readonly endpoints: readonly EndpointView[];
  readonly identities: readonly { readonly id: number; readonly labels: readonly string[] }[];
  /** Who has which address: that of a pod's endpoint, with its identity. */
  readonly addresses: Readonly<
    Record<string, { readonly identity: number; readonly pod: string; readonly labels: readonly string[] }>
  >;
  readonly flows: readonly FlowRecord[];
}

/** Whether a policy is in force for a pod in a direction. */
export type Enforcement = (pod: Pod) => { readonly ingress: boolean; readonly egress: boolean };

export function viewCilium(
  read: Reader,
  name: string,
  enforcement: Enforcement,
  flows: readonly FlowRecord[],
): CiliumView {
  const own = ciliumNodeOf(read, name);
  const node = read.get(Nodes, { namespace: '', name });
  const endpoints = read.list(CiliumEndpoints);
  const address = node ? internalIPOf(node) : '';
  return {
    ...{ node: name, address, router: routerOf(own), range: rangeOf(own), health: own?.spec?.health?.ipv4 ?? '' },
    settings: ciliumSettings(read),
    config: ciliumConfig(read)?.data ?? {},
    version: node?.status.nodeInfo?.kubeletVersion ?? '',
    nodes: read.list(CiliumNodes).map((one) => ({
      ...{ name: one.metadata.name ?? '', range: rangeOf(one), router: routerOf(one) },
      address: one.spec?.addresses?.find(({ type }) => type === 'InternalIP')?.ip ?? '',
      health: one.spec?.health?.ipv4 ?? '',
    })),
    services: viewServices(read, node),
    endpoints: endpoints
      .filter(({ status }) => status?.networking?.node === address)
      .map(({ metadata, status }) => {
        const pod = read.get(Pods, { namespace: metadata.namespace ?? '', name: metadata.name ?? '' });
        return {
          ...{ id: status?.id ?? 0, identity: status?.identity?.id ?? 0, labels: status?.identity?.labels ?? [] },
          ...{ ipv4: status?.networking?.addressing?.[0]?.ipv4 ?? '', pod: `${metadata.namespace}/${metadata.name}` },
          ...(pod ? enforcement(pod) : { ingress: false, egress: false }),
        };
      }),
    identities: read.list(CiliumIdentities).map((one) => ({
      id: Number(one.metadata.name),
      labels: Object.entries(one['security-labels'] ?? {}).map(([key, value]) =>
        value === '' ? key : `${key}=${value}`,
      ),
    })),
    addresses: Object.fromEntries(
      endpoints.map(({ metadata, status }) => [
        status?.networking?.addressing?.[0]?.ipv4 ?? '',
        {
          identity: status?.identity?.id ?? 0,
          pod: `${metadata.namespace}/${metadata.name}`,
          labels: status?.identity?.labels ?? [],
        },
      ]),
    ),
    flows,
  };
}

/** In the order of their creation, as they were given numbers. */
function viewServices(read: Reader, node: Node | undefined): ServiceView[] {
  const own = node ? internalIPOf(node) : '';
  const age = ({ metadata }: Service): string => metadata.creationTimestamp ?? '';
  const views: ServiceView[] = [];
  for (const service of [...read.list(Services)].sort((a, b) => (age(a) < age(b) ? -1 : age(a) > age(b) ? 1 : 0))) {
    const { namespace = '', name = '' } = service.metadata;
    const slices = read
      .list(EndpointSlices, namespace)
      .filter(({ metadata }) => metadata.labels?.[SERVICE_NAME] === name);
    for (const port of servicePorts(service)) {
      const backends = endpointsOf(slices, port.portName, port.protocol).filter(isKnown).map(backendOf);
      for (const [type, address, number] of frontendsOf(port, own))
        views.push({
          ...{ id: views.length + 1, type, address, port: number, protocol: port.protocol.toUpperCase(), backends },
          ...{ affinity: port.affinity !== undefined, name: port.name },
        });
    }
  }
  return views;
}

const isKnown = ({ isReady, isServing, isTerminating }: ProxyEndpoint): boolean =>
  isReady || (isTerminating && isServing);

const backendOf = ({ ip, port, isTerminating }: ProxyEndpoint): ServiceView['backends'][number] => ({
  ...{ address: ip, port },
  state: isTerminating ? 'terminating' : 'active',
});

const frontendsOf = (port: ServicePortInfo, node: string): [type: string, address: string, port: number][] => [
  ['ClusterIP', port.clusterIP, port.port],
  ...port.externalIPs.map((ip): [string, string, number] => ['ExternalIPs', ip, port.port]),
  ...port.vips.map((ip): [string, string, number] => ['LoadBalancer', ip, port.port]),
  ...(port.nodePort === 0
    ? []
    : ['0.0.0.0', node].map((ip): [string, string, number] => ['NodePort', ip, port.nodePort])),
];
