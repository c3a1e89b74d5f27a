import type { Pod } from '../../api/core_v1.js';
import type { NetworkPolicyPort } from '../../api/networking_v1.js';
import type { Protocol } from './packet.js';

/**
 * Whether a rule's ports have that of a packet. `pod` is the destination, whose containers name its ports, in both
 * directions. Models kube-network-policies' evaluatePorts.
 */
export function matchesPorts(
  ports: readonly NetworkPolicyPort[] | undefined,
  pod: Pod | undefined,
  port: number,
  protocol: Protocol,
): boolean {
  if (!ports || ports.length === 0) return true;
  return ports.some((one) => (one.protocol ?? 'TCP') === protocol && matchesPort(one, pod, port, protocol));
}

function matchesPort(
  { port: wanted, endPort }: NetworkPolicyPort,
  pod: Pod | undefined,
  port: number,
  protocol: Protocol,
): boolean {
  if (wanted === undefined) return true;
  if (typeof wanted === 'string') return hasNamedPort(pod, wanted, port, protocol);
  return endPort === undefined ? port === wanted : port >= wanted && port <= endPort;
}

/** Whether a container of the pod gives a port that name. Init containers do not count. */
export const hasNamedPort = (pod: Pod | undefined, name: string, port: number, protocol: Protocol): boolean =>
  pod?.spec.containers.some(({ ports = [] }) =>
    ports.some((p) => p.name === name && p.containerPort === port && (p.protocol ?? 'TCP') === protocol),
  ) ?? false;
