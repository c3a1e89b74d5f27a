import type { Dice } from '../fuzz/dice.js';

/** One request to the API server: what a user can send, with everything that a user can get wrong. */
export interface ManifestRequest {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: object;
}

const NS = '/api/v1/namespaces/default';
const APPS = '/apis/apps/v1/namespaces/default';
const POLICIES = '/apis/admissionregistration.k8s.io/v1';
const NAMES = ['a', 'b', 'c'];
const NODES = ['worker-1', 'worker-2', 'worker-3'];
const GRACES = [0, 1, 30];

const post = (path: string, body: object): ManifestRequest => ({ method: 'POST', path, body });
export const postDeployment = (name: string, replicas: number, podSpec: object): ManifestRequest =>
  post(`${APPS}/deployments`, {
    metadata: { name },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: podSpec },
    },
  });
const patch = (path: string, body: object): ManifestRequest => ({ method: 'PATCH', path, body });
/** The few names and labels make objects meet: selectors overlap, targets are shared, owners are several. */
const labels = (dice: Dice): object => ({ app: dice.pick(NAMES) });
const selector = (dice: Dice): object => ({ matchLabels: labels(dice) });
const metadata = (dice: Dice, more: object = {}): object => ({
  name: dice.pick(NAMES),
  labels: labels(dice),
  ...(dice.chance(10) ? { finalizers: [dice.pick(['example.com/hold', 'foregroundDeletion', 'orphan'])] } : {}),
  ...more,
});
const some = (dice: Dice, percent: number, fields: () => object): object => (dice.chance(percent) ? fields() : {});

// ---- pods ----

const COMMANDS = [['false'], ['true'], ['sleep', '3'], ['sh', '-c', 'sleep 1; exit 1'], ['sleep', 'infinity']];
const probe = (dice: Dice): object => ({
  ...dice.pick([
    { httpGet: { path: '/', port: dice.pick([80, 81]) } },
    { exec: { command: [dice.pick(['true', 'false'])] } },
  ]),
  periodSeconds: 1,
  failureThreshold: 1,
});

const container = (dice: Dice, name: string): object => ({
  name,
  image: dice.pick(['nginx:1.27', 'busybox:1.36', 'nginx:no-such-tag', 'redis:7']),
  ...some(dice, 40, () => ({ command: dice.pick(COMMANDS) })),
  ...some(dice, 40, () => ({
    resources: {
      requests: dice.pick([{ cpu: '100' }, { cpu: '900m' }, { memory: '500Gi' }, { 'example.com/gpu': '1' }]),
      ...some(dice, 20, () => ({ limits: { cpu: '1', 'example.com/gpu': '1' } })),
    },
  })),
  ...some(dice, 25, () => ({ ports: [{ containerPort: 80, hostPort: 80 }] })),
  ...some(dice, 20, () => ({ readinessProbe: probe(dice) })),
  ...some(dice, 20, () => ({ livenessProbe: probe(dice) })),
});

const affinityTerm = (dice: Dice): object => ({ labelSelector: selector(dice), topologyKey: 'kubernetes.io/hostname' });
const affinity = (dice: Dice): object =>
  dice.pick([
    { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [affinityTerm(dice)] } },
    { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [affinityTerm(dice)] } },
    {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [
            { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'NotIn', values: [dice.pick(NODES)] }] },
          ],
        },
      },
    },
  ]);
const toleration = (dice: Dice): object => ({
  key: 'fight',
  operator: 'Exists',
  ...some(dice, 60, () => ({ effect: 'NoExecute', tolerationSeconds: dice.pick([0, 1, 10]) })),
});

