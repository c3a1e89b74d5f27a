/** Worlds of namespaces, pods and policies for the specs. */
import type { Node, Pod } from '../../api/core_v1.js';
import type { NetworkPolicy, NetworkPolicySpec } from '../../api/networking_v1.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import type { State } from '../../runtime/state/state.js';
import { node, pod, running } from '../kubelet/testing.js';
import { stateOf } from '../cri/testing.js';
import type { Packet, Party, Protocol } from './packet.js';

export const namespace = (name: string, labels: Record<string, string> = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels: { 'kubernetes.io/metadata.name': name, ...labels } },
});

export const nodeAt = (name: string, ip: string, labels: Record<string, string> = {}): Node =>
  node({ addresses: [{ type: 'InternalIP', address: ip }] }, { metadata: { name, labels } });

/** The pod of a DaemonSet that runs on its node's network. */
export const agentOn = (nodeName: string, image = 'docker.io/kindest/kindnetd:v20250512-df8de77b'): Pod =>
  pod(
    { containers: [{ name: 'agent', image }], nodeName, hostNetwork: true },
    { containerStatuses: [running('agent')] },
    { name: `agent-${nodeName}`, namespace: 'kube-system', uid: `agent-${nodeName}` },
  );

/** A pod with ports of every protocol, named serve-80-tcp as upstream's suite names them. */
export const podAt = (
  key: string,
  ip: string,
  labels: Record<string, string> = {},
  spec: Partial<Pod['spec']> = {},
): Pod => {
  const [ns = '', name = ''] = key.split('/');
  const ports = [80, 81].flatMap((containerPort) =>
    (['TCP', 'UDP', 'SCTP'] as const).map((protocol) => ({
      name: `serve-${containerPort}-${protocol.toLowerCase()}`,
      containerPort,
      protocol,
    })),
  );
  return pod(
    { containers: [{ name: 'c', image: 'x', ports }], ...spec },
    { podIP: ip, podIPs: [{ ip }] },
    { name, namespace: ns, uid: key, labels: { pod: name, ...labels } },
  );
};

/** With its policyTypes and protocols as the API server defaults them. */
export function policy(key: string, spec: Partial<NetworkPolicySpec>): NetworkPolicy {
  const [ns, name] = key.split('/');
  const types = spec.policyTypes ?? ['Ingress', ...(spec.egress?.length ? ['Egress'] : [])];
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { namespace: ns, name },
    spec: { podSelector: {}, ...spec, policyTypes: types },
  };
}

/** Nodes worker-1 and worker-2 with an agent that enforces, and these objects. */
export const worldOf = (...objects: readonly KubeObject[]): State =>
  stateOf(
    nodeAt('worker-1', '172.18.0.2'),
    nodeAt('worker-2', '172.18.0.3'),
    agentOn('worker-1'),
    agentOn('worker-2'),
    ...objects,
  );

export const partyOf = (one: Pod): Party => ({ ip: one.status.podIP ?? '', pod: one });

export const packetOf = (source: Party, destination: Party, port = 80, protocol: Protocol = 'TCP'): Packet => ({
  source,
  destination,
  port,
  protocol,
});
