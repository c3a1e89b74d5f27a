import type { Container, PodSpec } from '../../engine/api/core_v1.js';
import {
  Components,
  ConfigMaps,
  CronJobs,
  DaemonSets,
  Deployments,
  HorizontalPodAutoscalers,
  Ingresses,
  Jobs,
  Namespaces,
  NetworkPolicies,
  Nodes,
  PersistentVolumeClaims,
  PodDisruptionBudgets,
  Pods,
  ResourceQuotas,
  Services,
  StatefulSets,
} from '../../engine/kinds/index.js';
import type { ClusterBed } from '../beds/cluster-bed.js';

/** A cluster in which something is wrong, and the real reason. */
export interface World {
  /** Builds what is broken, and lets the time pass in which it shows. */
  build(bed: ClusterBed): unknown;
  readonly ask: object;
  readonly reason: string;
  /** Parts of the message. */
  readonly says: readonly string[];
  /** Part of the evidence, or of another finding. */
  readonly also?: readonly string[];
  /** Part of the oldest step of the chain. */
  readonly from?: string;
}

const BUSYBOX = 'busybox:1.36';
const labels = { app: 'web' };
const sh = (script: string): Partial<Container> => ({ image: BUSYBOX, command: ['sh', '-c', script] });
export const podSpec = (container: Partial<Container>, spec: Partial<PodSpec> = {}): object => ({
  spec: { containers: [{ name: 'c', image: 'nginx:1.27', ...container }], ...spec },
});
const template = (container: Partial<Container> = {}, spec: Partial<PodSpec> = {}): object => ({
  metadata: { labels },
  ...podSpec(container, spec),
});
export const workload = (
  replicas: number,
  container: Partial<Container> = {},
  spec: Partial<PodSpec> = {},
): object => ({
  spec: { replicas, selector: { matchLabels: labels }, template: template(container, spec) },
});
const service = (selector: object, port: object = { port: 80 }): object => ({ spec: { selector, ports: [port] } });
const pod = (name = 'web'): object => ({ resource: 'pod', name });
const made = (what: string): string => `kubernetes-admin created ${what}`;
const cpu = (amount: string): Partial<Container> => ({ resources: { requests: { cpu: amount } } });
const claim = (spec: object): object => ({
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
});
const mountOf = (claimName: string): Partial<PodSpec> => ({
  volumes: [{ name: 'v', persistentVolumeClaim: { claimName } }],
});
const switchOff = (bed: ClusterBed, component: string): void => {
  const found = bed.client.get(Components, { namespace: '', name: component });
  const spec = { enabled: false };
  if (found) bed.client.update(Components, { ...found, spec } as never);
  else bed.create(Components, component, { spec });
};