const podSpec = (dice: Dice, restartPolicies: readonly string[]): object => ({
  restartPolicy: dice.pick(restartPolicies),
  terminationGracePeriodSeconds: dice.pick(GRACES),
  containers: [container(dice, 'one'), ...(dice.chance(15) ? [container(dice, 'two')] : [])],
  ...some(dice, 10, () => ({ initContainers: [container(dice, 'init')] })),
  ...some(dice, 40, () => ({ nodeName: dice.pick([...NODES, 'no-such-node']) })),
  ...some(dice, 25, () => ({ nodeSelector: dice.pick([{ a: 'b' }, { 'kubernetes.io/hostname': dice.pick(NODES) }]) })),
  ...some(dice, 20, () => ({ affinity: affinity(dice) })),
  ...some(dice, 25, () => ({ tolerations: [toleration(dice)] })),
  ...some(dice, 10, () => ({ activeDeadlineSeconds: 1 })),
  ...some(dice, 10, () => ({ priorityClassName: dice.pick(['system-node-critical', 'high', 'low']) })),
  ...some(dice, 10, () => ({ serviceAccountName: 'no-such-account' })),
  ...some(dice, 5, () => ({ hostNetwork: true })),
  ...some(dice, 5, () => ({ schedulingGates: [{ name: 'example.com/gate' }] })),
  ...some(dice, 15, () => ({ volumes: [{ name: 'v', persistentVolumeClaim: { claimName: dice.pick(NAMES) } }] })),
});

const template = (dice: Dice, restartPolicies = ['Always']): object => ({
  metadata: { labels: labels(dice), ...some(dice, 10, () => ({ finalizers: ['example.com/hold'] })) },
  spec: podSpec(dice, restartPolicies),
});
/** Its pods match its selector, as the API requires. */
function selecting(dice: Dice, restartPolicies?: string[]): object {
  const own = template(dice, restartPolicies) as { metadata: { labels: object } };
  return { selector: { matchLabels: own.metadata.labels }, template: own };
}

// ---- owners ----

/** References to objects that may exist, with uids that never match: dangling owners, and cycles by name. */
const ownerReferences = (dice: Dice): object[] => [
  {
    ...dice.pick([
      { apiVersion: 'v1', kind: 'ConfigMap' },
      { apiVersion: 'apps/v1', kind: 'ReplicaSet' },
      { apiVersion: 'v1', kind: 'Namespace' },
    ]),
    name: dice.pick(NAMES),
    uid: `00000000-0000-4000-8000-00000000000${dice.roll(3)}`,
    controller: dice.chance(50),
    blockOwnerDeletion: dice.chance(50),
  },
];

// ---- admission ----

const MUTATIONS = [
  'Object{metadata: Object.metadata{labels: {"app": "none"}}}',
  'Object{metadata: Object.metadata{annotations: {"turn": string(object.metadata.?generation.orValue(0))}}}',
  'Object{spec: Object.spec{replicas: 1}}',
  'Object{spec: Object.spec{replicas: 3}}',
];
const matchConstraints = (dice: Dice): object => ({
  resourceRules: [
    {
      apiGroups: ['*'],
      apiVersions: ['*'],
      operations: [dice.pick(['CREATE', 'UPDATE', '*', 'DELETE'])],
      resources: [dice.pick(['pods', 'deployments', 'replicasets', 'pods/status', 'events', 'endpointslices', '*/*'])],
    },
  ],
});
const bind = (kind: string, dice: Dice, name: string): ManifestRequest =>
  post(`${POLICIES}/${kind.toLowerCase()}bindings`, {
    kind: `${kind}Binding`,
    metadata: { name },
    spec: {
      policyName: name,
      ...(kind.startsWith('Validating') ? { validationActions: [dice.pick(['Deny', 'Warn'])] } : {}),
    },
  });

