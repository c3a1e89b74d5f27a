import type { Pod } from '../../api/core_v1.js';
import type { Access, Decision } from '../../machinery/requests/auth.js';
import type { Reader, User } from '../../machinery/client.js';
import { kind as Pods } from '../../kinds/core/pod/kind.js';
import { kind as ResourceSlices } from '../../kinds/resource/resourceslice/kind.js';
import { kind as VolumeAttachments } from '../../kinds/storage/volumeattachment/kind.js';
import { ruleAllows } from '../rbac/evaluation.js';
import {
  configMapsOf,
  persistentVolumeClaimsOf,
  persistentVolumesOf,
  resourceClaimsOf,
  secretsOf,
  serviceAccountsOf,
  type References,
} from './node-references.js';
import { NODE_RULES } from './node-rules.js';

const NODE_USER = 'system:node:';
const NODE_GROUP = 'system:nodes';
const NODE_LEASE_NAMESPACE = 'kube-node-lease';
const OWN_OBJECT_VERBS = ['get', 'create', 'update', 'patch', 'delete'];

/** The node that a kubelet's user stands for. Models pkg/auth/nodeidentifier. */
export const nodeNameOf = (user: User): string | undefined =>
  user.name.startsWith(NODE_USER) && user.groups.includes(NODE_GROUP) ? user.name.slice(NODE_USER.length) : undefined;

const ALLOW: Decision = { allowed: true };
const deny = (reason: string): Decision => ({ allowed: false, reason });
const denyUnrelated = (node: string): Decision => deny(`no relationship found between node '${node}' and this object`);

/** A kubelet's request for one resource, and the state that decides on it. */
interface NodeRequest {
  readonly node: string;
  readonly access: Access;
  readonly read: Reader;
}

/**
 * Allows a kubelet what belongs to its own node and pods. Models plugin/pkg/auth/authorizer/node/node_authorizer.go;
 * upstream's graph is worked out from the state at each request.
 */
export function authorizeNode(node: string, access: Access, read: Reader): Decision {
  if (access.path !== undefined) return authorizeByRules(access);
  const authorizer = AUTHORIZERS.get(access.group ? `${access.resource}.${access.group}` : access.resource);
  return authorizer ? authorizer({ node, access, read }) : authorizeByRules(access);
}

const authorizeByRules = (access: Access): Decision =>
  NODE_RULES.some((rule) => ruleAllows(rule, access)) ? ALLOW : { allowed: false };

/** Resources whose decision depends on the object, not on NODE_RULES alone. */
const AUTHORIZERS: ReadonlyMap<string, (request: NodeRequest) => Decision> = new Map([
  ['secrets', (request) => authorizeReadNamespaced(request, secretsOf)],
  ['configmaps', (request) => authorizeReadNamespaced(request, configMapsOf)],
  ['persistentvolumeclaims', authorizeClaim],
  ['persistentvolumes', (request) => authorizeGet(request, () => authorizeByPods(request, persistentVolumesOf))],
  [
    'resourceclaims.resource.k8s.io',
    (request) => authorizeGet(request, () => authorizeByPods(request, resourceClaimsOf)),
  ],
  ['volumeattachments.storage.k8s.io', authorizeVolumeAttachment],
  ['serviceaccounts', authorizeServiceAccount],
  ['nodes', authorizeNodeObject],
  ['pods', authorizePod],
  ['leases.coordination.k8s.io', authorizeLease],
  ['csinodes.storage.k8s.io', authorizeCSINode],
  ['resourceslices.resource.k8s.io', authorizeResourceSlice],
]);

function authorizeReadNamespaced(request: NodeRequest, references: References): Decision {
  const { access } = request;
  if (!['get', 'list', 'watch'].includes(access.verb)) return deny('can only read resources of this type');
  if (access.subresource) return deny('cannot read subresource');
  if (!access.namespace) return deny('can only read namespaced object of this type');
  return authorizeByPods(request, references);
}

function authorizeGet({ access }: NodeRequest, authorize: () => Decision): Decision {
  if (access.verb !== 'get') return deny('can only get individual resources of this type');
  return access.subresource ? deny('cannot get subresource') : authorize();
}

function authorizeClaim(request: NodeRequest): Decision {
  const { verb, subresource } = request.access;
  const authorize = (): Decision => authorizeByPods(request, persistentVolumeClaimsOf);
  if (subresource !== 'status') return authorizeGet(request, authorize);
  return verb === 'update' || verb === 'patch' ? authorize() : deny('can only get/update/patch this type');
}

