import { API_VERSION, type LabSpec } from '../lab-file.js';
import type { LabCluster } from './lab-cluster.js';
import type { Manifest } from './objects.js';

/** What learners may do unless the lab says otherwise. */
export const LEARNER_ROLE = 'terrarium:learner';
const RBAC = 'rbac.authorization.k8s.io';
const OWN_GROUP = API_VERSION.split('/')[0]!;
/** Not among them: impersonate, bind and escalate, by which one becomes more than one is. */
const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection', 'approve', 'sign'];

/** The lab's users and the learner, as RBAC has them. */
export function learnerObjects({ users, learner }: LabSpec, cluster: LabCluster): Manifest[] {
  const role = learner.clusterRole === LEARNER_ROLE ? [learnerRole(groupsOf(cluster), learner.shell)] : [];
  const known = users.flatMap(({ name, groups, clusterRole, namespace }) =>
    clusterRole === undefined ? [] : [bind(`lab:user:${name}`, clusterRole, [userSubject(name)], namespace, groups)],
  );
  return [
    ...role,
    bind('terrarium:learner', learner.clusterRole, [userSubject(learner.user)], undefined, []),
    ...known,
  ];
}

/** The API groups of the cluster, those of CRDs too; '' is the core's. */
function groupsOf(cluster: LabCluster): string[] {
  const { body } = cluster.call('GET', '/apis');
  const { groups } = body as { groups: readonly { readonly name: string }[] };
  return ['', ...groups.map(({ name }) => name)].filter((name) => name !== OWN_GROUP);
}

/**
 * Everything but terrarium.dev, where the checks are, and the nodes' own ways in. RBAC has no exceptions, so that all
 * else is named.
 */
const learnerRole = (apiGroups: readonly string[], shell: boolean): Manifest => ({
  apiVersion: `${RBAC}/v1`,
  kind: 'ClusterRole',
  // A controller adds the groups of CRDs that are applied later.
  metadata: { name: LEARNER_ROLE, annotations: { 'terrarium.dev/grants': 'every-group' } },
  rules: [
    { apiGroups: apiGroups.filter((group) => group !== ''), resources: ['*'], verbs: VERBS },
    { apiGroups: [''], resources: [...CORE_RESOURCES, ...(shell ? ['nodes/shell'] : [])], verbs: VERBS },
    { nonResourceURLs: ['*'], verbs: ['get'] },
  ],
});

const CORE_RESOURCES = [
  ...['bindings', 'componentstatuses', 'configmaps', 'endpoints', 'events', 'limitranges', 'namespaces'],
  ...['namespaces/finalize', 'namespaces/status', 'nodes', 'nodes/status', 'persistentvolumeclaims'],
  ...['persistentvolumeclaims/status', 'persistentvolumes', 'persistentvolumes/status', 'pods', 'pods/attach'],
  ...['pods/binding', 'pods/ephemeralcontainers', 'pods/eviction', 'pods/exec', 'pods/log', 'pods/portforward'],
  ...['pods/proxy', 'pods/resize', 'pods/status', 'podtemplates', 'replicationcontrollers'],
  ...['replicationcontrollers/scale', 'replicationcontrollers/status', 'resourcequotas', 'resourcequotas/status'],
  ...['secrets', 'serviceaccounts', 'services', 'services/proxy', 'services/status'],
];

const userSubject = (name: string): object => ({ kind: 'User', name, apiGroup: RBAC });

function bind(
  name: string,
  role: string,
  subjects: readonly object[],
  namespace: string | undefined,
  groups: readonly string[],
): Manifest {
  return {
    apiVersion: `${RBAC}/v1`,
    kind: namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding',
    metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: role },
    subjects: [...subjects, ...groups.map((group) => ({ kind: 'Group', name: group, apiGroup: RBAC }))],
  };
}