const mutatingPolicy = (dice: Dice, name: string): ManifestRequest[] => [
  post(`${POLICIES}/mutatingadmissionpolicies`, {
    metadata: { name },
    spec: {
      matchConstraints: matchConstraints(dice),
      reinvocationPolicy: dice.pick(['Never', 'IfNeeded']),
      failurePolicy: dice.pick(['Ignore', 'Fail']),
      mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression: dice.pick(MUTATIONS) } }],
    },
  }),
  bind('MutatingAdmissionPolicy', dice, name),
];
const validatingPolicy = (dice: Dice, name: string): ManifestRequest[] => [
  post(`${POLICIES}/validatingadmissionpolicies`, {
    metadata: { name },
    spec: { matchConstraints: matchConstraints(dice), validations: [{ expression: 'false' }] },
  }),
  bind('ValidatingAdmissionPolicy', dice, name),
];
/** A webhook that no pod serves, or one that does not speak its language. */
const webhook = (dice: Dice): ManifestRequest[] => [
  post(`${POLICIES}/${dice.pick(['mutating', 'validating'])}webhookconfigurations`, {
    metadata: { name: dice.pick(NAMES) },
    webhooks: [
      {
        name: 'a.example.com',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        failurePolicy: dice.pick(['Ignore', 'Fail']),
        clientConfig: { service: { namespace: 'default', name: dice.pick(NAMES), path: '/' } },
        rules: (matchConstraints(dice) as { resourceRules: object[] }).resourceRules,
      },
    ],
  }),
];

// ---- everything ----

type Maker = (dice: Dice) => ManifestRequest[];

const scaleTarget = (dice: Dice): object =>
  dice.pick([
    { apiVersion: 'apps/v1', kind: 'Deployment', name: dice.pick(NAMES) },
    { apiVersion: 'apps/v1', kind: 'StatefulSet', name: dice.pick(NAMES) },
  ]);

const jobSpec = (dice: Dice): object => ({
  template: template(dice, ['Never', 'OnFailure']),
  backoffLimit: dice.pick([0, 6, 2_147_483_647]),
  parallelism: dice.pick([1, 5]),
  completions: dice.pick([1, 5]),
  ...some(dice, 30, () => ({ ttlSecondsAfterFinished: dice.pick([0, 5]) })),
  ...some(dice, 20, () => ({ activeDeadlineSeconds: 2 })),
  ...some(dice, 20, () => ({
    podFailurePolicy: {
      rules: [{ action: dice.pick(['Ignore', 'Count', 'FailJob']), onExitCodes: { operator: 'In', values: [1] } }],
    },
  })),
});

