import {
  APIServices,
  ClusterRoles,
  ConfigMaps,
  DaemonSets,
  Deployments,
  EndpointSlices,
  Faults,
  HorizontalPodAutoscalers,
  Jobs,
  Namespaces,
  NetworkPolicies,
  Nodes,
  PersistentVolumeClaims,
  PersistentVolumes,
  PodDisruptionBudgets,
  Pods,
  RoleBindings,
  Roles,
  Services,
} from '../../engine/kinds/index.js';
import type { ClusterBed } from '../beds/cluster-bed.js';
import { podSpec, workload, type World } from './worlds.js';

const labels = { app: 'web' };
const RBAC = 'rbac.authorization.k8s.io';
const firstPod = (bed: ClusterBed): string => bed.client.list(Pods, 'default')[0]!.metadata.name!;
const sh = (script: string): object => ({ image: 'busybox:1.36', command: ['sh', '-c', script] });
const remove = (bed: ClusterBed, kind: typeof Pods, name: string, namespace = 'default'): void => {
  bed.client.delete(kind, { namespace, name });
};
const fault = (bed: ClusterBed, type: string, target: object): unknown =>
  bed.create(Faults, 'broken', { spec: { type, target } });
const taint = (bed: ClusterBed, name: string, value: object): void => {
  const node = bed.get(Nodes, name);
  bed.client.update(Nodes, { ...node, spec: { ...node.spec, taints: [value] } } as never);
};
const scale = (bed: ClusterBed, replicas: number): void => {
  const found = bed.get(Deployments, 'web');
  bed.client.update(Deployments, { ...found, spec: { ...found.spec, replicas } });
};

interface LaterWorld extends Omit<World, 'ask'> {
  /** What is asked, of what `build` has found. */
  ask(built: string): object;
  build(bed: ClusterBed): string;
}

