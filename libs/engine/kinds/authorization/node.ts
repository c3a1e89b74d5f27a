import type { Pod, PersistentVolumeClaim } from '../../api/core_v1.js';
import type { Reader, User } from '../../machinery/client.js';
import { kind as PersistentVolumeClaims } from '../core/persistentvolumeclaim/kind.js';
import { kind as Pods } from '../core/pod/kind.js';
import type { Access, Decision } from './authorizer.js';
import { NODE_RULES } from './node-rules.js';
import { ruleAllows } from '../rbac/matching.js';

const NODE_USER = 'system:node:';
const NODE_GROUP = 'system:nodes';

/** Models pkg/auth/nodeidentifier. */
export const nodeNameOf = (user: User): string | undefined => (user.name.startsWith(NODE_USER) && user.groups.includes(NODE_GROUP) ? user.name.slice(NODE_USER.length) : undefined);

const no = (reason: string): Decision => ({ allowed: false, reason });
const YES: Decision = { allowed: true };

/** What a kubelet may do: its own node's part of the cluster. Models plugin/pkg/auth/authorizer/node/node_authorizer.go. */
export function authorizeNode(node: string, access: Access, read: Reader): Decision {
  if (access.path === undefined) {
    const related = RELATED[access.group ? `${access.resource}.${access.group}` : access.resource];
    if (related) return related(node, access, read);
  }
  return byRules(access);
}

const byRules = (access: Access): Decision => (NODE_RULES.some((rule) => ruleAllows(rule, access)) ? YES : { allowed: false });
const unrelated = (node: string): Decision => no(`no relationship found between node '${node}' and this object`);

const RELATED: Record<string, (node: string, access: Access, read: Reader) => Decision> = {
  secrets: (node, access, read) => readRelated(node, access, read, secretsOf),
  configmaps: (node, access, read) => readRelated(node, access, read, configMapsOf),
  persistentvolumeclaims: (node, access, read) =>
    access.subresource === 'status' && ['get', 'patch', 'update'].includes(access.verb) ? related(node, access, read, claimsOf) : getRelated(node, access, read, claimsOf),
  persistentvolumes: (node, access, read) => getRelated(node, access, read, (pod) => volumesOf(pod, read)),
  serviceaccounts: (node, access, read) => {
    if (access.subresource === 'token' && access.verb === 'create') return related(node, access, read, (pod) => [pod.spec.serviceAccountName ?? '']);
    return no('can only create tokens for individual service accounts');
  },
  nodes: (node, access) => {
    const reads = access.subresource === '' && ['get', 'list', 'watch'].includes(access.verb);
    if (!reads || access.name === node) return byRules(access);
    return no(access.name ? `node '${node}' cannot read '${access.name}', only its own Node object` : `node '${node}' cannot read all nodes, only its own Node object`);
  },
  pods: (node, access, read) => {
    const lists = access.verb === 'list' || access.verb === 'watch';
    if (access.subresource !== '' || (access.verb !== 'get' && !lists)) return byRules(access);
    if (lists && access.fieldSelector?.split(',').some((s) => /^spec\.nodeName==?/.test(s) && s.endsWith(`=${node}`))) return YES;
    if (lists && !access.name) return no('can only list/watch pods with spec.nodeName field selector');
    return read.get(Pods, access)?.spec.nodeName === node ? YES : unrelated(node);
  },
  'leases.coordination.k8s.io': (node, access) => {
    if (access.namespace !== 'kube-node-lease') return no('can only access leases in the "kube-node-lease" system namespace');
    if (access.verb !== 'create' && access.name !== node) return no('can only access node lease with the same name as the requesting node');
    return ['get', 'create', 'update', 'patch', 'delete'].includes(access.verb) ? YES : no('can only get, create, update, patch, or delete a node lease');
  },
};

function readRelated(node: string, access: Access, read: Reader, names: (pod: Pod) => readonly string[]): Decision {
  if (!['get', 'list', 'watch'].includes(access.verb)) return no('can only read resources of this type');
  if (access.subresource) return no('cannot read subresource');
  if (!access.name) return no('No Object name found');
  return related(node, access, read, names);
}

function getRelated(node: string, access: Access, read: Reader, names: (pod: Pod) => readonly string[]): Decision {
  if (access.verb !== 'get') return no('can only get individual resources of this type');
  if (access.subresource) return no('cannot get subresource');
  return related(node, access, read, names);
}

function related(node: string, access: Access, read: Reader, names: (pod: Pod) => readonly string[]): Decision {
  const pods = read.list(Pods, access.namespace || undefined);
  return pods.some((pod) => pod.spec.nodeName === node && names(pod).includes(access.name)) ? YES : unrelated(node);
}

const containersOf = ({ spec }: Pod) => [...(spec.initContainers ?? []), ...spec.containers];

const secretsOf = (pod: Pod): string[] => [
  ...(pod.spec.imagePullSecrets ?? []).map((s) => s.name ?? ''),
  ...(pod.spec.volumes ?? []).flatMap((v) => [v.secret?.secretName ?? '', ...(v.projected?.sources ?? []).map((s) => s.secret?.name ?? '')]),
  ...containersOf(pod).flatMap((c) => [...(c.envFrom ?? []).map((e) => e.secretRef?.name ?? ''), ...(c.env ?? []).map((e) => e.valueFrom?.secretKeyRef?.name ?? '')]),
];

const configMapsOf = (pod: Pod): string[] => [
  ...(pod.spec.volumes ?? []).flatMap((v) => [v.configMap?.name ?? '', ...(v.projected?.sources ?? []).map((s) => s.configMap?.name ?? '')]),
  ...containersOf(pod).flatMap((c) => [...(c.envFrom ?? []).map((e) => e.configMapRef?.name ?? ''), ...(c.env ?? []).map((e) => e.valueFrom?.configMapKeyRef?.name ?? '')]),
];

const claimsOf = (pod: Pod): string[] => (pod.spec.volumes ?? []).map((v) => v.persistentVolumeClaim?.claimName ?? (v.ephemeral ? `${pod.metadata.name}-${v.name}` : ''));

const volumesOf = (pod: Pod, read: Reader): string[] =>
  claimsOf(pod).map((name) => (read.get(PersistentVolumeClaims, { namespace: pod.metadata.namespace ?? '', name }) as PersistentVolumeClaim | undefined)?.spec.volumeName ?? '');
