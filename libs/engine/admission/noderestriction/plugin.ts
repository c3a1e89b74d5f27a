import type { Node, Pod } from '../../api/core_v1.js';
import { nodeNameOf } from '../../auth/authorization/node.js';
import { kind as Nodes } from '../../kinds/core/node/kind.js';
import { kind as Pods } from '../../kinds/core/pod/kind.js';
import { deepEqual } from '../../machinery/meta/equal.js';
import type { AdmissionPlugin, AdmissionRequest } from '../../runtime/admission.js';
import { refuse } from '../refuse.js';
import { own } from '../../machinery/meta/object.js';
import { isMirrorPod, MIRROR_ANNOTATION } from '../../kinds/core/pod/mirror.js';

/** Labels that a kubelet may set on its own node. */
const KUBELET_LABELS = new Set([
  'kubernetes.io/hostname',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  'node.kubernetes.io/instance-type',
  'beta.kubernetes.io/instance-type',
  'kubernetes.io/os',
  'kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/arch',
]);
const KUBELET_NAMESPACES = ['kubelet.kubernetes.io', 'node.kubernetes.io'];

/** Keeps a kubelet to its own node and that node's pods. Models plugin/pkg/admission/noderestriction. */
export const plugin: AdmissionPlugin = {
  name: 'NodeRestriction',
  handlesBodies: true,
  resources: ['pods', 'nodes', 'persistentvolumeclaims', 'leases.coordination.k8s.io', 'csinodes.storage.k8s.io'],
  mutate(request) {
    const node = request.fromOutside ? nodeNameOf(request.user) : undefined;
    if (node === undefined) return;
    if (node === '') throw refuse(request, `could not determine node from user ${JSON.stringify(request.user.name)}`);
    const check = own(CHECKS, request.kind.plural);
    const why = check?.(request, node);
    if (why) throw refuse(request, why);
  },
};

/** By resource: the reason to refuse the request of a node's kubelet; undefined to admit it. */
const CHECKS: Readonly<Record<string, (request: AdmissionRequest, node: string) => string | undefined>> = {
  pods: checkPod,
  nodes: checkNode,
  persistentvolumeclaims: ({ subresource }) => (subresource === 'status' ? undefined : 'may only update PVC status'),
  leases: ({ name, namespace }, node) => {
    if (namespace !== 'kube-node-lease') return 'can only access leases in the "kube-node-lease" system namespace';
    return name === node ? undefined : 'can only access node lease with the same name as the requesting node';
  },
  csinodes: ({ name }, node) =>
    name === node ? undefined : 'can only access CSINode with the same name as the requesting node',
};

function checkPod(request: AdmissionRequest, node: string): string | undefined {
  const { operation, subresource } = request;
  const [pod, old] = [request.object as Pod | undefined, request.old as Pod | undefined];
  if (subresource === 'status') {
    if (old?.spec.nodeName !== node)
      return `node "${node}" can only update pod status for pods with spec.nodeName set to itself`;
    return deepEqual(old.metadata.labels ?? {}, pod?.metadata.labels ?? {})
      ? undefined
      : `node "${node}" cannot update labels through pod status`;
  }
  if (subresource === 'eviction') return checkEviction(request, node);
  if (subresource !== '')
    return `unexpected pod subresource "${subresource}", only 'status' and 'eviction' are allowed`;
  if (operation === 'DELETE')
    return old?.spec.nodeName === node
      ? undefined
      : `node "${node}" can only delete pods with spec.nodeName set to itself`;
  if (operation !== 'CREATE')
    return `unexpected operation "${operation}", node "${node}" can only create and delete mirror pods`;
  return checkMirrorPod(request, pod!, node);
}

function checkEviction({ client, name, namespace }: AdmissionRequest, node: string): string | undefined {
  const pod = client.get(Pods, { namespace, name });
  return !pod || pod.spec.nodeName === node
    ? undefined
    : `node ${node} can only evict pods with spec.nodeName set to itself`;
}

function checkMirrorPod({ client }: AdmissionRequest, { metadata, spec }: Pod, node: string): string | undefined {
  if (!isMirrorPod({ metadata }))
    return `pod does not have "${MIRROR_ANNOTATION}" annotation, node "${node}" can only create mirror pods`;
  if (spec.nodeName !== node) return `node "${node}" can only create pods with spec.nodeName set to itself`;
  const [owner, ...more] = metadata.ownerReferences ?? [];
  if (more.length > 0) return `node "${node}" can only create pods with a single owner reference set to itself`;
  if (owner?.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== node)
    return `node "${node}" can only create pods with an owner reference set to itself`;
  if (!owner.controller) return `node "${node}" can only create pods with a controller owner reference set to itself`;
  if (owner.blockOwnerDeletion) return `node "${node}" must not set blockOwnerDeletion on an owner reference`;
  const uid = client.get(Nodes, { namespace: '', name: node })?.metadata.uid;
  if (owner.uid !== uid) return `node ${node} UID mismatch: expected ${owner.uid} got ${uid ?? ''}`;
  if (spec.serviceAccountName) return `node "${node}" can not create pods that reference a service account`;
  const volumes = spec.volumes ?? [];
  if (volumes.some((v) => v.secret)) return `node "${node}" can not create pods that reference secrets`;
  if (volumes.some((v) => v.configMap)) return `node "${node}" can not create pods that reference configmaps`;
  return volumes.some((v) => v.persistentVolumeClaim)
    ? `node "${node}" can not create pods that reference persistentvolumeclaims`
    : undefined;
}

function checkNode(request: AdmissionRequest, node: string): string | undefined {
  const { operation, name } = request;
  if (name !== node) return `node "${node}" is not allowed to modify node "${name}"`;
  const [object, old] = [request.object as Node | undefined, request.old as Node | undefined];
  if (operation === 'DELETE') return undefined;
  const labels = findModifiedLabels(object?.metadata.labels, old?.metadata.labels).filter((l) => !mayModifyLabel(l));
  if (operation === 'UPDATE' && !deepEqual(object?.spec.taints ?? [], old?.spec.taints ?? []))
    return `node "${node}" is not allowed to modify taints`;
  if (labels.length === 0) return undefined;
  return operation === 'CREATE'
    ? `node "${node}" is not allowed to set the following labels: ${labels.join(', ')}`
    : `is not allowed to modify labels: ${labels.join(', ')}`;
}

const findModifiedLabels = (
  now: Readonly<Record<string, string>> = {},
  before: Readonly<Record<string, string>> = {},
): string[] => [...new Set([...Object.keys(now), ...Object.keys(before)])].filter((l) => now[l] !== before[l]).sort();

/** A kubelet may set labels outside the kubernetes.io and k8s.io namespaces, and those of its own namespaces. */
function mayModifyLabel(label: string): boolean {
  const slash = label.indexOf('/');
  const namespace = slash < 0 ? '' : label.slice(0, slash);
  const reserved = /(^|\.)(kubernetes|k8s)\.io$/.test(namespace);
  return (
    !reserved ||
    KUBELET_LABELS.has(label) ||
    KUBELET_NAMESPACES.some((n) => namespace === n || namespace.endsWith(`.${n}`))
  );
}
