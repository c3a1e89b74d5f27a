import type { FlowSchema, PriorityLevelConfiguration } from '../../api/flowcontrol_v1.js';

const API = 'flowcontrol.apiserver.k8s.io/v1';
/** Upstream's apiserver keeps these as they are, so that an administrator's changes are undone. */
const annotations = { 'apf.kubernetes.io/autoupdate-spec': 'true' };
const READ_WRITE = ['get', 'create', 'update'];
const ALL = {
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
};

const group = (name: string) => ({ kind: 'Group', group: { name } });
const user = (name: string) => ({ kind: 'User', user: { name } });
const serviceAccount = (name: string) => ({
  kind: 'ServiceAccount',
  serviceAccount: { name, namespace: 'kube-system' },
});
const onResources = (...rules: [verbs: string[], apiGroup: string, resources: string[], namespaces: string[]][]) => ({
  resourceRules: rules.map(([verbs, apiGroup, resources, namespaces]) => ({
    verbs,
    apiGroups: [apiGroup],
    resources,
    namespaces,
  })),
});

/** `queues` in the order queues, handSize, queueLengthLimit; without them requests over the limit are refused. */
function priorityLevel(
  name: string,
  shares: number,
  lendablePercent: number,
  queues?: readonly [number, number, number],
): PriorityLevelConfiguration {
  const limitResponse = queues
    ? { type: 'Queue', queuing: { queues: queues[0], handSize: queues[1], queueLengthLimit: queues[2] } }
    : { type: 'Reject' };
  return {
    apiVersion: API,
    kind: 'PriorityLevelConfiguration',
    metadata: { name, annotations },
    spec: { type: 'Limited', limited: { nominalConcurrencyShares: shares, lendablePercent, limitResponse } },
  } as unknown as PriorityLevelConfiguration;
}

function flowSchema(
  name: string,
  to: string,
  matchingPrecedence: number,
  by: 'ByUser' | 'ByNamespace' | undefined,
  subjects: object[],
  rules: object = ALL,
): FlowSchema {
  return {
    apiVersion: API,
    kind: 'FlowSchema',
    metadata: { name, annotations },
    spec: {
      matchingPrecedence,
      priorityLevelConfiguration: { name: to },
      ...(by ? { distinguisherMethod: { type: by } } : {}),
      rules: [{ subjects, ...rules }],
    },
  } as unknown as FlowSchema;
}

/** Models apiserver/pkg/apis/flowcontrol/bootstrap/default.go. */
export const priorityLevels = (): PriorityLevelConfiguration[] => [
  {
    apiVersion: API,
    kind: 'PriorityLevelConfiguration',
    metadata: { name: 'exempt', annotations },
    spec: { type: 'Exempt', exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } },
  } as unknown as PriorityLevelConfiguration,
  priorityLevel('catch-all', 5, 0),
  priorityLevel('global-default', 20, 50, [128, 6, 50]),
  priorityLevel('leader-election', 10, 0, [16, 4, 50]),
  priorityLevel('node-high', 40, 25, [64, 6, 50]),
  priorityLevel('system', 30, 33, [64, 6, 50]),
  priorityLevel('workload-high', 40, 50, [128, 6, 50]),
  priorityLevel('workload-low', 100, 90, [128, 6, 50]),
];

export function flowSchemas(): FlowSchema[] {
  const locks = onResources([READ_WRITE, 'coordination.k8s.io', ['leases'], ['*']]);
  const everyone = [group('system:unauthenticated'), group('system:authenticated')];
  return [
    flowSchema('exempt', 'exempt', 1, undefined, [group('system:masters')]),
    flowSchema('probes', 'exempt', 2, undefined, everyone, {
      nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/readyz', '/livez'] }],
    }),
    flowSchema(
      'system-leader-election',
      'leader-election',
      100,
      'ByUser',
      [user('system:kube-controller-manager'), user('system:kube-scheduler'), serviceAccount('*')],
      locks,
    ),
    flowSchema(
      'endpoint-controller',
      'workload-high',
      150,
      'ByUser',
      [
        user('system:kube-controller-manager'),
        serviceAccount('endpoint-controller'),
        serviceAccount('endpointslicemirroring-controller'),
      ],
      onResources([READ_WRITE, '', ['endpoints'], ['*']]),
    ),
    flowSchema('workload-leader-election', 'leader-election', 200, 'ByUser', [serviceAccount('*')], locks),
    flowSchema('system-node-high', 'node-high', 400, 'ByUser', [group('system:nodes')], {
      resourceRules: [
        { verbs: ['*'], apiGroups: [''], resources: ['nodes', 'nodes/status'], clusterScope: true, namespaces: ['*'] },
        { verbs: ['*'], apiGroups: ['coordination.k8s.io'], resources: ['leases'], namespaces: ['*'] },
      ],
    }),
    flowSchema('system-nodes', 'system', 500, 'ByUser', [group('system:nodes')]),
    flowSchema('kube-controller-manager', 'workload-high', 800, 'ByNamespace', [
      user('system:kube-controller-manager'),
    ]),
    flowSchema('kube-scheduler', 'workload-high', 800, 'ByNamespace', [user('system:kube-scheduler')]),
    flowSchema('kube-system-service-accounts', 'workload-high', 900, 'ByNamespace', [serviceAccount('*')]),
    flowSchema('service-accounts', 'workload-low', 9000, 'ByUser', [group('system:serviceaccounts')]),
    flowSchema('global-default', 'global-default', 9900, 'ByUser', everyone),
    flowSchema('catch-all', 'catch-all', 10000, 'ByUser', everyone),
  ];
}

/** What the apiserver's controller finds of a FlowSchema whose level exists. */
export const setNotDangling = (schema: FlowSchema, now: string): FlowSchema => ({
  ...schema,
  status: {
    conditions: [
      {
        type: 'Dangling',
        status: 'False',
        reason: 'Found',
        lastTransitionTime: now,
        message: `This FlowSchema references the PriorityLevelConfiguration object named "${schema.spec.priorityLevelConfiguration.name}" and it exists`,
      },
    ],
  },
});
