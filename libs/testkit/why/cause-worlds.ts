import type { PodSpec } from '../../engine/api/core_v1.js';
import {
  Deployments,
  Faults,
  Jobs,
  Namespaces,
  PersistentVolumeClaims,
  PodDisruptionBudgets,
  Pods,
  PriorityClasses,
  RuntimeClasses,
  Secrets,
  ServiceAccounts,
  Services,
  StorageClasses,
  ValidatingWebhookConfigurations,
} from '../../engine/kinds/index.js';
import type { LaterWorld } from './more-worlds.js';
import { podSpec, workload } from './worlds.js';

const labels = { app: 'web' };
const sh = (script: string): object => ({ image: 'busybox:1.36', command: ['sh', '-c', script] });
const kubectl = (words: string): object => ({
  image: 'bitnami/kubectl:1.33',
  command: ['sh', '-c', `kubectl ${words}`],
});
const cpu = (amount: string): object => ({ resources: { requests: { cpu: amount } } });
const own = (port: object, more: object = {}): object => ({ spec: { selector: labels, ports: [port], ...more } });
const job = (spec: object, script: string): object => ({
  spec: { ...spec, template: podSpec(sh(script), { restartPolicy: 'Never' } as Partial<PodSpec>) },
});
const pod = (name: string): object => ({ resource: 'pod', name });

