import type { Container, HostPathVolumeSource, Node, Pod, Probe } from '../../../api/core_v1.js';
import { Components, Nodes } from '../../../kinds/index.js';
import type { Reader } from '../../../machinery/client.js';
import { DEFAULT_VERSION } from '../../../machinery/releases.js';
import { keyOf, type Key } from '../../../machinery/meta/object.js';
import { digestOf } from '../../digest.js';
import { internalIPOf } from '../nodestatus/internal-ip.js';
import { COMPONENTS, type Component } from './control-plane-components.js';

const NAMESPACE = 'kube-system';
const MIRROR = 'kubernetes.io/config.mirror';
const CONTROL_PLANE = 'node-role.kubernetes.io/control-plane';

/** The mirror pods of a control plane node, which is stored already: they name its uid as their owner's. */
export const staticPods = (node: Node): Pod[] => COMPONENTS.map((component) => makeMirrorPod(component, node));

/**
 * The mirror pod that belongs at a key; a kubelet makes one that was deleted anew. Models
 * pkg/kubelet/pod/mirror_client.go.
 */
export function mirrorPod({ namespace, name }: Key, read: Reader): Pod | undefined {
  const component = componentOf({ namespace, name });
  if (!component || !isEnabled(component, read)) return undefined;
  const node = read.get(Nodes, { namespace: '', name: name.slice(component.name.length + 1) });
  if (!node || node.metadata.deletionTimestamp || node.metadata.labels?.[CONTROL_PLANE] === undefined) return undefined;
  return makeMirrorPod(component, node);
}

/** Whether this is the mirror pod of a component whose manifest has been taken away: its kubelet deletes it. */
export function isWithoutManifest(pod: Pod, read: Reader): boolean {
  if (pod.metadata.annotations?.[MIRROR] === undefined) return false;
  const component = componentOf(keyOf(pod));
  return component !== undefined && !isEnabled(component, read);
}

/** The keys of a component's mirror pods. */
export const mirrorPodsOf = (component: string, read: Reader): Key[] =>
  COMPONENTS.some(({ name }) => name === component)
    ? controlPlanes(read).map((node) => ({ namespace: NAMESPACE, name: `${component}-${node.metadata.name}` }))
    : [];

const controlPlanes = (read: Reader): Node[] =>
  read.list(Nodes).filter((node) => node.metadata.labels?.[CONTROL_PLANE] !== undefined);

const componentOf = ({ namespace, name }: Key): Component | undefined =>
  namespace === NAMESPACE ? COMPONENTS.find((c) => name.startsWith(`${c.name}-`)) : undefined;

const isEnabled = ({ name }: Component, read: Reader): boolean =>
  read.get(Components, { namespace: '', name })?.spec.enabled !== false;

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
      containers: [makeContainer(component, node)],
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
    [MIRROR]: hash,
    ...(metadata.creationTimestamp ? { 'kubernetes.io/config.seen': metadata.creationTimestamp } : {}),
    'kubernetes.io/config.source': 'file',
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
    command: component.command(ip, node.metadata.name ?? ''),
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