const MAKERS: readonly Maker[] = [
  (dice) => [
    post(`${APPS}/deployments`, {
      metadata: metadata(dice),
      spec: {
        replicas: dice.roll(5),
        ...selecting(dice),
        ...some(dice, 20, () => ({ strategy: { type: 'Recreate' } })),
        ...some(dice, 20, () => ({ progressDeadlineSeconds: 2 })),
        ...some(dice, 20, () => ({ revisionHistoryLimit: 0 })),
      },
    }),
  ],
  (dice) => [
    post(`${APPS}/replicasets`, { metadata: metadata(dice), spec: { replicas: dice.roll(5), ...selecting(dice) } }),
  ],
  (dice) => [
    post(`${NS}/replicationcontrollers`, {
      metadata: metadata(dice),
      spec: {
        replicas: dice.roll(4),
        selector: { app: 'a' },
        template: { ...template(dice), metadata: { labels: { app: 'a' } } },
      },
    }),
  ],
  (dice) => [
    post(`${APPS}/statefulsets`, {
      metadata: metadata(dice),
      spec: {
        replicas: dice.roll(4),
        serviceName: 'a',
        podManagementPolicy: dice.pick(['OrderedReady', 'Parallel']),
        ...selecting(dice),
        ...some(dice, 30, () => ({ volumeClaimTemplates: [{ metadata: { name: 'v' }, spec: claimSpec(dice) }] })),
      },
    }),
  ],
  (dice) => [post(`${APPS}/daemonsets`, { metadata: metadata(dice), spec: selecting(dice) })],
  (dice) => [post('/apis/batch/v1/namespaces/default/jobs', { metadata: metadata(dice), spec: jobSpec(dice) })],
  (dice) => [
    post('/apis/batch/v1/namespaces/default/cronjobs', {
      metadata: metadata(dice),
      spec: {
        schedule: '* * * * *',
        concurrencyPolicy: dice.pick(['Allow', 'Forbid', 'Replace']),
        jobTemplate: { spec: jobSpec(dice) },
      },
    }),
  ],
  (dice) => [post(`${NS}/pods`, { metadata: metadata(dice), spec: podSpec(dice, ['Always', 'Never', 'OnFailure']) })],
  // Two autoscalers on one target, or two with the same pods.
  (dice) =>
    NAMES.slice(0, 2).map((name) =>
      post('/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers', {
        metadata: { name },
        spec: {
          scaleTargetRef: scaleTarget(dice),
          minReplicas: dice.pick([1, 3]),
          maxReplicas: dice.pick([3, 6]),
          metrics: [
            {
              type: 'Resource',
              resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: dice.pick([1, 90]) } },
            },
          ],
          behavior: { scaleDown: { stabilizationWindowSeconds: 0 } },
        },
      }),
    ),
  (dice) => [
    post(`${NS}/resourcequotas`, {
      metadata: metadata(dice),
      spec: {
        hard: dice.pick([{ pods: '2' }, { 'requests.cpu': '1' }, { 'count/replicasets.apps': '1' }, { pods: '0' }]),
      },
    }),
  ],
  (dice) => [
    post(`${NS}/limitranges`, {
      metadata: metadata(dice),
      spec: {
        limits: [
          dice.pick([
            { type: 'Container', default: { cpu: '200m' }, defaultRequest: { cpu: '100m' } },
            { type: 'Container', max: { cpu: '50m' } },
            { type: 'Pod', min: { memory: '1Gi' } },
          ]),
        ],
      },
    }),
  ],
  (dice) => [
    post(`${NS}/services`, {
      metadata: metadata(dice),
      spec: {
        ports: [{ port: 80 }],
        ...some(dice, 80, () => ({ selector: labels(dice) })),
        ...some(dice, 20, () => ({ type: dice.pick(['NodePort', 'LoadBalancer']) })),
      },
    }),
  ],
  // By hand beside what the controllers write for a Service of this name.
  (dice) => [
    post('/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', {
      metadata: metadata(dice, {
        labels: {
          'kubernetes.io/service-name': dice.pick(NAMES),
          'endpointslice.kubernetes.io/managed-by': dice.pick(['me', 'endpointslice-controller.k8s.io']),
        },
      }),
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.1.2.3'] }],
      ports: [{ port: 80 }],
    }),
    post(`${NS}/endpoints`, {
      metadata: metadata(dice),
      subsets: [{ addresses: [{ ip: '10.1.2.3' }], ports: [{ port: 80 }] }],
    }),
  ],
  (dice) => [
    post('/apis/policy/v1/namespaces/default/poddisruptionbudgets', {
      metadata: metadata(dice),
      spec: {
        selector: selector(dice),
        ...dice.pick([{ maxUnavailable: 0 }, { minAvailable: '100%' }, { minAvailable: 1 }]),
      },
    }),
  ],
  (dice) => [
    post(`${NS}/pods/${dice.pick(NAMES)}/eviction`, {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name: dice.pick(NAMES) },
    }),
  ],
  (dice) => [
    patch(`/api/v1/nodes/${dice.pick(NODES)}`, {
      spec: dice.pick([
        { taints: [{ key: 'fight', effect: dice.pick(['NoExecute', 'NoSchedule']) }] },
        { taints: null },
        { unschedulable: dice.chance(50) },
      ]),
    }),
  ],
  (dice) => [
    patch(`/api/v1/nodes/${dice.pick(NODES)}/status`, {
      status: dice.pick([
        { conditions: [{ type: 'Ready', status: 'False', reason: 'X' }] },
        { allocatable: { cpu: '100m', pods: '3' } },
      ]),
    }),
  ],
  (dice) => [post(`${NS}/configmaps`, { metadata: metadata(dice, { ownerReferences: ownerReferences(dice) }) })],
  (dice) => [post(`${NS}/persistentvolumeclaims`, { metadata: metadata(dice), spec: claimSpec(dice) })],
  (dice) => [
    post('/api/v1/persistentvolumes', {
      metadata: metadata(dice),
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        hostPath: { path: '/v' },
        persistentVolumeReclaimPolicy: dice.pick(['Retain', 'Delete', 'Recycle']),
        storageClassName: dice.pick(['', 'none', 'slow']),
        ...some(dice, 50, () => ({ claimRef: { namespace: 'default', name: dice.pick(NAMES) } })),
      },
    }),
  ],
  (dice) => [
    post('/apis/storage.k8s.io/v1/storageclasses', {
      metadata: { name: dice.pick(['none', 'slow']) },
      provisioner: dice.pick(['example.com/none', 'kubernetes.io/no-provisioner']),
      volumeBindingMode: dice.pick(['Immediate', 'WaitForFirstConsumer']),
    }),
  ],
  () =>
    [1000, -1000].map((value) =>
      post('/apis/scheduling.k8s.io/v1/priorityclasses', { metadata: { name: value > 0 ? 'high' : 'low' }, value }),
    ),
  // Each aggregates the other.
  () =>
    ['a', 'b'].map((name, i) =>
      post('/apis/rbac.authorization.k8s.io/v1/clusterroles', {
        metadata: { name, labels: { app: name } },
        aggregationRule: { clusterRoleSelectors: [{ matchLabels: { app: ['b', 'a'][i] } }] },
        rules: [],
      }),
    ),
  (dice) => mutatingPolicy(dice, dice.pick(NAMES)),
  (dice) => NAMES.slice(0, 2).flatMap((name) => mutatingPolicy(dice, name)),
  (dice) => validatingPolicy(dice, dice.pick(NAMES)),
  webhook,
  (dice) => [
    post('/apis/terrarium.dev/v1alpha1/components', {
      metadata: { name: dice.pick(['kube-scheduler', 'kube-controller-manager', 'kubelet']) },
      spec: { enabled: dice.chance(50) },
    }),
  ],
];