/** Worlds whose reason is a word in a spec that nobody looks at, or stands between the lines of a log. */
export const CAUSE_WORLDS: Readonly<Record<string, LaterWorld>> = {
  'a startup probe at a port where nothing listens': {
    build: (bed) => {
      const startupProbe = { httpGet: { port: 81 }, periodSeconds: 2, failureThreshold: 3 };
      bed.create(Pods, 'web', podSpec({ startupProbe }, { terminationGracePeriodSeconds: 5 }));
      bed.at(60);
      return 'web';
    },
    ask: pod,
    reason: 'Unhealthy',
    says: ['was ended because of its probe: Startup probe failed', ':81: connect: connection refused'],
  },
  'what a RuntimeClass adds to a pod': {
    build: (bed) => {
      bed.create(RuntimeClasses, 'heavy', { handler: 'runc', overhead: { podFixed: { cpu: '3900m' } } });
      bed.create(Pods, 'web', podSpec(cpu('500m'), { runtimeClassName: 'heavy' }));
      bed.at(5);
      return 'web';
    },
    ask: pod,
    reason: 'Unschedulable',
    says: ['Insufficient cpu'],
    also: ['RuntimeClass heavy adds cpu 3900m to what its containers ask for'],
  },
  'a pod that takes nobody’s place': {
    build: (bed) => {
      bed.create(PriorityClasses, 'polite', { value: 1_000, preemptionPolicy: 'Never' });
      bed.create(Deployments, 'low', workload(2, cpu('3')));
      bed.at(10);
      bed.create(Pods, 'polite', podSpec(cpu('2'), { priorityClassName: 'polite' }));
      bed.at(20);
      return 'polite';
    },
    ask: pod,
    reason: 'Unschedulable',
    says: ['Insufficient cpu'],
    also: ['it takes no place of pods of lower priority: its preemptionPolicy is Never'],
  },
  'a pull secret of the wrong type': {
    build: (bed) => {
      bed.create(Secrets, 'reg', { type: 'Opaque', data: { '.dockerconfigjson': 'e30=' } });
      const image = 'registry.example.io/private/app:1';
      bed.create(Pods, 'web', podSpec({ image }, { imagePullSecrets: [{ name: 'reg' }] }));
      bed.at(20);
      return 'web';
    },
    ask: pod,
    reason: 'ImagePullBackOff',
    says: ['pull access denied'],
    also: ['secret/default/reg is of type Opaque, and no pull reads it: it must be kubernetes.io/dockerconfigjson'],
  },
  'a program without a token': {
    build: (bed) => {
      bed.create(ServiceAccounts, 'mute', { automountServiceAccountToken: false });
      bed.create(Pods, 'web', podSpec(kubectl('get pods'), { serviceAccountName: 'mute' }));
      bed.at(30);
      return 'web';
    },
    ask: pod,
    reason: 'CrashLoopBackOff',
    says: ['failed (exit code 1)'],
    also: [
      'it has no token to show to the API server: automountServiceAccountToken is false in serviceaccount/default/mute',
    ],
  },
  'a program without rights': {
    build: (bed) => {
      const who = 'User "system:serviceaccount:default:default"';
      const what = 'resource "secrets" in API group "" in the namespace "kube-system"';
      bed.create(Pods, 'web', podSpec(sh(`echo '${who} cannot list ${what}' >&2; exit 1`)));
      bed.at(30);
      return 'web';
    },
    ask: pod,
    reason: 'CrashLoopBackOff',
    says: ['failed (exit code 1)'],
    also: [
      'user "system:serviceaccount:default:default" may not list resource "secrets"',
      'no role that binds the user grants',
    ],
  },
  'an init container that waits for a Service': {
    build: (bed) => {
      const init = { name: 'i', ...sh('until nslookup db.default.svc.cluster.local; do sleep 2; done') };
      bed.create(Pods, 'web', podSpec({}, { initContainers: [init] } as Partial<PodSpec>));
      bed.at(30);
      return 'web';
    },
    ask: pod,
    reason: 'PodInitializing',
    says: ['init container "i" runs since', 'and is not done'],
    also: ['service/default/db is not there'],
  },
  'a Job that is somebody else’s': {
    build: (bed) => {
      bed.create(Jobs, 'queued', job({ managedBy: 'example.com/queue' }, 'true'));
      bed.at(20);
      return 'queued';
    },
    ask: (name) => ({ resource: 'job', name }),
    reason: 'ManagedBy',
    says: ['leaves it to example.com/queue (spec.managedBy)'],
  },
  'indexes that fail': {
    build: (bed) => {
      const spec = { completionMode: 'Indexed', completions: 3, parallelism: 3, backoffLimitPerIndex: 0 };
      bed.create(Jobs, 'idx', job(spec, 'test "$JOB_COMPLETION_INDEX" != 1'));
      bed.at(60);
      return 'idx';
    },
    ask: (name) => ({ resource: 'job', name }),
    reason: 'FailedIndexes',
    says: ['the Job has failed'],
    also: ['failed indexes: 1'],
  },
  'an exit code that a rule of the Job names': {
    build: (bed) => {
      const onExitCodes = { operator: 'In', values: [42] };
      bed.create(Jobs, 'rule', job({ podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes }] } }, 'exit 42'));
      bed.at(30);
      return 'rule';
    },
    ask: (name) => ({ resource: 'job', name }),
    reason: 'PodFailurePolicy',
    says: ['failed with exit code 42 matching FailJob rule at index 0'],
  },
  'a Job without its controller': {
    build: (bed) => {
      bed.create(Faults, 'down', { spec: { type: 'ControllerManagerDown' } });
      bed.at(5);
      bed.create(Jobs, 'j', job({}, 'true'));
      bed.at(30);
      return 'j';
    },
    ask: (name) => ({ resource: 'job', name }),
    reason: 'NoController',
    says: ['kube-controller-manager does not run'],
  },
  'a class of load balancers that nobody serves': {
    build: (bed) => {
      bed.create(Deployments, 'web', workload(1));
      bed.create(Services, 'web', own({ port: 80 }, { type: 'LoadBalancer', loadBalancerClass: 'example.com/lb' }));
      bed.at(20);
      return 'web';
    },
    ask: (name) => ({ resource: 'svc', name }),
    reason: 'LoadBalancerClass',
    says: ['who serves the class "example.com/lb"'],
  },
  'pods of another namespace': {
    build: (bed) => {
      bed.create(Namespaces, 'shop', {});
      bed.create(Deployments, 'web', workload(1), { namespace: 'shop' });
      bed.create(Services, 'web', own({ port: 80 }));
      bed.at(20);
      return 'web';
    },
    ask: (name) => ({ resource: 'svc', name }),
    reason: 'NoEndpoints',
    says: ['no pod has the labels of its selector: app=web'],
    also: ['pods of the namespace shop have them: a Service selects those of its own alone'],
  },
  'two budgets for the same pods': {
    build: (bed) => {
      bed.create(Deployments, 'web', workload(2));
      for (const name of ['a', 'b'])
        bed.create(PodDisruptionBudgets, name, { spec: { minAvailable: 1, selector: { matchLabels: labels } } });
      bed.at(30);
      return 'a';
    },
    ask: (name) => ({ resource: 'pdb', name }),
    reason: 'MultipleBudgets',
    says: ['poddisruptionbudget/default/b has pods of it, too'],
  },
  'a provisioner that nobody runs': {
    build: (bed) => {
      bed.create(StorageClasses, 'nfs', { provisioner: 'example.com/nfs' });
      bed.create(PersistentVolumeClaims, 'data', {
        spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'nfs', resources: { requests: { storage: '1Gi' } } },
      });
      bed.at(10);
      return 'data';
    },
    ask: (name) => ({ resource: 'pvc', name }),
    reason: 'ExternalProvisioning',
    says: ["the external provisioner 'example.com/nfs'"],
  },
  'a webhook whose Service is not there': {
    build: (bed) => {
      const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }];
      const clientConfig = { service: { name: 'gone', namespace: 'default' } };
      const hook = { name: 'a.example.com', clientConfig, rules, sideEffects: 'None', admissionReviewVersions: ['v1'] };
      bed.create(ValidatingWebhookConfigurations, 'hook', { webhooks: [hook] });
      bed.create(Deployments, 'web', workload(1));
      bed.at(20);
      return 'web';
    },
    ask: (name) => ({ resource: 'deploy', name }),
    reason: 'FailedCreate',
    says: ['failed calling webhook "a.example.com"', 'service "gone" not found'],
    also: ['service/default/gone is not there'],
  },
};
