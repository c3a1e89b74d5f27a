import type { Pod, PersistentVolumeClaim } from '../../api/core_v1.js';
import type { Access, Decision } from '../../machinery/auth.js';
import type { Reader, User } from '../../machinery/client.js';
import { kind as PersistentVolumeClaims } from '../../kinds/core/persistentvolumeclaim/kind.js';
import { kind as Pods } from '../../kinds/core/pod/kind.js';
import { kind as ResourceSlices } from '../../kinds/resource/resourceslice/kind.js';
import { kind as VolumeAttachments } from '../../kinds/storage/volumeattachment/kind.js';
import { NODE_RULES } from './node-rules.js';
import { ruleAllows } from '../rbac/matching.js';

const NODE_USER = 'system:node:';
const NODE_GROUP = 'system:nodes';

/** Models pkg/auth/nodeidentifier. */
export const nodeNameOf = (user: User): string | undefined =>
  user.name.startsWith(NODE_USER) && user.groups.includes(NODE_GROUP) ? user.name.slice(NODE_USER.length) : undefined;

const deny = (reason: string): Decision => ({ allowed: false, reason });
const YES: Decision = { allowed: true };
const NAMELESS = deny('No Object name found');

/**
 * What a kubelet may do: its own node's part of the cluster. Models plugin/pkg/auth/authorizer/node/node_authorizer.go.
 */
export function authorizeNode(node: string, access: Access, read: Reader): Decision {
  if (access.path === undefined) {
    const related = RELATED.get(access.group ? `${access.resource}.${access.group}` : access.resource);
    if (related) return related(node, access, read);
  }
  return authorizeByNodeRules(access);
}

const authorizeByNodeRules = (access: Access): Decision =>
  NODE_RULES.some((rule) => ruleAllows(rule, access)) ? YES : { allowed: false };
const denyUnrelated = (node: string): Decision => deny(`no relationship found between node '${node}' and this object`);

type Rule = (node: string, access: Access, read: Reader) => Decision;
const NODE_LEASES = 'kube-node-lease';
const OWN_VERBS = ['get', 'create', 'update', 'patch', 'delete'];

/** What depends on the object asked for, by resource. */
const RELATED: ReadonlyMap<string, Rule> = new Map(
  Object.entries<Rule>({
    secrets: (node, access, read) => authorizeReadNamespaced(node, access, read, secretsOf),
    configmaps: (node, access, read) => authorizeReadNamespaced(node, access, read, configMapsOf),
    persistentvolumeclaims: (node, access, read) =>
      access.subresource === 'status'
        ? authorizeStatusUpdate(node, access, read)
        : authorizeGet(access, () => authorizeByPods(node, access, read, claimsOf)),
    persistentvolumes: (node, access, read) =>
      authorizeGet(access, () => authorizeByPods(node, access, read, (pod) => volumesOf(pod, read))),
    'resourceclaims.resource.k8s.io': (node, access, read) =>
      authorizeGet(access, () => authorizeByPods(node, access, read, resourceClaimsOf)),
    'volumeattachments.storage.k8s.io': (node, access, read) =>
      authorizeGet(access, () =>
        authorizeByNodeName(
          node,
          access,
          read.get(VolumeAttachments, { namespace: '', name: access.name })?.spec.nodeName,
        ),
      ),
    serviceaccounts: (node, access, read) => {
      const accounts = (pod: Pod): string[] => [pod.spec.serviceAccountName ?? ''];
      if (access.verb === 'get' && access.subresource === '')
        return authorizeReadNamespaced(node, access, read, accounts);
      if (access.verb !== 'create' || !access.name)
        return deny('can only create tokens for individual service accounts');
      return access.subresource === 'token'
        ? authorizeByPods(node, access, read, accounts)
        : deny('can only create token subresource of serviceaccount');
    },
    nodes: (node, access) => {
      const reads = access.subresource === '' && ['get', 'list', 'watch'].includes(access.verb);
      if (!reads || access.name === node) return authorizeByNodeRules(access);
      return deny(
        access.name
          ? `node '${node}' cannot read '${access.name}', only its own Node object`
          : `node '${node}' cannot read all nodes, only its own Node object`,
      );
    },
    pods: (node, access, read) => {
      const lists = access.verb === 'list' || access.verb === 'watch';
      const ofNode = (): Decision => authorizeByNodeName(node, access, read.get(Pods, access)?.spec.nodeName);
      if (access.subresource !== '' || (access.verb !== 'get' && !lists)) return authorizeByNodeRules(access);
      if (!lists) return authorizeGet(access, ofNode);
      if (requiresField(access, 'spec.nodeName', node)) return YES;
      return access.name ? ofNode() : deny('can only list/watch pods with spec.nodeName field selector');
    },
    'leases.coordination.k8s.io': (node, access) => {
      if (!OWN_VERBS.includes(access.verb)) return deny('can only get, create, update, patch, or delete a node lease');
      if (access.namespace !== NODE_LEASES)
        return deny(`can only access leases in the ${JSON.stringify(NODE_LEASES)} system namespace`);
      return access.verb === 'create' || access.name === node
        ? YES
        : deny('can only access node lease with the same name as the requesting node');
    },
    'csinodes.storage.k8s.io': (node, access) => {
      if (!OWN_VERBS.includes(access.verb)) return deny('can only get, create, update, patch, or delete a CSINode');
      if (access.subresource) return deny('cannot authorize CSINode subresources');
      return access.verb === 'create' || access.name === node
        ? YES
        : deny('can only access CSINode with the same name as the requesting node');
    },
    'resourceslices.resource.k8s.io': (node, access, read) => {
      if (access.subresource) return deny('cannot authorize ResourceSlice subresources');
      if (access.verb === 'create') return YES;
      if (['get', 'update', 'patch', 'delete'].includes(access.verb))
        return authorizeByNodeName(
          node,
          access,
          read.get(ResourceSlices, { namespace: '', name: access.name })?.spec.nodeName,
        );
      return requiresField(access, 'spec.nodeName', node)
        ? YES
        : deny('can only list/watch/deletecollection resourceslices with nodeName field selector');
    },
  }),
);

