import type { ClusterRole, ClusterRoleBinding, PolicyRule, Role, RoleBinding, Subject } from '../../api/rbac_v1.js';
import { NODE_RULES } from '../../auth/authorization/node-rules.js';
import { parseRules } from '../../auth/rbac/policy-text.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { ADDON_CLUSTER_ROLES, ADDON_ROLES, CLUSTER_ROLES, CONTROLLER_ROLES, NAMESPACE_ROLES } from './rbac-roles.js';

const GROUP = 'rbac.authorization.k8s.io';
const API_VERSION = `${GROUP}/v1`;
const AGGREGATE = 'rbac.authorization.k8s.io/aggregate-to-';
const CONTROLLER = 'system:controller:';
type Metadata = Pick<ClusterRole['metadata'], 'labels' | 'annotations'>;
const DEFAULTS: Metadata = {
  labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' },
  annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
};
const ADDED: Metadata = {};

/** Headings and the rules below them. */
function sections(text: string): { heading: string; rules: PolicyRule[] }[] {
  return text
    .trim()
    .split(/\n(?=\S)/)
    .map((section) => {
      const [heading = '', ...lines] = section.split('\n');
      return { heading, rules: parseRules(lines.join('\n')) };
    });
}

const aggregatesTo = (role: string): Metadata => ({
  ...DEFAULTS,
  labels: { ...DEFAULTS.labels, [AGGREGATE + role]: 'true' },
});

const clusterRole = (name: string, rules: PolicyRule[], metadata: Metadata): ClusterRole => ({
  apiVersion: API_VERSION,
  kind: 'ClusterRole',
  metadata: { name, ...metadata },
  rules,
});

function bootstrapClusterRole({ heading, rules }: { heading: string; rules: PolicyRule[] }): ClusterRole {
  const [name = '', aggregate] = heading.split(' > ');
  return clusterRole(name, rules, aggregate ? aggregatesTo(aggregate) : DEFAULTS);
}

const aggregatedClusterRole = (name: string, metadata: Metadata): ClusterRole => ({
  apiVersion: API_VERSION,
  kind: 'ClusterRole',
  metadata: { name, ...metadata },
  aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [AGGREGATE + name]: 'true' } }] },
});

const role = (heading: string, rules: PolicyRule[], metadata: Metadata): Role => {
  const [namespace, name] = heading.split(' ');
  return { apiVersion: API_VERSION, kind: 'Role', metadata: { name, namespace, ...metadata }, rules };
};

// ---- subjects: 'user:x', 'group:x', 'account:x' (in kube-system) ----

function subject(text: string): Subject {
  const colon = text.indexOf(':');
  const [kind, name] = [text.slice(0, colon), text.slice(colon + 1)];
  if (kind === 'account') return { kind: 'ServiceAccount', name, namespace: 'kube-system' };
  return { apiGroup: GROUP, kind: kind === 'user' ? 'User' : 'Group', name };
}

const clusterRoleBinding = (
  name: string,
  target: string,
  subjects: string[],
  metadata: Metadata,
): ClusterRoleBinding => ({
  apiVersion: API_VERSION,
  kind: 'ClusterRoleBinding',
  metadata: { name, ...metadata },
  roleRef: { apiGroup: GROUP, kind: 'ClusterRole', name: target },
  ...(subjects.length ? { subjects: subjects.map(subject) } : {}),
});

const roleBinding = (
  namespace: string,
  name: string,
  target: string,
  subjects: string[],
  metadata: Metadata,
): RoleBinding => ({
  apiVersion: API_VERSION,
  kind: 'RoleBinding',
  metadata: { name, namespace, ...metadata },
  roleRef: { apiGroup: GROUP, kind: 'Role', name: target },
  subjects: subjects.map(subject),
});

const EVERYONE = ['group:system:authenticated'];
const JOINING = ['group:system:bootstrappers:kubeadm:default-node-token'];

/** Name, role (when it is another), subjects. */
const CLUSTER_ROLE_BINDINGS: [name: string, subjects: string[], role?: string][] = [
  ['cluster-admin', ['group:system:masters']],
  ['system:monitoring', ['group:system:monitoring']],
  ['system:discovery', EVERYONE],
  ['system:basic-user', EVERYONE],
  ['system:public-info-viewer', [...EVERYONE, 'group:system:unauthenticated']],
  ['system:node-proxier', ['user:system:kube-proxy']],
  ['system:kube-controller-manager', ['user:system:kube-controller-manager']],
  ['system:kube-dns', ['account:kube-dns']],
  ['system:kube-scheduler', ['user:system:kube-scheduler']],
  ['system:volume-scheduler', ['user:system:kube-scheduler']],
  ['system:node', []],
  ['system:service-account-issuer-discovery', ['group:system:serviceaccounts']],
];

