import type { Node, Pod } from '../../../api/core_v1.js';
import { Components, NodeRuntimes, Nodes } from '../../../kinds/index.js';
import { isKubeletRunning, type NodeManifest } from '../../../kinds/terrarium/noderuntime/kind.js';
import type { Reader } from '../../../machinery/client.js';
import { keyOf, type Key } from '../../../machinery/meta/object.js';
import { digestOf } from '../../digest.js';
import { asInstalled } from '../../host/packages/as-installed.js';
import { COMPONENTS, type Component } from './control-plane-components.js';
import { defaultManifests } from './manifests.js';
import { MIRROR_ANNOTATION } from '../../../kinds/core/pod/mirror.js';

const NAMESPACE = 'kube-system';
const CONTROL_PLANE = 'node-role.kubernetes.io/control-plane';

/** A pod of a manifest, and the digest of what is in the file. */
interface StaticPod {
  readonly pod: Pod;
  readonly hash: string;
}

/** As kubeadm wrote it. */
export const defaultHash = (component: string): string => digestOf(component).slice(0, 32);

const defaultPods = (node: Node): StaticPod[] =>
  defaultManifests(node).map(([, pod]) => ({ pod, hash: defaultHash(pod.metadata.name ?? '') }));

/** The mirror pods of a control plane node, which is stored already: they name its uid as their owner's. */
export const staticPods = (node: Node): Pod[] => defaultPods(node).map((found) => makeMirrorPod(found, node));

/**
 * The mirror pod that belongs at a key; a kubelet makes one that was deleted anew. Models
 * pkg/kubelet/pod/mirror_client.go.
 */
export function mirrorPod(key: Key, read: Reader): Pod | undefined {
  const changed = changedPod(key, read);
  if (changed) return changed === 'none' ? undefined : makeMirrorPod(changed.found, changed.node);
  const component = componentOf(key);
  if (!component || !isEnabled(component, read)) return undefined;
  const node = read.get(Nodes, { namespace: '', name: key.name.slice(component.name.length + 1) });
  if (!node || node.metadata.deletionTimestamp || node.metadata.labels?.[CONTROL_PLANE] === undefined) return undefined;
  if (!isKubeletRunning(read, node.metadata.name ?? '')) return undefined;
  return makeMirrorPod(
    defaultPods(asInstalled(node, read)).find(({ pod }) => pod.metadata.name === component.name)!,
    node,
  );
}

/** The static pod of a node whose folder of manifests was changed; 'none': such a node has none at this key. */
function changedPod(key: Key, read: Reader): { readonly found: StaticPod; readonly node: Node } | 'none' | undefined {
  for (const { metadata, manifests } of read.list(NodeRuntimes)) {
    const { name: nodeName = '' } = metadata;
    if (!manifests || !key.name.endsWith(`-${nodeName}`)) continue;
    const node = read.get(Nodes, { namespace: '', name: nodeName });
    if (!node || node.metadata.deletionTimestamp || !isKubeletRunning(read, nodeName)) return 'none';
    const found = manifests.map(staticPodOf).find((one) => one !== undefined && isAt(one, key, nodeName));
    const component = componentOf(key);
    if (!found || (component && !isEnabled(component, read))) return 'none';
    return { found, node };
  }
  return undefined;
}

const staticPodOf = ({ pod, hash }: NodeManifest): StaticPod | undefined =>
  pod === undefined ? undefined : { pod: pod as Pod, hash: hash ?? '' };

const isAt = ({ pod: { metadata } }: StaticPod, key: Key, node: string): boolean =>
  `${metadata.name ?? ''}-${node}` === key.name && (metadata.namespace ?? 'default') === key.namespace;

/** Whether this is the mirror pod of a manifest that was taken away or changed: its kubelet deletes it. */
export function isWithoutManifest(pod: Pod, read: Reader): boolean {
  const mirrored = pod.metadata.annotations?.[MIRROR_ANNOTATION];
  if (mirrored === undefined) return false;
  const changed = changedPod(keyOf(pod), read);
  if (changed) return changed === 'none' || changed.found.hash !== mirrored;
  // A folder that is as kubeadm left it, or was repaired, has nothing but the components.
  const component = componentOf(keyOf(pod));
  return component === undefined || !isEnabled(component, read) || mirrored !== defaultHash(component.name);
}

/** The keys of a component's mirror pods. */
export const mirrorPodsOf = (component: string, read: Reader): Key[] =>
  COMPONENTS.some(({ name }) => name === component)
    ? controlPlanes(read).map((node) => ({ namespace: NAMESPACE, name: `${component}-${node.metadata.name}` }))
    : [];

/** The keys of all static pods that a node may have: kubeadm's, and those of these manifests. */
export const staticPodKeys = (node: string, manifests: readonly NodeManifest[] = []): Key[] => [
  ...COMPONENTS.map(({ name }) => ({ namespace: NAMESPACE, name: `${name}-${node}` })),
  ...manifests.flatMap((manifest) => {
    const metadata = staticPodOf(manifest)?.pod.metadata;
    return metadata ? [{ namespace: metadata.namespace ?? 'default', name: `${metadata.name ?? ''}-${node}` }] : [];
  }),
];

const controlPlanes = (read: Reader): Node[] =>
  read.list(Nodes).filter((node) => node.metadata.labels?.[CONTROL_PLANE] !== undefined);

const componentOf = ({ namespace, name }: Key): Component | undefined =>
  namespace === NAMESPACE ? COMPONENTS.find((c) => name.startsWith(`${c.name}-`)) : undefined;

const isEnabled = ({ name }: Component, read: Reader): boolean =>
  read.get(Components, { namespace: '', name })?.spec.enabled !== false;

/** Models pkg/kubelet/config/common.go applyDefaults, and pkg/kubelet/types/pod_update.go's annotations. */
function makeMirrorPod({ pod, hash }: StaticPod, node: Node): Pod {
  const { uid, name: nodeName = '', creationTimestamp } = node.metadata;
  const { metadata } = pod;
  const { hostNetwork, priorityClassName, priority, securityContext, volumes, containers, tolerations, ...spec } =
    pod.spec;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `${metadata.name ?? ''}-${nodeName}`,
      namespace: metadata.namespace ?? 'default',
      annotations: {
        ...metadata.annotations,
        'kubernetes.io/config.hash': hash,
        [MIRROR_ANNOTATION]: hash,
        ...(creationTimestamp ? { 'kubernetes.io/config.seen': creationTimestamp } : {}),
        'kubernetes.io/config.source': 'file',
      },
      ...(metadata.labels ? { labels: metadata.labels } : {}),
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: nodeName, uid: uid ?? '', controller: true }],
    },
    spec: {
      containers,
      ...(hostNetwork === undefined ? {} : { hostNetwork }),
      nodeName,
      ...(priorityClassName === undefined ? {} : { priorityClassName }),
      ...(priority === undefined ? {} : { priority }),
      ...(securityContext === undefined ? {} : { securityContext }),
      tolerations: [{ effect: 'NoExecute', operator: 'Exists' }, ...(tolerations ?? [])],
      ...(volumes === undefined ? {} : { volumes }),
      ...spec,
    },
    status: {},
  };
}