/** Worlds whose reason lies behind what one sees first. */
export const MORE_WORLDS: Readonly<Record<string, LaterWorld>> = {
  'a taint that is not tolerated': {
    build: (bed) => {
      for (const name of ['worker-1', 'worker-2'])
        taint(bed, name, { key: 'dedicated', value: 'gpu', effect: 'NoSchedule' });
      bed.create(Pods, 'web', podSpec({}));
      bed.at(5);
      return 'web';
    },
    ask: (name) => ({ resource: 'pod', name }),
    reason: 'Unschedulable',
    says: ['untolerated taint'],
    also: ['worker-1: TaintToleration: node(s) had untolerated taint(s) (dedicated=gpu:NoSchedule)'],
  },
  'what a namespace took along': {
    build: (bed) => {
      bed.create(Namespaces, 'shop', {});
      bed.create(Deployments, 'web', workload(1), { namespace: 'shop' });
      bed.at(20);
      remove(bed, Namespaces as never, 'shop', '');
      bed.at(90);
      return 'web';
    },
    ask: (name) => ({ resource: 'deploy', namespace: 'shop', name }),
    reason: 'Deleted',
    says: ['by namespace-controller, because kubernetes-admin asked to delete namespace/shop at revision'],
    from: 'kubernetes-admin asked to delete namespace/shop',
  },
  'a pod whose node was deleted': {
    build: (bed) => {
      bed.create(Deployments, 'web', workload(1));
      bed.at(20);
      const name = firstPod(bed);
      remove(bed, Nodes as never, bed.get(Pods, name).spec.nodeName!, '');
      bed.at(120);
      return name;
    },
    ask: (name) => ({ resource: 'pod', name }),
    reason: 'Deleted',
    says: ['by pod-garbage-collector, because kubernetes-admin deleted node/'],
    from: 'kubernetes-admin deleted node/',
  },
  'a Job that its time to live took along': {
    build: (bed) => {
      const template = podSpec(sh('echo hi') as never, { restartPolicy: 'Never' });
      bed.create(Jobs, 'work', { spec: { ttlSecondsAfterFinished: 10, template } });
      bed.at(60);
      return 'work';
    },
    ask: (name) => ({ resource: 'job', name }),
    reason: 'Deleted',
    says: ['ttl-after-finished-controller asked to delete job/default/work at revision'],
    from: 'kubernetes-admin created job/default/work',
  },
  'a Service whose Deployment has no replicas': {
    build: (bed) => {
      bed.create(Deployments, 'web', workload(1));
      bed.create(Services, 'web', { spec: { selector: labels, ports: [{ port: 80 }] } });
      bed.at(10);
      scale(bed, 0);
      bed.at(30);
      return 'web';
    },
    ask: (name) => ({ resource: 'svc', name }),
    reason: 'ScaledToZero',
    says: ['it asks for no pods (spec.replicas is 0)'],
    also: ['deployment/default/web makes such pods, and has none'],
    from: 'kubernetes-admin changed deployment/default/web (spec)',
  },
  'endpoints of pods that are not ready': {
    build: (bed) => {
      bed.create(Deployments, 'web', workload(1, { image: 'nginx:nope' }));
      bed.create(Services, 'web', { spec: { selector: labels, ports: [{ port: 80 }] } });
      bed.at(30);
      const slices = bed.client.list(EndpointSlices, 'default').map(({ metadata }) => metadata.name!);
      return slices.find((name) => name.startsWith('web'))!;
    },
    ask: (name) => ({ resource: 'endpointslices', name }),
    reason: 'ImagePullBackOff',
    says: ['nginx:nope'],
  },
  'an EndpointSlice that belongs to no Service': {
    build: (bed) => {
      bed.create(Services, 'ext', { spec: { ports: [{ port: 80 }] } });
      bed.create(EndpointSlices, 'ext-1', {
        ...{ addressType: 'IPv4', ports: [{ port: 80 }], endpoints: [{ addresses: ['10.1.2.3'] }] },
      });
      bed.at(10);
      return 'ext';
    },
    ask: (name) => ({ resource: 'svc', name }),
    reason: 'NoSelector',
    says: ['no EndpointSlice has the label kubernetes.io/service-name=ext'],
    also: ['endpointslice/default/ext-1 has no label'],
  },
  'a Service that a policy keeps for some': {
    build: (bed) => {
      bed.create(Deployments, 'web', workload(1));
      bed.create(Services, 'web', { spec: { selector: labels, ports: [{ port: 80 }] } });
      bed.create(NetworkPolicies, 'few', { spec: { podSelector: {}, policyTypes: ['Ingress'] } });
      bed.at(20);
      return 'web';
    },
    ask: (name) => ({ resource: 'svc', name }),
    reason: 'NetworkPolicy',
    says: ['not everybody may connect to its pods: NetworkPolicy default/few'],
    from: 'kubernetes-admin created networkpolicy/default/few',
  },
  'a Deployment that is available between two ends of its container': {
    build: (bed) => {
      bed.create(Deployments, 'web', workload(1, sh('echo begun; sleep 60; exit 7') as never));
      bed.at(95);
      return 'web';
    },
    ask: (name) => ({ resource: 'deploy', name }),
    reason: 'Error',
    says: ['container "c" failed (exit code 7); it was started again once'],
    also: ['it is available now, but 1 of its pods have restarted containers'],
  },
  'a pod that waits for a kubelet that does not answer': {
    build: (bed) => {
      bed.create(Deployments, 'web', workload(1));
      bed.at(20);
      const name = firstPod(bed);
      fault(bed, 'KubeletStopped', { nodes: [bed.get(Pods, name).spec.nodeName] });
      bed.at(500);
      return name;
    },
    ask: (name) => ({ resource: 'pod', name }),
    reason: 'Terminating',
    says: [
      'is not ready (NodeStatusUnknown): nobody there ends its containers',
      'or somebody deletes the pod by force',
    ],
    also: ['KubeletStopped of node/'],
  },
  'a ConfigMap that was deleted under a pod': {
    build: (bed) => {
      bed.create(ConfigMaps, 'conf', { data: {} });
      bed.at(5);
      remove(bed, ConfigMaps as never, 'conf');
      bed.create(Pods, 'web', podSpec({}, { volumes: [{ name: 'v', configMap: { name: 'conf' } }] }));
      bed.at(30);
      return 'web';
    },
    ask: (name) => ({ resource: 'pod', name }),
    reason: 'FailedMount',
    says: ['configmap "conf" not found'],
    also: ['configmap/default/conf was deleted at', 'by kubernetes-admin'],
  },
  'a probe that asks a Service which has nobody': {
    build: (bed) => {
      bed.create(Deployments, 'web', workload(0));
      bed.create(Services, 'back', { spec: { selector: labels, ports: [{ port: 80 }] } });
      const command = ['wget', '-q', '-T', '2', '-O-', 'http://back'];
      const readinessProbe = { exec: { command }, timeoutSeconds: 3 };
      bed.create(Pods, 'front', podSpec({ ...sh('sleep 9999'), readinessProbe } as never));
      bed.at(60);
      return 'front';
    },
    ask: (name) => ({ resource: 'pod', name }),
    reason: 'Unhealthy',
    says: ["Readiness probe failed: wget: can't connect to remote host"],
    also: ['it asks for no pods (spec.replicas is 0)', 'service/default/back'],
  },
  'names that nobody answers for': {
    build: (bed) => {
      const coredns = bed.client.get(Deployments, { namespace: 'kube-system', name: 'coredns' })!;
      bed.client.update(Deployments, { ...coredns, spec: { ...coredns.spec, replicas: 0 } });
      bed.create(Pods, 'other', podSpec({}));
      bed.at(30);
      return 'web';
    },
    ask: (name) => ({ connection: { from: 'pod/default/other', to: name, port: 80 } }),
    reason: 'ConnectionRefused',
    says: ['the name server'],
    also: ['deployment/kube-system/coredns', 'it asks for no pods'],
  },
  'a pod that a rollout has replaced': {
    build: (bed) => {
      bed.create(Deployments, 'web', workload(1));
      bed.at(10);
      const name = firstPod(bed);
      const found = bed.get(Deployments, 'web');
      const template = { metadata: { labels }, ...podSpec({ image: 'nginx:1.28' }) };
      bed.client.update(Deployments, { ...found, spec: { ...found.spec, template } } as never);
      bed.at(40);
      return name;
    },
    ask: (name) => ({ resource: 'pod', name }),
    reason: 'Deleted',
    says: ['because kubernetes-admin changed deployment/default/web (spec)'],
  },
  'a volume that a claim holds': {
    build: (bed) => {
      const spec = { accessModes: ['ReadWriteOnce'], storageClassName: 'manual' };
      const hostPath = { path: '/d' };
      bed.create(PersistentVolumes, 'small', { spec: { ...spec, capacity: { storage: '1Gi' }, hostPath } });
      bed.create(PersistentVolumeClaims, 'data', { spec: { ...spec, resources: { requests: { storage: '1Gi' } } } });
      bed.at(10);
      remove(bed, PersistentVolumes as never, 'small', '');
      bed.at(20);
      return 'small';
    },
    ask: (name) => ({ resource: 'pv', name }),
    reason: 'Terminating',
    says: ['waits for the claim that is bound to it: persistentvolumeclaim/default/data'],
  },
  'a claim that no volume fits': {
    build: (bed) => {
      const spec = { accessModes: ['ReadWriteOnce'], storageClassName: '' };
      const hostPath = { path: '/d' };
      bed.create(PersistentVolumes, 'small', { spec: { ...spec, capacity: { storage: '500Mi' }, hostPath } });
      bed.create(PersistentVolumeClaims, 'data', { spec: { ...spec, resources: { requests: { storage: '1Gi' } } } });
      bed.at(10);
      return 'data';
    },
    ask: (name) => ({ resource: 'pvc', name }),
    reason: 'FailedBinding',
    says: ['no persistent volumes available for this claim'],
    also: ['persistentvolume/small: it has 500Mi, and the claim asks for 1Gi'],
  },
  'a DaemonSet that leaves a node out': {
    build: (bed) => {
      taint(bed, 'worker-1', { key: 'a', value: 'b', effect: 'NoSchedule' });
      bed.create(DaemonSets, 'agent', {
        spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, ...podSpec({}) } },
      });
      bed.at(20);
      return 'agent';
    },
    ask: (name) => ({ resource: 'ds', name }),
    reason: 'NotOnNodes',
    says: ['it wants no pod on 2 of the nodes'],
    also: ['node/worker-1: it has taints that are not tolerated: a=b:NoSchedule'],
  },
  'a node whose drain waits': {
    build: (bed) => {
      bed.create(Deployments, 'web', workload(1));
      bed.create(PodDisruptionBudgets, 'web', { spec: { minAvailable: 1, selector: { matchLabels: labels } } });
      bed.at(20);
      const name = bed.get(Pods, firstPod(bed)).spec.nodeName!;
      const node = bed.get(Nodes, name);
      bed.client.update(Nodes, { ...node, spec: { ...node.spec, unschedulable: true } });
      bed.at(30);
      return name;
    },
    ask: (name) => ({ resource: 'node', name }),
    reason: 'NodeUnschedulable',
    says: ['it is cordoned'],
    also: ['no pod may be evicted: 1 of 1 pods are healthy, and 1 must be (minAvailable 1)'],
  },
  'a controller that does nothing': {
    build: (bed) => {
      fault(bed, 'ControllerDown', { controllers: ['replicaset-controller'] });
      bed.at(5);
      bed.create(Deployments, 'web', workload(1));
      bed.at(20);
      return 'web';
    },
    ask: (name) => ({ resource: 'deploy', name }),
    reason: 'NoController',
    says: ['the replicaset controller does nothing, so nobody acts on it'],
    also: ['ControllerDown'],
  },
  'rules that nobody has written': {
    build: (bed) => {
      fault(bed, 'KubeProxyDown', { nodes: ['worker-1', 'worker-2'] });
      bed.at(5);
      bed.create(Deployments, 'web', workload(1));
      bed.create(Services, 'web', { spec: { selector: labels, ports: [{ port: 80 }] } });
      bed.create(Pods, 'other', podSpec({}));
      bed.at(30);
      return 'web';
    },
    ask: (name) => ({ connection: { from: 'pod/default/other', to: `service/default/${name}`, port: 80 } }),
    reason: 'NoServiceRules',
    says: ['has no rules for service/default/web'],
    also: ['KubeProxyDown'],
  },
  'a namespace that waits for a group': {
    build: (bed) => {
      const priorities = { groupPriorityMinimum: 100, versionPriority: 100 };
      const service = { namespace: 'default', name: 'gone' };
      bed.create(APIServices, 'v1.a.example', { spec: { group: 'a.example', version: 'v1', ...priorities, service } });
      bed.create(Namespaces, 'shop', {});
      bed.at(10);
      remove(bed, Namespaces as never, 'shop', '');
      bed.at(60);
      return 'shop';
    },
    ask: (name) => ({ resource: 'ns', name }),
    reason: 'DiscoveryFailed',
    says: ['a.example/v1: stale GroupVersion discovery'],
    also: ['apiservice/v1.a.example'],
  },
  'a right that is granted to another': {
    build: (bed) => {
      bed.create(Roles, 'reader', { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }] });
      bed.create(RoleBindings, 'reader', {
        roleRef: { apiGroup: RBAC, kind: 'Role', name: 'reader' },
        subjects: [{ kind: 'ServiceAccount', namespace: 'prod', name: 'app' }],
      });
      bed.create(ClusterRoles, 'unbound', { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }] });
      bed.at(2);
      return 'system:serviceaccount:default:app';
    },
    ask: (user) => ({ request: { user, verb: 'list', resource: 'pods', namespace: 'default' } }),
    reason: 'Forbidden',
    says: ['no role that binds the user grants'],
    also: ['rolebinding/default/reader grants it (Role reader), to ServiceAccount prod/app'],
  },
  'an autoscaler in a cluster without metrics': {
    build: (bed) => {
      bed.create(Deployments, 'web', workload(1));
      const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
      const target = { type: 'Utilization', averageUtilization: 50 };
      const metrics = [{ type: 'Resource', resource: { name: 'cpu', target } }];
      bed.create(HorizontalPodAutoscalers, 'web', { spec: { scaleTargetRef, maxReplicas: 3, metrics } });
      bed.at(60);
      return 'web';
    },
    ask: (name) => ({ resource: 'hpa', name }),
    reason: 'FailedGetResourceMetric',
    says: ['get pods.metrics.k8s.io'],
    also: ['metrics-server is not installed'],
  },
};
