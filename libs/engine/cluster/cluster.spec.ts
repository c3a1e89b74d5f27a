import { beforeAll, describe, expect, test } from '@jest/globals';
import { catalog } from '../../containers/index.js';
import { Components, ComponentStatus, Deployments, Nodes, Pods } from '../kinds/index.js';
import type { KubeObject } from '../machinery/meta/object.js';
import { SECOND } from '../machinery/time/time.js';
import { shiftCheckpoint, type CheckpointState } from './state/checkpoint.js';
import { Cluster } from './cluster.js';
import { defaultWorkers, makeTemplate } from './template.js';

const ADMIN = { name: 'kubernetes-admin', groups: ['system:masters'] };
let template: CheckpointState;
beforeAll(() => {
  template = makeTemplate({ workers: defaultWorkers(), speed: 'realistic' }, catalog);
});

function newCluster(seed = 'spec'): Cluster {
  const errors: unknown[] = [];
  const cluster = new Cluster({ seed, images: catalog, strict: true, onError: (...e) => errors.push(e) });
  cluster.load(template);
  cluster.advance(template.now);
  expect(errors).toEqual([]);
  return cluster;
}

const deployment = (name: string, replicas: number): never =>
  ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'default' },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'c', image: 'nginx:1.27' }] } },
    },
    status: {},
  }) as never;

const history = (cluster: Cluster): string[] =>
  cluster
    .since({ created: 0, changes: 0, revision: 0, now: 0 })
    .map((c) => `${c.revision} ${c.at} ${c.type} ${c.resource} ${c.namespace}/${c.name} ${JSON.stringify(c.object)}`);

describe('a new cluster', () => {
  test('has its nodes Ready and its system pods running', () => {
    const cluster = newCluster();
    const client = cluster.client(ADMIN);
    const ready = client
      .list(Nodes)
      .map((n) => [n.metadata.name, n.status.conditions?.find((c) => c.type === 'Ready')?.status]);
    expect(ready).toEqual([
      ['control-plane', 'True'],
      ['worker-1', 'True'],
      ['worker-2', 'True'],
    ]);
    const pods = client.list(Pods, 'kube-system');
    expect(pods).toHaveLength(12);
    expect(pods.filter((p) => p.status.phase !== 'Running').map((p) => p.metadata.name)).toEqual([]);
  });

  test('is idle: a cold start changes nothing, and nothing is due', () => {
    const cluster = newCluster();
    expect(cluster.revision).toBe(template.revision);
    expect(cluster.nextWake).toBeUndefined();
  });

  test('is as old as its creation', () => {
    const later = shiftCheckpoint(template, 3600 * SECOND);
    const [before, after] = [template, later].map(
      (t) => t.objects.find((o) => o.resource === 'nodes')!.object.metadata.creationTimestamp!,
    );
    expect(Date.parse(after!) - Date.parse(before!)).toBe(3600 * SECOND);
  });
});

describe('time', () => {
  const workload = (cluster: Cluster): void => {
    const client = cluster.client(ADMIN);
    client.create(Deployments, deployment('web', 3));
    client.create(Pods, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'crash', namespace: 'default' },
      spec: { containers: [{ name: 'c', image: 'busybox:1.36', command: ['sh', '-c', 'sleep 3; exit 1'] }] },
      status: {},
    } as never);
  };

  test('in one go or second by second gives the same history of every object', () => {
    const run = (steps: number, step: number): string[] => {
      const cluster = newCluster();
      workload(cluster);
      for (let i = 1; i <= steps; i++) cluster.advance(template.now + i * step);
      return history(cluster);
    };
    const whole = run(1, 600 * SECOND);
    expect(whole.length).toBeGreaterThan(50);
    expect(run(600, SECOND)).toEqual(whole);
  });

  test('a restart in the middle gives the same end', () => {
    const cluster = newCluster();
    workload(cluster);
    cluster.advance(template.now + 2 * SECOND);
    const restarted = new Cluster({ seed: 'spec', images: catalog, strict: true });
    restarted.load(cluster.checkpoint());
    for (const c of [cluster, restarted]) c.advance(template.now + 60 * SECOND);
    const phases = (c: Cluster) =>
      c
        .client(ADMIN)
        .list(Pods, 'default')
        .map((p) => [p.metadata.name, p.metadata.uid, p.status.phase, p.status.containerStatuses?.[0]?.restartCount]);
    expect(phases(restarted)).toEqual(phases(cluster));
  });
});