/** Does the field selector name this one value? */
function requiresField({ fieldSelector }: Access, field: string, value: string): boolean {
  const terms = fieldSelector?.split(',') ?? [];
  return terms.includes(`${field}=${value}`) || terms.includes(`${field}==${value}`);
}

function authorizeReadNamespaced(
  node: string,
  access: Access,
  read: Reader,
  names: (pod: Pod) => readonly string[],
): Decision {
  if (!['get', 'list', 'watch'].includes(access.verb)) return deny('can only read resources of this type');
  if (access.subresource) return deny('cannot read subresource');
  return access.namespace
    ? authorizeByPods(node, access, read, names)
    : deny('can only read namespaced object of this type');
}

const authorizeStatusUpdate = (node: string, access: Access, read: Reader): Decision =>
  access.verb === 'update' || access.verb === 'patch'
    ? authorizeByPods(node, access, read, claimsOf)
    : deny('can only get/update/patch this type');

function authorizeGet(access: Access, decide: () => Decision): Decision {
  if (access.verb !== 'get') return deny('can only get individual resources of this type');
  return access.subresource ? deny('cannot get subresource') : decide();
}

/** Does a pod of the node need it? */
function authorizeByPods(node: string, access: Access, read: Reader, names: (pod: Pod) => readonly string[]): Decision {
  if (!access.name) return NAMELESS;
  const pods = read.list(Pods, access.namespace || undefined);
  return pods.some((pod) => pod.spec.nodeName === node && names(pod).includes(access.name)) ? YES : denyUnrelated(node);
}

/** Is it the node's own? */
const authorizeByNodeName = (node: string, { name }: Access, owner: string | undefined): Decision =>
  !name ? NAMELESS : owner === node ? YES : denyUnrelated(node);

const containersOf = ({ spec }: Pod) => [...(spec.initContainers ?? []), ...spec.containers];

const secretsOf = (pod: Pod): string[] => [
  ...(pod.spec.imagePullSecrets ?? []).map((s) => s.name ?? ''),
  ...(pod.spec.volumes ?? []).flatMap((v) => [
    v.secret?.secretName ?? '',
    ...(v.projected?.sources ?? []).map((s) => s.secret?.name ?? ''),
  ]),
  ...containersOf(pod).flatMap((c) => [
    ...(c.envFrom ?? []).map((e) => e.secretRef?.name ?? ''),
    ...(c.env ?? []).map((e) => e.valueFrom?.secretKeyRef?.name ?? ''),
  ]),
];

const configMapsOf = (pod: Pod): string[] => [
  ...(pod.spec.volumes ?? []).flatMap((v) => [
    v.configMap?.name ?? '',
    ...(v.projected?.sources ?? []).map((s) => s.configMap?.name ?? ''),
  ]),
  ...containersOf(pod).flatMap((c) => [
    ...(c.envFrom ?? []).map((e) => e.configMapRef?.name ?? ''),
    ...(c.env ?? []).map((e) => e.valueFrom?.configMapKeyRef?.name ?? ''),
  ]),
];

const claimsOf = (pod: Pod): string[] =>
  (pod.spec.volumes ?? []).map(
    (v) => v.persistentVolumeClaim?.claimName ?? (v.ephemeral ? `${pod.metadata.name}-${v.name}` : ''),
  );

const resourceClaimsOf = (pod: Pod): string[] =>
  (pod.status?.resourceClaimStatuses ?? [])
    .map((c) => c.resourceClaimName ?? '')
    .concat((pod.spec.resourceClaims ?? []).map((c) => c.resourceClaimName ?? ''));

const volumesOf = (pod: Pod, read: Reader): string[] =>
  claimsOf(pod).map(
    (name) =>
      (
        read.get(PersistentVolumeClaims, { namespace: pod.metadata.namespace ?? '', name }) as
          PersistentVolumeClaim | undefined
      )?.spec.volumeName ?? '',
  );
