import type { ClusterRole, ClusterRoleBinding, PolicyRule, Role, RoleBinding, Subject } from '../../api/rbac_v1.js';
import type { KubeObject } from '../../machinery/object.js';

const GROUP = 'rbac.authorization.k8s.io';
const DEFAULTS = { labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' }, annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' } };
const READ = ['get', 'list', 'watch'];
const WRITE = ['create', 'delete', 'deletecollection', 'patch', 'update'];

const rule = (verbs: string[], apiGroups: string[], resources: string[]): PolicyRule => ({ verbs, apiGroups, resources });

function clusterRole(name: string, rules: PolicyRule[], aggregate?: string): ClusterRole {
  const labels = aggregate ? { ...DEFAULTS.labels, [`rbac.authorization.k8s.io/aggregate-to-${aggregate}`]: 'true' } : DEFAULTS.labels;
  return { apiVersion: `${GROUP}/v1`, kind: 'ClusterRole', metadata: { name, labels, annotations: DEFAULTS.annotations }, rules };
}

function aggregated(name: string, ...from: string[]): ClusterRole {
  const selectors = from.map((f) => ({ matchLabels: { [`rbac.authorization.k8s.io/aggregate-to-${f}`]: 'true' } }));
  return { ...clusterRole(name, []), aggregationRule: { clusterRoleSelectors: selectors } };
}

const subject = (kind: 'Group' | 'User', name: string): Subject => ({ apiGroup: GROUP, kind, name });
const serviceAccount = (name: string, namespace = 'kube-system'): Subject => ({ kind: 'ServiceAccount', name, namespace });

function clusterRoleBinding(name: string, role: string, subjects: Subject[]): ClusterRoleBinding {
  return { apiVersion: `${GROUP}/v1`, kind: 'ClusterRoleBinding', metadata: { name, ...DEFAULTS }, roleRef: { apiGroup: GROUP, kind: 'ClusterRole', name: role }, subjects };
}

const role = (namespace: string, name: string, rules: PolicyRule[]): Role => ({ apiVersion: `${GROUP}/v1`, kind: 'Role', metadata: { name, namespace, ...DEFAULTS }, rules });
const roleBinding = (namespace: string, name: string, target: string, subjects: Subject[]): RoleBinding => ({
  apiVersion: `${GROUP}/v1`, kind: 'RoleBinding', metadata: { name, namespace, ...DEFAULTS }, roleRef: { apiGroup: GROUP, kind: 'Role', name: target }, subjects,
});

const WORKLOADS: PolicyRule[] = [
  rule(READ, [''], ['configmaps', 'endpoints', 'persistentvolumeclaims', 'persistentvolumeclaims/status', 'pods', 'replicationcontrollers', 'replicationcontrollers/scale', 'serviceaccounts', 'services', 'services/status']),
  rule(READ, [''], ['bindings', 'events', 'limitranges', 'namespaces/status', 'pods/log', 'pods/status', 'replicationcontrollers/status', 'resourcequotas', 'resourcequotas/status', 'namespaces']),
  rule(READ, ['discovery.k8s.io'], ['endpointslices']),
  rule(READ, ['apps'], ['controllerrevisions', 'daemonsets', 'daemonsets/status', 'deployments', 'deployments/scale', 'deployments/status', 'replicasets', 'replicasets/scale', 'replicasets/status', 'statefulsets', 'statefulsets/scale', 'statefulsets/status']),
  rule(READ, ['autoscaling'], ['horizontalpodautoscalers', 'horizontalpodautoscalers/status']),
  rule(READ, ['batch'], ['cronjobs', 'cronjobs/status', 'jobs', 'jobs/status']),
  rule(READ, ['policy'], ['poddisruptionbudgets', 'poddisruptionbudgets/status']),
  rule(READ, ['networking.k8s.io'], ['ingresses', 'ingresses/status', 'networkpolicies']),
];

const EDITS: PolicyRule[] = [
  rule(READ, [''], ['pods/attach', 'pods/exec', 'pods/portforward', 'pods/proxy', 'secrets', 'services/proxy']),
  rule(['impersonate'], [''], ['serviceaccounts']),
  rule(WRITE, [''], ['pods', 'pods/attach', 'pods/exec', 'pods/portforward', 'pods/proxy']),
  rule(['create'], [''], ['pods/eviction']),
  rule(WRITE, [''], ['configmaps', 'events', 'persistentvolumeclaims', 'replicationcontrollers', 'replicationcontrollers/scale', 'secrets', 'serviceaccounts', 'services', 'services/proxy']),
  rule(['create'], [''], ['serviceaccounts/token']),
  rule(WRITE, ['apps'], ['daemonsets', 'deployments', 'deployments/rollback', 'deployments/scale', 'replicasets', 'replicasets/scale', 'statefulsets', 'statefulsets/scale']),
  rule(WRITE, ['autoscaling'], ['horizontalpodautoscalers']),
  rule(WRITE, ['batch'], ['cronjobs', 'jobs']),
  rule(WRITE, ['policy'], ['poddisruptionbudgets']),
  rule(WRITE, ['networking.k8s.io'], ['ingresses', 'networkpolicies']),
  rule([...READ, ...WRITE], ['coordination.k8s.io'], ['leases']),
];

