import type { Container, HostPathVolumeSource, Node, Pod, Probe } from '../../../api/core_v1.js';
import { DEFAULT_VERSION } from '../../../machinery/releases.js';
import { POD_SUBNET_6, secondRangeOf, SERVICE_SUBNET_6 } from '../../dualstack/addresses.js';
import { internalIPOf } from '../nodestatus/internal-ip.js';
import { COMPONENTS, type Component } from './control-plane-components.js';

/** The pods that kubeadm writes to /etc/kubernetes/manifests of a control plane node, by their files. */
export const defaultManifests = (node: Node): readonly (readonly [file: string, pod: Pod])[] =>
  COMPONENTS.map((component) => [`${component.name}.yaml`, makePod(component, node)] as const);

function makePod(component: Component, node: Node): Pod {
  const annotations = component.annotations?.(internalIPOf(node));
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...(annotations ? { annotations } : {}),
      labels: { component: component.name, tier: 'control-plane' },
      name: component.name,
      namespace: 'kube-system',
    },
    spec: {
      containers: [makeContainer(component, node)],
      hostNetwork: true,
      priority: 2000001000,
      priorityClassName: 'system-node-critical',
      securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
      volumes: Object.entries(component.volumes).map(([name, [path, type]]) => ({
        name,
        hostPath: { path, type } satisfies HostPathVolumeSource,
      })),
    },
    status: {},
  };
}

function makeContainer(component: Component, node: Node): Container {
  const { name, image, cpu, memory, paths, volumes } = component;
  const ip = internalIPOf(node);
  const probe = (path: string, more: Partial<Probe>): Probe => ({
    httpGet: { host: component.host || ip, path, port: component.port, scheme: component.scheme },
    timeoutSeconds: 15,
    ...more,
  });
  return {
    name,
    image: image(node.status.nodeInfo?.kubeletVersion ?? DEFAULT_VERSION),
    imagePullPolicy: 'IfNotPresent',
    command: withBothRanges(component.command(ip, node.metadata.name ?? ''), node),
    resources: { requests: { cpu, ...(memory ? { memory } : {}) } },
    livenessProbe: probe(paths.live, { failureThreshold: 8, initialDelaySeconds: 10, periodSeconds: 10 }),
    ...(paths.ready ? { readinessProbe: probe(paths.ready, { failureThreshold: 3, periodSeconds: 1 }) } : {}),
    startupProbe: probe(paths.startup, { failureThreshold: 24, initialDelaySeconds: 10, periodSeconds: 10 }),
    volumeMounts: Object.entries(volumes).map(([volume, [mountPath]]) => ({
      name: volume,
      mountPath,
      ...(volume.startsWith('etcd') ? {} : { readOnly: true }),
    })),
  };
}

/** The flags of ranges, in a cluster that has those of both families. */
const withBothRanges = (command: string[], node: Node): string[] =>
  secondRangeOf(node) === undefined
    ? command
    : command.map((flag) => {
        if (flag.startsWith('--cluster-cidr=')) return `${flag},${POD_SUBNET_6}`;
        return flag.startsWith('--service-cluster-ip-range=') ? `${flag},${SERVICE_SUBNET_6}` : flag;
      });