export const WORLDS: Readonly<Record<string, World>> = {
  'a pod that is too large': {
    build: (bed) => [bed.create(Pods, 'web', podSpec(cpu('100'))), bed.at(5)],
    ask: pod(),
    reason: 'Unschedulable',
    says: ['0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 Insufficient cpu.'],
    also: [
      '(node-role.kubernetes.io/control-plane:NoSchedule); NodeResourcesFit: Insufficient cpu (cpu: it asks for 100',
      'worker-1: NodeResourcesFit',
    ],
    from: made('pod/default/web'),
  },
  'a scheduling gate': {
    build: (bed) => [bed.create(Pods, 'web', podSpec({}, { schedulingGates: [{ name: 'shop/wait' }] })), bed.at(5)],
    ask: pod(),
    reason: 'SchedulingGated',
    says: ['shop/wait'],
  },
  'no scheduler': {
    build: (bed) => {
      switchOff(bed, 'kube-scheduler');
      bed.create(Pods, 'web', podSpec({}));
      bed.at(5);
    },
    ask: pod(),
    reason: 'NoScheduler',
    says: ['kube-scheduler does not run'],
  },
  'a readiness probe': {
    build: (bed) => [
      bed.create(
        Pods,
        'web',
        podSpec({ readinessProbe: { httpGet: { path: '/', port: 8_080 }, periodSeconds: 2, failureThreshold: 2 } }),
      ),
      bed.at(60),
    ],
    ask: pod(),
    reason: 'Unhealthy',
    says: ['container "c" is not ready: Readiness probe failed', 'connection refused (GET / at port 8080)'],
    from: made('pod/default/web'),
  },
  'a crash loop': {
    build: (bed) => [bed.create(Deployments, 'web', workload(1, sh('echo starting; exit 3'))), bed.at(60)],
    ask: { resource: 'deploy', name: 'web' },
    reason: 'CrashLoopBackOff',
    says: ['container "c" failed (exit code 3)', 'it was started again'],
    also: ['| starting'],
    from: made('deployment/default/web'),
  },
  'out of memory': {
    build: (bed) => [
      bed.create(
        Pods,
        'web',
        podSpec({
          image: 'polinux/stress',
          command: ['stress', '--vm', '1', '--vm-bytes', '250M'],
          resources: { limits: { memory: '100Mi' } },
        }),
      ),
      bed.at(60),
    ],
    ask: pod(),
    reason: 'OOMKilled',
    says: ['wanted more memory than its limit of 100Mi', 'exit code 137, SIGKILL'],
  },
  'a wrong tag': {
    build: (bed) => [bed.create(Pods, 'web', podSpec({ image: 'nginx:nope' })), bed.at(30)],
    ask: pod(),
    reason: 'ImagePullBackOff',
    says: ['Failed to pull image "nginx:nope"', 'not found'],
    from: made('pod/default/web'),
  },
  'a missing ConfigMap': {
    build: (bed) => [
      bed.create(Pods, 'web', podSpec({}, { volumes: [{ name: 'v', configMap: { name: 'nope' } }] })),
      bed.at(30),
    ],
    ask: pod(),
    reason: 'FailedMount',
    says: ['configmap "nope" not found'],
  },
  'a liveness probe': {
    build: (bed) => [
      bed.create(
        Pods,
        'web',
        podSpec(
          {
            ...sh('sleep 3600'),
            livenessProbe: { exec: { command: ['cat', '/ok'] }, periodSeconds: 1 },
          },
          { terminationGracePeriodSeconds: 1 },
        ),
      ),
      bed.at(40),
    ],
    ask: pod(),
    reason: 'Unhealthy',
    says: ["Liveness probe failed: cat: can't open '/ok': No such file or directory", 'exit code 137, SIGKILL'],
  },
  'a wrong selector': {
    build: (bed) => {
      bed.create(Deployments, 'web', workload(1));
      bed.create(Services, 'web', service({ app: 'wbe' }));
      bed.at(10);
    },
    ask: { resource: 'svc', name: 'web' },
    reason: 'NoEndpoints',
    says: ['no pod has the labels of its selector: app=wbe'],
    also: ['has the labels app=web'],
  },
  'no pod that is ready': {
    build: (bed) => {
      bed.create(Deployments, 'web', workload(1, { image: 'nginx:nope' }));
      bed.create(Services, 'web', service(labels));
      bed.at(30);
    },
    ask: { resource: 'svc', name: 'web' },
    reason: 'ImagePullBackOff',
    says: ['nginx:nope'],
    also: ['it selects 1 pods (app=web), and none of them is ready'],
  },
  'a wrong named port': {
    build: (bed) => {
      bed.create(Pods, 'web', podSpec({ ports: [{ name: 'http', containerPort: 80 }] }), { labels });
      bed.create(Services, 'web', service(labels, { port: 80, targetPort: 'htpp' }));
      bed.at(10);
    },
    ask: { resource: 'svc', name: 'web' },
    reason: 'NoSuchPort',
    says: ['"htpp"', 'they have "http"'],
  },
  'a wrong port': {
    build: (bed) => {
      bed.create(Pods, 'web', podSpec({}), { labels });
      bed.create(Services, 'web', service(labels, { port: 80, targetPort: 8_080 }));
      bed.at(10);
    },
    ask: { resource: 'svc', name: 'web' },
    reason: 'ConnectionRefused',
    says: ['connection refused: nothing listens at port 8080'],
  },
  'a connection that a policy drops': {
    build: (bed) => {
      bed.create(Pods, 'web', podSpec({}), { labels });
      bed.create(Pods, 'other', podSpec({}));
      bed.create(NetworkPolicies, 'deny', { spec: { podSelector: {}, policyTypes: ['Ingress'] } });
      bed.at(10);
    },
    ask: { connection: { from: 'pod/default/other', to: 'pod/default/web', port: 80 } },
    reason: 'ConnectionDropped',
    says: ['from pod/default/other to pod/default/web port 80 is dropped', 'deny'],
    from: made('networkpolicy/default/deny'),
  },
  'a claim that no class serves': {
    build: (bed) => [bed.create(PersistentVolumeClaims, 'data', claim({ storageClassName: 'fast' })), bed.at(5)],
    ask: { resource: 'pvc', name: 'data' },
    reason: 'ProvisioningFailed',
    says: ['storageclass.storage.k8s.io "fast" not found'],
  },
  'a claim that waits for a pod': {
    build: (bed) => [bed.create(PersistentVolumeClaims, 'data', claim({ storageClassName: 'standard' })), bed.at(5)],
    ask: { resource: 'pvc', name: 'data' },
    reason: 'WaitForFirstConsumer',
    says: ['no pod uses it yet'],
  },
  'a pod whose claim is not there': {
    build: (bed) => [bed.create(Pods, 'web', podSpec({}, mountOf('data'))), bed.at(5)],
    ask: pod(),
    reason: 'Unschedulable',
    says: ['persistentvolumeclaim "data" not found'],
  },
  'a paused Deployment': {
    build: (bed) => {
      bed.create(Deployments, 'web', workload(1));
      bed.at(10);
      const found = bed.get(Deployments, 'web');
      const spec = { ...found.spec, paused: true, template: template({ image: 'nginx:1.28' }) };
      bed.client.update(Deployments, { ...found, spec } as never);
      bed.at(20);
    },
    ask: { resource: 'deploy', name: 'web' },
    reason: 'DeploymentPaused',
    says: ['its rollout is paused'],
    from: 'kubernetes-admin changed deployment/default/web (spec)',
  },
  'a Deployment without quota': {
    build: (bed) => {
      bed.create(ResourceQuotas, 'few', { spec: { hard: { pods: '1' } } });
      bed.at(2);
      bed.create(Deployments, 'web', workload(2));
      bed.at(20);
    },
    ask: { resource: 'deploy', name: 'web' },
    reason: 'FailedCreate',
    says: ['exceeded quota: few, requested: pods=1, used: pods=1, limited: pods=1'],
  },
  'a quota that is used up': {
    build: (bed) => {
      bed.create(ResourceQuotas, 'few', { spec: { hard: { pods: '1', services: '5' } } });
      bed.create(Pods, 'web', podSpec({}));
      bed.at(5);
    },
    ask: { resource: 'quota', name: 'few' },
    reason: 'QuotaUsedUp',
    says: ['pods: 1 of 1'],
  },
  'an autoscaler without metrics': {
    build: (bed) => {
      bed.create(Deployments, 'web', workload(1));
      bed.create(HorizontalPodAutoscalers, 'web', {
        spec: {
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
          maxReplicas: 3,
          metrics: [
            { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } },
          ],
        },
      });
      bed.at(60);
    },
    ask: { resource: 'hpa', name: 'web' },
    reason: 'FailedGetResourceMetric',
    says: ['ScalingActive', 'unable to get metrics for resource cpu', 'get pods.metrics.k8s.io'],
  },
  'a finalizer that nobody removes': {
    build: (bed) => {
      bed.create(ConfigMaps, 'keep', { data: {} }, { finalizers: ['shop.example/guard'] });
      bed.client.delete(ConfigMaps, { namespace: 'default', name: 'keep' });
      bed.at(10);
    },
    ask: { resource: 'cm', name: 'keep' },
    reason: 'Terminating',
    says: ['nobody has removed the finalizer "shop.example/guard"'],
    from: 'kubernetes-admin asked to delete configmap/default/keep',
  },
  'a claim in use that is deleted': {
    build: (bed) => {
      bed.create(PersistentVolumeClaims, 'data', claim({ storageClassName: 'standard' }));
      bed.create(Pods, 'web', podSpec({}, mountOf('data')));
      bed.at(30);
      bed.client.delete(PersistentVolumeClaims, { namespace: 'default', name: 'data' });
      bed.at(40);
    },
    ask: { resource: 'pvc', name: 'data' },
    reason: 'Terminating',
    says: ['"kubernetes.io/pvc-protection" waits for the pods that mount it: pod/default/web'],
  },
  'a namespace whose content stays': {
    build: (bed) => {
      bed.create(Namespaces, 'shop', {});
      bed.create(ConfigMaps, 'keep', { data: {} }, { namespace: 'shop', finalizers: ['shop.example/guard'] });
      bed.at(5);
      bed.client.delete(Namespaces, { namespace: '', name: 'shop' });
      bed.at(30);
    },
    ask: { resource: 'ns', name: 'shop' },
    reason: 'SomeResourcesRemain',
    says: ['configmaps. has 1 resource instances'],
    also: ['shop.example/guard in 1 resource instances'],
  },
  'a Job that fails': {
    build: (bed) => [
      bed.create(Jobs, 'work', {
        spec: { backoffLimit: 0, template: podSpec(sh('echo oops; exit 4'), { restartPolicy: 'Never' }) },
      }),
      bed.at(60),
    ],
    ask: { resource: 'job', name: 'work' },
    reason: 'BackoffLimitExceeded',
    says: ['Job has reached the specified backoff limit'],
    also: ['exit code 4', '| oops'],
    from: made('job/default/work'),
  },
  'a CronJob that is suspended': {
    build: (bed) => [bed.create(CronJobs, 'tick', cron({ suspend: true })), bed.at(90)],
    ask: { resource: 'cj', name: 'tick' },
    reason: 'Suspended',
    says: ['spec.suspend'],
  },
  'a CronJob whose Job still runs': {
    build: (bed) => [bed.create(CronJobs, 'tick', cron({ concurrencyPolicy: 'Forbid' }, 'sleep 9999')), bed.at(200)],
    ask: { resource: 'cj', name: 'tick' },
    reason: 'JobAlreadyActive',
    says: ['still runs, and concurrencyPolicy is Forbid'],
  },
  'a CronJob that is not due': {
    build: (bed) => [bed.create(CronJobs, 'tick', cron({ schedule: '0 0 1 6 *' })), bed.at(5)],
    ask: { resource: 'cj', name: 'tick' },
    reason: 'NotDue',
    says: ['the next time of "0 0 1 6 *" is 2026-06-01T00:00:00Z'],
  },
  'a node whose kubelets stand still': {
    build: (bed) => {
      switchOff(bed, 'kubelet');
      bed.at(120);
    },
    ask: { resource: 'node', name: 'worker-1' },
    reason: 'NoKubelet',
    says: ['the kubelets of this cluster are switched off'],
  },
  'a node that is cordoned': {
    build: (bed) => {
      const node = bed.get(Nodes, 'worker-1');
      bed.client.update(Nodes, { ...node, spec: { ...node.spec, unschedulable: true } });
      bed.at(5);
    },
    ask: { resource: 'node', name: 'worker-1' },
    reason: 'NodeUnschedulable',
    says: ['it is cordoned'],
  },
  'a StatefulSet whose first pod is not ready': {
    build: (bed) => [
      bed.create(StatefulSets, 'db', {
        spec: {
          replicas: 3,
          serviceName: 'db',
          selector: { matchLabels: labels },
          template: template({ image: 'nginx:nope' }),
        },
      }),
      bed.at(30),
    ],
    ask: { resource: 'sts', name: 'db' },
    reason: 'ImagePullBackOff',
    says: ['Failed to pull image "nginx:nope"'],
    also: ['db-1 is not created before db-0 is ready'],
  },
  'a DaemonSet without a node': {
    build: (bed) => [
      bed.create(DaemonSets, 'agent', {
        spec: { selector: { matchLabels: labels }, template: template({}, { nodeSelector: { disk: 'ssd' } }) },
      }),
      bed.at(10),
    ],
    ask: { resource: 'ds', name: 'agent' },
    reason: 'NoNodes',
    says: ['no node has the labels of its nodeSelector {"disk":"ssd"}'],
  },
  'a budget that blocks a drain': {
    build: (bed) => {
      bed.create(Deployments, 'web', workload(2));
      bed.create(PodDisruptionBudgets, 'web', { spec: { minAvailable: 2, selector: { matchLabels: labels } } });
      bed.at(30);
    },
    ask: { resource: 'pdb', name: 'web' },
    reason: 'InsufficientPods',
    says: ['2 of 2 pods are healthy, and 2 must be (minAvailable 2)'],
  },
  'an Ingress without backend': {
    build: (bed) => [
      bed.create(Ingresses, 'web', {
        spec: {
          ingressClassName: 'nginx',
          rules: [
            {
              http: {
                paths: [
                  { path: '/', pathType: 'Prefix', backend: { service: { name: 'nope', port: { number: 80 } } } },
                ],
              },
            },
          ],
        },
      }),
      bed.at(5),
    ],
    ask: { resource: 'ing', name: 'web' },
    reason: 'NoIngressClass',
    says: ['ingress class "nginx" is not there'],
    also: ['its backend service default/nope is not there'],
  },
  'a pod that its user has deleted': {
    build: (bed) => {
      bed.create(Pods, 'web', podSpec({}));
      bed.at(10);
      bed.client.delete(Pods, { namespace: 'default', name: 'web' });
      bed.at(60);
    },
    ask: pod(),
    reason: 'Deleted',
    says: ['was deleted at', 'because kubernetes-admin asked to delete pod/default/web at revision'],
    from: 'kubernetes-admin asked to delete pod/default/web',
  },
  'a ReplicaSet that its Deployment took along': {
    build: (bed) => {
      bed.create(Deployments, 'web', workload(1));
      bed.at(10);
      bed.client.delete(Deployments, { namespace: 'default', name: 'web' });
      bed.at(60);
    },
    ask: { resource: 'deployments.apps', name: 'web' },
    reason: 'Deleted',
    says: ['deployment/default/web was deleted', 'by kubernetes-admin'],
  },
  'a name that never was': {
    build: (bed) => [bed.create(Deployments, 'web', workload(1)), bed.at(5)],
    ask: { resource: 'deploy', name: 'wbe' },
    reason: 'NotFound',
    says: ['deployment/default/wbe is not there, and was not deleted', 'there is deployment/default/web'],
  },
  'something that is well': {
    build: (bed) => [bed.create(Pods, 'web', podSpec({})), bed.at(20)],
    ask: pod(),
    reason: 'Well',
    says: ['nothing is wrong with it'],
    from: made('pod/default/web'),
  },
  'a condition': {
    build: (bed) => [bed.create(Pods, 'web', podSpec({ image: 'nginx:nope' })), bed.at(30)],
    ask: { ...pod(), condition: 'Ready' },
    reason: 'ContainersNotReady',
    says: ['Ready is False since', 'containers with unready status: [c]'],
    also: ['Failed to pull image "nginx:nope"'],
  },
};

function cron(more: object, script = 'echo hi'): object {
  const job = { spec: { template: podSpec(sh(script), { restartPolicy: 'Never' }) } };
  return { spec: { schedule: '* * * * *', jobTemplate: job, ...more } };
}