test('a component that is switched off is not healthy, and its pod is gone until it is on again', () => {
  const cluster = newCluster();
  const client = cluster.client(ADMIN);
  const scheduler = () => ({
    health: client.get(ComponentStatus, { namespace: '', name: 'scheduler' })!.conditions![0]!.status,
    pod: client.get(Pods, { namespace: 'kube-system', name: 'kube-scheduler-control-plane' })?.status.phase,
  });
  expect(scheduler()).toEqual({ health: 'True', pod: 'Running' });
  const off = client.create(Components, {
    apiVersion: 'terrarium.dev/v1alpha1',
    kind: 'Component',
    metadata: { name: 'kube-scheduler' },
    spec: { enabled: false },
    status: {},
  });
  cluster.advance(template.now + 60 * SECOND);
  expect(scheduler()).toEqual({ health: 'False', pod: undefined });
  client.update(Components, { ...off, spec: { enabled: true } });
  cluster.advance(template.now + 120 * SECOND);
  expect(scheduler()).toEqual({ health: 'True', pod: 'Running' });
});

describe('the Clock', () => {
  const REAL = Date.UTC(2030, 0, 1);
  const turn = (cluster: Cluster, patch: object, now: number, realNow: number): void => {
    const response = cluster.handle(
      {
        method: 'PATCH',
        path: '/apis/terrarium.dev/v1alpha1/clocks/clock',
        query: '',
        headers: { 'content-type': 'application/merge-patch+json', accept: 'application/json' },
        body: Buffer.from(JSON.stringify(patch)),
        user: ADMIN,
      },
      now,
      realNow,
    );
    expect(response).toMatchObject({ status: 200 });
  };

  test('runs at its rate from the time it is turned, stands while it is paused, and does not jump', () => {
    const cluster = newCluster();
    const start = template.now + SECOND;
    turn(cluster, { spec: { rate: 60 } }, start, REAL);
    expect(cluster.virtualNow(REAL)).toBe(start);
    expect(cluster.virtualNow(REAL + 1000)).toBe(start + 60_000);
    expect(cluster.realTimeOf(start + 60_000, REAL)).toBe(REAL + 1000);
    turn(cluster, { spec: { paused: true } }, start + 60_000, REAL + 1000);
    expect(cluster.virtualNow(REAL + 5000)).toBe(start + 60_000);
    expect(cluster.realTimeOf(start + 61_000, REAL)).toBeUndefined();
    turn(cluster, { spec: { paused: false, rate: 0.5 } }, start + 60_000, REAL + 9000);
    expect(cluster.virtualNow(REAL + 9000)).toBe(start + 60_000);
    expect(cluster.virtualNow(REAL + 11_000)).toBe(start + 61_000);
  });

  test('keeps its anchors from its users', () => {
    const cluster = newCluster();
    turn(cluster, { spec: { rate: 2 }, status: { virtual: 'x', real: 'y' } }, template.now, REAL);
    turn(cluster, { status: { virtual: 'x' } }, template.now, REAL + 500);
    expect(cluster.virtualNow(REAL + 1000)).toBe(template.now + 2000);
  });

  test('is anchored in the log: another process has the same time', () => {
    const cluster = newCluster();
    const mark = cluster.mark();
    turn(cluster, { spec: { rate: 60 } }, template.now, REAL);
    const other = newCluster();
    for (const change of cluster.since(mark)) other.replay(change);
    expect(other.virtualNow(REAL + 1000)).toBe(template.now + 60_000);
  });
});

test('a thousand replicas become Ready, linearly', () => {
  const instant = makeTemplate(
    { workers: defaultWorkers(20).map((w) => ({ ...w, cpu: '64', memory: '256Gi' })), speed: 'instant' },
    catalog,
  );
  const cluster = new Cluster({ seed: 'big', images: catalog });
  cluster.load(instant);
  const client = cluster.client(ADMIN);
  client.create(Deployments, deployment('web', 1000));
  cluster.advance(instant.now + SECOND);
  const web = client.get(Deployments, { namespace: 'default', name: 'web' }) as KubeObject & {
    status: { readyReplicas?: number };
  };
  expect(web.status.readyReplicas).toBe(1000);
  expect(cluster.revision - instant.revision).toBeLessThan(12_000);
});