function authorizeVolumeAttachment(request: NodeRequest): Decision {
  const { access, read } = request;
  return authorizeGet(request, () => {
    const attachment = read.get(VolumeAttachments, { namespace: '', name: access.name });
    return authorizeOwner(request, attachment?.spec.nodeName);
  });
}

function authorizeServiceAccount(request: NodeRequest): Decision {
  const { verb, subresource, name } = request.access;
  if (verb === 'get' && subresource === '') return authorizeReadNamespaced(request, serviceAccountsOf);
  if (verb !== 'create' || !name) return deny('can only create tokens for individual service accounts');
  if (subresource !== 'token') return deny('can only create token subresource of serviceaccount');
  return authorizeByPods(request, serviceAccountsOf);
}

function authorizeNodeObject({ node, access }: NodeRequest): Decision {
  const isRead = access.subresource === '' && ['get', 'list', 'watch'].includes(access.verb);
  if (!isRead || access.name === node) return authorizeByRules(access);
  const objects = access.name ? `'${access.name}'` : 'all nodes';
  return deny(`node '${node}' cannot read ${objects}, only its own Node object`);
}

function authorizePod(request: NodeRequest): Decision {
  const { node, access, read } = request;
  const isCollection = access.verb === 'list' || access.verb === 'watch';
  if (access.subresource !== '' || (access.verb !== 'get' && !isCollection)) return authorizeByRules(access);
  const authorize = (): Decision => authorizeOwner(request, read.get(Pods, access)?.spec.nodeName);
  if (!isCollection) return authorizeGet(request, authorize);
  if (requiresField(access, 'spec.nodeName', node)) return ALLOW;
  return access.name ? authorize() : deny('can only list/watch pods with spec.nodeName field selector');
}

function authorizeLease({ node, access }: NodeRequest): Decision {
  if (!OWN_OBJECT_VERBS.includes(access.verb))
    return deny('can only get, create, update, patch, or delete a node lease');
  if (access.namespace !== NODE_LEASE_NAMESPACE)
    return deny(`can only access leases in the ${JSON.stringify(NODE_LEASE_NAMESPACE)} system namespace`);
  if (access.verb === 'create' || access.name === node) return ALLOW;
  return deny('can only access node lease with the same name as the requesting node');
}

function authorizeCSINode({ node, access }: NodeRequest): Decision {
  if (!OWN_OBJECT_VERBS.includes(access.verb)) return deny('can only get, create, update, patch, or delete a CSINode');
  if (access.subresource) return deny('cannot authorize CSINode subresources');
  if (access.verb === 'create' || access.name === node) return ALLOW;
  return deny('can only access CSINode with the same name as the requesting node');
}

function authorizeResourceSlice(request: NodeRequest): Decision {
  const { node, access, read } = request;
  if (access.subresource) return deny('cannot authorize ResourceSlice subresources');
  if (access.verb === 'create') return ALLOW;
  if (['get', 'update', 'patch', 'delete'].includes(access.verb))
    return authorizeOwner(request, read.get(ResourceSlices, { namespace: '', name: access.name })?.spec.nodeName);
  if (requiresField(access, 'spec.nodeName', node)) return ALLOW;
  return deny('can only list/watch/deletecollection resourceslices with nodeName field selector');
}

/** True where the field selector selects this one value of the field. */
function requiresField({ fieldSelector }: Access, field: string, value: string): boolean {
  const terms = fieldSelector?.split(',') ?? [];
  return terms.includes(`${field}=${value}`) || terms.includes(`${field}==${value}`);
}

const NAMELESS = deny('No Object name found');

/** Allows objects that a pod of the node refers to. */
function authorizeByPods({ node, access, read }: NodeRequest, references: References): Decision {
  if (!access.name) return NAMELESS;
  const pods = read.list(Pods, access.namespace || undefined);
  const refers = (pod: Pod): boolean => pod.spec.nodeName === node && references(pod, read).includes(access.name);
  return pods.some(refers) ? ALLOW : denyUnrelated(node);
}

/** Allows objects of the node itself. `owner`: the node that the object names. */
function authorizeOwner({ node, access }: NodeRequest, owner: string | undefined): Decision {
  if (!access.name) return NAMELESS;
  return owner === node ? ALLOW : denyUnrelated(node);
}