const ADDON_CLUSTER_ROLE_BINDINGS: typeof CLUSTER_ROLE_BINDINGS = [
  ['kubeadm:cluster-admins', ['group:kubeadm:cluster-admins'], 'cluster-admin'],
  ['kubeadm:get-nodes', JOINING],
  ['kubeadm:kubelet-bootstrap', JOINING, 'system:node-bootstrapper'],
  ['kubeadm:node-autoapprove-bootstrap', JOINING, 'system:certificates.k8s.io:certificatesigningrequests:nodeclient'],
  [
    'kubeadm:node-autoapprove-certificate-rotation',
    ['group:system:nodes'],
    'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient',
  ],
  ['kubeadm:node-proxier', ['account:kube-proxy'], 'system:node-proxier'],
  ['system:coredns', ['account:coredns']],
  ['kindnet', ['account:kindnet']],
];

function namespaceBindings(): RoleBinding[] {
  const system = (name: string, subjects: string[], target = name): RoleBinding =>
    roleBinding('kube-system', name, target, subjects, DEFAULTS);
  return [
    system(
      'system::extension-apiserver-authentication-reader',
      ['user:system:kube-controller-manager', 'user:system:kube-scheduler'],
      'extension-apiserver-authentication-reader',
    ),
    system('system::leader-locking-kube-controller-manager', [
      'user:system:kube-controller-manager',
      'account:kube-controller-manager',
    ]),
    system('system::leader-locking-kube-scheduler', ['user:system:kube-scheduler', 'account:kube-scheduler']),
    ...['bootstrap-signer', 'cloud-provider', 'token-cleaner'].map((name) =>
      system(CONTROLLER + name, [`account:${name}`]),
    ),
    roleBinding(
      'kube-public',
      `${CONTROLLER}bootstrap-signer`,
      `${CONTROLLER}bootstrap-signer`,
      ['account:bootstrap-signer'],
      DEFAULTS,
    ),
    roleBinding(
      'kube-public',
      'kubeadm:bootstrap-signer-clusterinfo',
      'kubeadm:bootstrap-signer-clusterinfo',
      ['user:system:anonymous'],
      ADDED,
    ),
    roleBinding('kube-system', 'kube-proxy', 'kube-proxy', JOINING, ADDED),
    roleBinding(
      'kube-system',
      'kubeadm:kubelet-config',
      'kubeadm:kubelet-config',
      ['group:system:nodes', ...JOINING],
      ADDED,
    ),
    roleBinding(
      'kube-system',
      'kubeadm:nodes-kubeadm-config',
      'kubeadm:nodes-kubeadm-config',
      [...JOINING, 'group:system:nodes'],
      ADDED,
    ),
  ];
}

/** What the API server makes by itself; the rest is kubeadm's, and the add-ons'. */
export const isDefaultRight = ({ metadata, kind }: KubeObject): boolean =>
  kind === 'ServiceAccount' || metadata.labels?.['kubernetes.io/bootstrapping'] !== undefined;

/** Service accounts of the controllers, as kube-controller-manager makes them. */
const accounts = (names: string[]): KubeObject[] =>
  names.map((name) => ({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace: 'kube-system' } }));

/** Who may do what in a new cluster: the API server's bootstrap policy, then what kubeadm and a CNI add. */
export function rbacObjects(): KubeObject[] {
  const controllers = sections(CONTROLLER_ROLES);
  return [
    ...sections(CLUSTER_ROLES).map(bootstrapClusterRole),
    clusterRole('system:node', NODE_RULES, DEFAULTS),
    aggregatedClusterRole('admin', DEFAULTS),
    aggregatedClusterRole('edit', aggregatesTo('admin')),
    aggregatedClusterRole('view', aggregatesTo('edit')),
    ...controllers.map(({ heading, rules }) => clusterRole(CONTROLLER + heading, rules, DEFAULTS)),
    ...CLUSTER_ROLE_BINDINGS.map(([name, subjects, target = name]) =>
      clusterRoleBinding(name, target, subjects, DEFAULTS),
    ),
    ...controllers.map(({ heading }) =>
      clusterRoleBinding(CONTROLLER + heading, CONTROLLER + heading, [`account:${heading}`], DEFAULTS),
    ),
    ...sections(NAMESPACE_ROLES).map(({ heading, rules }) => role(heading, rules, DEFAULTS)),
    ...sections(ADDON_CLUSTER_ROLES).map(({ heading, rules }) => clusterRole(heading, rules, ADDED)),
    ...sections(ADDON_ROLES).map(({ heading, rules }) => role(heading, rules, ADDED)),
    ...ADDON_CLUSTER_ROLE_BINDINGS.map(([name, subjects, target = name]) =>
      clusterRoleBinding(name, target, subjects, ADDED),
    ),
    ...namespaceBindings(),
    ...accounts(['bootstrap-signer', 'token-cleaner', ...controllers.map((c) => c.heading)]),
  ];
}