const ADMINS: PolicyRule[] = [
  rule(['create'], ['authorization.k8s.io'], ['localsubjectaccessreviews']),
  rule([...READ, ...WRITE], [GROUP], ['rolebindings', 'roles']),
];

const PUBLIC_PATHS = ['/healthz', '/livez', '/readyz', '/version', '/version/'];
const DISCOVERY_PATHS = ['/api', '/api/*', '/apis', '/apis/*', '/healthz', '/livez', '/openapi', '/openapi/*', '/readyz', '/version', '/version/'];

/** The bootstrap policy's roles that users meet. Models plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go. */
export function rbacObjects(): KubeObject[] {
  const everyone = [subject('Group', 'system:authenticated')];
  return [
    clusterRole('cluster-admin', [rule(['*'], ['*'], ['*']), { verbs: ['*'], nonResourceURLs: ['*'] }]),
    clusterRole('system:aggregate-to-view', WORKLOADS, 'view'),
    clusterRole('system:aggregate-to-edit', EDITS, 'edit'),
    clusterRole('system:aggregate-to-admin', ADMINS, 'admin'),
    aggregated('view', 'view'),
    { ...aggregated('edit', 'edit'), metadata: { ...aggregated('edit', 'edit').metadata, labels: { ...DEFAULTS.labels, 'rbac.authorization.k8s.io/aggregate-to-admin': 'true' } } },
    aggregated('admin', 'admin'),
    clusterRole('system:discovery', [{ verbs: ['get'], nonResourceURLs: DISCOVERY_PATHS }]),
    clusterRole('system:public-info-viewer', [{ verbs: ['get'], nonResourceURLs: PUBLIC_PATHS }]),
    clusterRole('system:basic-user', [
      rule(['create'], ['authorization.k8s.io'], ['selfsubjectaccessreviews', 'selfsubjectrulesreviews']),
      rule(['create'], ['authentication.k8s.io'], ['selfsubjectreviews']),
    ]),
    clusterRole('system:node', []),
    clusterRole('system:kube-dns', [rule(['list', 'watch'], [''], ['endpoints', 'services'])]),
    clusterRole('system:node-proxier', [rule(READ, [''], ['endpoints', 'services', 'nodes']), rule(READ, ['discovery.k8s.io'], ['endpointslices'])]),
    clusterRole('system:coredns', [rule(['list', 'watch'], [''], ['endpoints', 'services', 'pods', 'namespaces']), rule(['list', 'watch'], ['discovery.k8s.io'], ['endpointslices'])]),
    clusterRole('kindnet', [rule(['list', 'watch', 'patch'], [''], ['nodes']), rule(['list', 'watch'], [''], ['configmaps'])]),
    clusterRole('kubeadm:get-nodes', [rule(['get'], [''], ['nodes'])]),
    clusterRoleBinding('cluster-admin', 'cluster-admin', [subject('Group', 'system:masters')]),
    clusterRoleBinding('kubeadm:cluster-admins', 'cluster-admin', [subject('Group', 'kubeadm:cluster-admins')]),
    clusterRoleBinding('kubeadm:get-nodes', 'kubeadm:get-nodes', [subject('Group', 'system:bootstrappers:kubeadm:default-node-token')]),
    clusterRoleBinding('system:discovery', 'system:discovery', everyone),
    clusterRoleBinding('system:basic-user', 'system:basic-user', everyone),
    clusterRoleBinding('system:public-info-viewer', 'system:public-info-viewer', [...everyone, subject('Group', 'system:unauthenticated')]),
    clusterRoleBinding('system:coredns', 'system:coredns', [serviceAccount('coredns')]),
    clusterRoleBinding('kindnet', 'kindnet', [serviceAccount('kindnet')]),
    clusterRoleBinding('kubeadm:node-proxier', 'system:node-proxier', [serviceAccount('kube-proxy')]),
    role('kube-public', 'kubeadm:bootstrap-signer-clusterinfo', [{ verbs: ['get'], apiGroups: [''], resources: ['configmaps'], resourceNames: ['cluster-info'] }]),
    roleBinding('kube-public', 'kubeadm:bootstrap-signer-clusterinfo', 'kubeadm:bootstrap-signer-clusterinfo', [subject('User', 'system:anonymous')]),
    role('kube-system', 'kube-proxy', [{ verbs: ['get'], apiGroups: [''], resources: ['configmaps'], resourceNames: ['kube-proxy'] }]),
    roleBinding('kube-system', 'kube-proxy', 'kube-proxy', [subject('Group', 'system:bootstrappers:kubeadm:default-node-token')]),
  ];
}