const claimSpec = (dice: Dice): object => ({
  accessModes: [dice.pick(['ReadWriteOnce', 'ReadWriteMany'])],
  resources: { requests: { storage: dice.pick(['1Gi', '10Ti']) } },
  ...some(dice, 60, () => ({ storageClassName: dice.pick(['', 'none', 'slow', 'standard']) })),
  ...some(dice, 30, () => ({ volumeName: dice.pick(NAMES) })),
});

/** A manifest or two that belong together. */
export const makeManifests = (dice: Dice): ManifestRequest[] => dice.pick(MAKERS)(dice);

/** What a user may do by hand to an object that is there, also to those that controllers have made. */
export function meddle(dice: Dice, path: string): ManifestRequest {
  const one = (): object => ({ ownerReferences: dice.chance(50) ? null : ownerReferences(dice) });
  return dice.pick<() => ManifestRequest>([
    () => ({ method: 'DELETE', path, body: { propagationPolicy: dice.pick(['Background', 'Foreground', 'Orphan']) } }),
    () => ({ method: 'DELETE', path, body: { gracePeriodSeconds: 0 } }),
    () => patch(path, { metadata: { labels: dice.pick([{ app: dice.pick(NAMES) }, { app: null }]) } }),
    () => patch(path, { metadata: { finalizers: dice.pick([null, ['example.com/hold'], ['foregroundDeletion']]) } }),
    () => patch(path, { metadata: one() }),
    () => patch(path, { spec: { replicas: dice.roll(5) } }),
    () => patch(path, { spec: { template: template(dice) } }),
    () => patch(`${path}/status`, { status: { phase: dice.pick(['Failed', 'Succeeded', 'Running', 'Pending']) } }),
    () => patch(`${path}/status`, { status: { replicas: 7, readyReplicas: 7, conditions: null } }),
  ])();
}
