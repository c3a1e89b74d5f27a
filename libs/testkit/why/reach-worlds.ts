import {
  APIServices,
  ClusterRoles,
  ConfigMaps,
  Deployments,
  EndpointSlices,
  Faults,
  HorizontalPodAutoscalers,
  Namespaces,
  NetworkPolicies,
  PersistentVolumeClaims,
  PersistentVolumes,
  Pods,
  RoleBindings,
  Roles,
  Services,
  StorageClasses,
} from '../../engine/kinds/index.js';
import type { ClusterBed } from '../beds/cluster-bed.js';
import { podSpec, workload } from './worlds.js';
import type { LaterWorld } from './more-worlds.js';

const labels = { app: 'web' };
const RBAC = 'rbac.authorization.k8s.io';
const sh = (script: string): object => ({ image: 'busybox:1.36', command: ['sh', '-c', script] });
const remove = (bed: ClusterBed, kind: typeof Pods, name: string, namespace = 'default'): void => {
  bed.client.delete(kind, { namespace, name });
};
const fault = (bed: ClusterBed, type: string, target: object): unknown =>
  bed.create(Faults, 'broken', { spec: { type, target } });
const scale = (bed: ClusterBed, replicas: number): void => {
  const found = bed.get(Deployments, 'web');
  bed.client.update(Deployments, { ...found, spec: { ...found.spec, replicas } });
};

/** The same of Services, connections, rights, metrics and storage. */
export const REACH_WORLDS: Readonly<Record<string, LaterWorld>> = {
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
  'a port that the Service does not have': {
    build: (bed) => {
      bed.create(Deployments, 'web', workload(1));
      bed.create(Services, 'web', { spec: { selector: labels, ports: [{ port: 80, name: 'http' }] } });
      bed.create(Pods, 'other', podSpec({}));
      bed.at(20);
      return 'web';
    },
    ask: (name) => ({ connection: { from: 'pod/default/other', to: `service/default/${name}`, port: 8_080 } }),
    reason: 'NoSuchPort',
    says: ['it has no port 8080/TCP: it has 80/TCP (http)'],
  },
  'a name of another namespace': {
    build: (bed) => {
      bed.create(Namespaces, 'back', {});
      bed.create(Services, 'api', { spec: { ports: [{ port: 80 }] } }, { namespace: 'back' });
      bed.create(Pods, 'other', podSpec({}));
      bed.at(20);
      return 'api';
    },
    ask: (name) => ({ connection: { from: 'pod/default/other', to: name, port: 80 } }),
    reason: 'OtherNamespace',
    says: ['there is no service/default/api: this one is asked by api.back'],
  },
  'a claim whose class makes nothing': {
    build: (bed) => {
      bed.create(StorageClasses, 'manual', { provisioner: 'kubernetes.io/no-provisioner' });
      const spec = { accessModes: ['ReadWriteOnce'] };
      const hostPath = { path: '/d' };
      const own = { ...spec, storageClassName: 'slow', capacity: { storage: '5Gi' }, hostPath };
      bed.create(PersistentVolumes, 'big', { spec: own });
      const resources = { requests: { storage: '1Gi' } };
      bed.create(PersistentVolumeClaims, 'data', { spec: { ...spec, storageClassName: 'manual', resources } });
      bed.at(10);
      return 'data';
    },
    ask: (name) => ({ resource: 'pvc', name }),
    reason: 'ProvisioningFailed',
    says: ['no volume plugin matched name: kubernetes.io/no-provisioner'],
    also: ['persistentvolume/big: its class is "slow"'],
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
