import type { Pod } from '../../api/core_v1.js';
import {
  prefixOf,
  type Match,
  type Ports,
  type Protocol,
  type Rule,
  type Target,
} from '../../kernel/netfilter/index.js';
import { hex, sha512 } from '../../machinery/crypto/sha256.js';
import { sandboxId } from '../host/views/runtime-view.js';
import type { ChainRules } from './merge-rules.js';

/** A port of a node that leads to one of a pod. */
export interface PortMapping {
  readonly hostPort: number;
  readonly containerPort: number;
  readonly protocol: Protocol;
  /** The node's address that it is about; by default all. */
  readonly hostIP?: string;
}

const DNAT_CHAIN = 'CNI-HOSTPORT-DNAT';
const SETMARK_CHAIN = 'CNI-HOSTPORT-SETMARK';
const MASQ_CHAIN = 'CNI-HOSTPORT-MASQ';
/** Bit 13, portmap's default. */
const MARK = 0x2000;
/** Ports that -m multiport takes. */
const MAX_MULTIPORT = 15;
const MAX_CHAIN_NAME = 28;
/** Of the network, as kindnet's configuration says. */
const NETWORK = 'kindnet';

/** The ports of the host that a pod's containers ask for. Models kuberuntime's GetPortMappings. */
export function portMappingsOf({ spec }: Pod): readonly PortMapping[] {
  if (spec.hostNetwork) return [];
  const sidecars = (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  return [...sidecars, ...spec.containers].flatMap(({ ports = [] }) =>
    ports.flatMap(({ hostPort, containerPort, protocol = 'TCP', hostIP }) =>
      hostPort
        ? [
            {
              hostPort,
              containerPort,
              protocol: protocol.toLowerCase() as Protocol,
              ...(hostIP && hostIP !== '0.0.0.0' ? { hostIP } : {}),
            },
          ]
        : [],
    ),
  );
}

/**
 * The chains of table nat that lead from a node's ports to the pods that it runs, of which each has an address and
 * mappings; none for no pod. Models containernetworking/plugins plugins/meta/portmap.
 */
export function portMapRules(pods: readonly Pod[]): ChainRules {
  if (pods.length === 0) return {};
  const entry: Rule = {
    matches: [{ type: 'addrtype', side: 'dst', kind: 'LOCAL' }],
    target: { type: 'jump', chain: DNAT_CHAIN },
  };
  return {
    PREROUTING: [entry],
    OUTPUT: [entry],
    POSTROUTING: [
      {
        matches: [{ type: 'comment', text: 'CNI portfwd requiring masquerade' }],
        target: { type: 'jump', chain: MASQ_CHAIN },
      },
    ],
    [SETMARK_CHAIN]: [
      {
        matches: [{ type: 'comment', text: 'CNI portfwd masquerade mark' }],
        target: { type: 'MARK', value: MARK, mask: MARK },
      },
    ],
    [MASQ_CHAIN]: [{ matches: [{ type: 'mark', value: MARK, mask: MARK }], target: { type: 'MASQUERADE' } }],
    [DNAT_CHAIN]: pods.flatMap(entriesOf),
    ...Object.fromEntries(pods.map((pod) => [chainOf(pod), rulesOf(pod)])),
  };
}

const chainOf = (pod: Pod): string => `CNI-DN-${hex(sha512(`${NETWORK}${sandboxId(pod)}`))}`.slice(0, MAX_CHAIN_NAME);

/** What leads to a pod's own chain. */
function entriesOf(pod: Pod): Rule[] {
  const byProtocol = new Map<Protocol, number[]>();
  for (const { protocol, hostPort } of portMappingsOf(pod))
    byProtocol.set(protocol, [...(byProtocol.get(protocol) ?? []), hostPort]);
  const text = `dnat name: "${NETWORK}" id: "${sandboxId(pod)}"`;
  return [...byProtocol]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, all]) =>
      partsOf(all).map((part): Rule => ({
        protocol: { name },
        matches: [
          { type: 'comment', text },
          { type: 'multiport', side: 'dports', ports: part.map((port): Ports => [port, port]) },
        ],
        target: { type: 'jump', chain: chainOf(pod) },
      })),
    );
}

const partsOf = (ports: readonly number[]): (readonly number[])[] =>
  Array.from({ length: Math.ceil(ports.length / MAX_MULTIPORT) }, (_, i) =>
    ports.slice(i * MAX_MULTIPORT, (i + 1) * MAX_MULTIPORT),
  );

/** A pod's chain: what comes back to the pod itself, or from the node's loopback, is masqueraded. */
function rulesOf(pod: Pod): Rule[] {
  const ip = pod.status.podIP ?? '';
  const network = `${ip.slice(0, ip.lastIndexOf('.'))}.0/24`;
  return portMappingsOf(pod).flatMap(({ hostPort, containerPort, protocol: name, hostIP }) => {
    const matches: Match[] = name === 'icmp' ? [] : [{ type: name, dport: [hostPort, hostPort] }];
    const make = (target: Target, source?: string): Rule => ({
      ...(source === undefined ? {} : { source: { prefix: prefixOf(source) } }),
      ...(hostIP === undefined ? {} : { destination: { prefix: prefixOf(hostIP) } }),
      protocol: { name },
      matches,
      target,
    });
    return [
      make({ type: 'jump', chain: SETMARK_CHAIN }, network),
      make({ type: 'jump', chain: SETMARK_CHAIN }, '127.0.0.1'),
      make({ type: 'DNAT', to: `${ip}:${containerPort}` }),
    ];
  });
}
