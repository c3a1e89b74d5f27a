import type { Container, HostPathVolumeSource, Node, Pod, Probe } from '../../../api/core_v1.js';
import { Nodes } from '../../../kinds/index.js';
import type { Reader } from '../../../machinery/client.js';
import type { Key } from '../../../machinery/meta/object.js';
import { digestOf } from '../../digest.js';
import { internalIPOf } from '../nodestatus/internal-ip.js';
import { COMPONENTS, type Component } from './control-plane-components.js';

const NAMESPACE = 'kube-system';
const CONTROL_PLANE = 'node-role.kubernetes.io/control-plane';

/** The mirror pods of a control plane node, which is stored already: they name its uid as their owner's. */
export const staticPods = (node: Node): Pod[] => COMPONENTS.map((component) => makeMirrorPod(component, node));

/**
 * The mirror pod that belongs at a key; a kubelet makes one that was deleted anew. Models
 * pkg/kubelet/pod/mirror_client.go.
 */
export function mirrorPod({ namespace, name }: Key, read: Reader): Pod | undefined {
  if (namespace !== NAMESPACE) return undefined;
  const component = COMPONENTS.find((c) => name.startsWith(`${c.name}-`));
  const node = component && read.get(Nodes, { namespace: '', name: name.slice(component.name.length + 1) });
  if (!node || node.metadata.deletionTimestamp || node.metadata.labels?.[CONTROL_PLANE] === undefined) return undefined;
  return makeMirrorPod(component, node);
}

function makeMirrorPod(component: Component, node: Node): Pod {
  const { uid, name: nodeName = '' } = node.metadata;
  const ip = internalIPOf(node);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `${component.name}-${nodeName}`,
      namespace: NAMESPACE,
      annotations: { ...component.annotations?.(ip), ...sourceAnnotations(component, node) },
      labels: { component: component.name, tier: 'control-plane' },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: nodeName, uid: uid ?? '', controller: true }],
    },
    spec: {
      containers: [makeContainer(component, ip, nodeName)],
      hostNetwork: true,
      nodeName,
      priorityClassName: 'system-node-critical',
      priority: 2000001000,
      securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
      tolerations: [{ effect: 'NoExecute', operator: 'Exists' }],
      volumes: Object.entries(component.volumes).map(([name, [path, type]]) => ({
        name,
        hostPath: { path, type } satisfies HostPathVolumeSource,
      })),
    },
    status: {},
  };
}

/** Where a static pod comes from. Models pkg/kubelet/types/pod_update.go's annotations. */
function sourceAnnotations({ name }: Component, { metadata }: Node): Record<string, string> {
  const hash = digestOf(name).slice(0, 32);
  return {
    'kubernetes.io/config.hash': hash,
    'kubernetes.io/config.mirror': hash,
    ...(metadata.creationTimestamp ? { 'kubernetes.io/config.seen': metadata.creationTimestamp } : {}),
    'kubernetes.io/config.source': 'file',
  };
}

function makeContainer(component: Component, ip: string, nodeName: string): Container {
  const { name, image, cpu, memory, paths, volumes } = component;
  const probe = (path: string, more: Partial<Probe>): Probe => ({
    httpGet: { host: component.host || ip, path, port: component.port, scheme: component.scheme },
    timeoutSeconds: 15,
    ...more,
  });
  return {
    name,
    image,
    imagePullPolicy: 'IfNotPresent',
    command: component.command(ip, nodeName),
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
