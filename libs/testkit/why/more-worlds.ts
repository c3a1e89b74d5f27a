import {
  DaemonSets,
  Deployments,
  Faults,
  Jobs,
  LimitRanges,
  Namespaces,
  Nodes,
  PodDisruptionBudgets,
  Pods,
} from '../../engine/kinds/index.js';
import type { ClusterBed } from '../beds/cluster-bed.js';
import { podSpec, workload, type World } from './worlds.js';

const labels = { app: 'web' };
const ADMIN = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };
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
export interface LaterWorld extends Omit<World, 'ask'> {
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
  'nodes that somebody has cordoned': {
    build: (bed) => {
      for (const name of ['worker-1', 'worker-2']) {
        const node = bed.get(Nodes, name);
        bed.client.update(Nodes, { ...node, spec: { ...node.spec, unschedulable: true } });
      }
      bed.create(Pods, 'web', podSpec({}));
      bed.at(10);
      return 'web';
    },
    ask: (name) => ({ resource: 'pod', name }),
    reason: 'Unschedulable',
    says: ['2 node(s) were unschedulable'],
    also: ['it is cordoned', 'kubernetes-admin was the last user to change its spec'],
  },
  'requests that a LimitRange has set': {
    build: (bed) => {
      const cpu = { cpu: '8' };
      bed.create(LimitRanges, 'lr', {
        spec: { limits: [{ type: 'Container', defaultRequest: cpu, default: cpu }] },
      });
      bed.create(Pods, 'web', podSpec({}));
      bed.at(10);
      return 'web';
    },
    ask: (name) => ({ resource: 'pod', name }),
    reason: 'Unschedulable',
    says: ['2 Insufficient cpu'],
    also: ['a LimitRange has set what it did not ask for itself', 'it asks for 8, and 3.8 of 4 are free'],
  },
  'a pod that was evicted by the API': {
    build: (bed) => {
      bed.create(Pods, 'web', podSpec({}));
      bed.at(10);
      const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'web' } };
      const path = '/api/v1/namespaces/default/pods/web/eviction';
      const headers = { 'content-type': 'application/json', accept: 'application/json' };
      const bytes = Buffer.from(JSON.stringify(body));
      bed.cluster.handle({ method: 'POST', path, query: '', headers, body: bytes, user: ADMIN }, bed.cluster.state.now);
      bed.at(60);
      return 'web';
    },
    ask: (name) => ({ resource: 'pod', name }),
    reason: 'Deleted',
    says: ['kubernetes-admin asked to delete pod/default/web (an eviction, as a drain asks for) at revision'],
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
};
