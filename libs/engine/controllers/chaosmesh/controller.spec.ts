import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';
import { CustomResourceDefinitions, Faults, Pods } from '../../kinds/index.js';
import type { Fault } from '../../kinds/terrarium/fault/kind.js';
import { KINDS, type ChaosObject } from './objects.js';

const definition = (kind: string, plural: string): object => ({
  spec: {
    group: 'chaos-mesh.org',
    scope: 'Namespaced',
    names: { kind, plural, singular: plural, listKind: `${kind}List` },
    versions: [
      {
        name: 'v1alpha1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
});

class ChaosBed extends FaultBed {
  constructor() {
    super();
    for (const { kind, plural, group } of Object.values(KINDS))
      this.create(CustomResourceDefinitions, `${plural}.${group}`, definition(kind, plural));
    this.pod('web', { image: 'nginx:1.27' });
    this.pod('client', { image: 'busybox:1.36', command: ['sleep', '9999'] });
    this.at(5);
  }

  chaos(kind: string, spec: object): void {
    const body = { apiVersion: 'chaos-mesh.org/v1alpha1', kind, metadata: { name: 'c' }, spec };
    const path = `/apis/chaos-mesh.org/v1alpha1/namespaces/default/${KINDS[kind]!.plural}`;
    expect(this.request(path, 'POST', body)).toMatchObject({ status: 201 });
  }

  conditions(kind: string): Record<string, string> {
    const object = this.client.get(KINDS[kind]!, { namespace: 'default', name: 'c' }) as ChaosObject;
    const found = (object.status?.['conditions'] ?? []) as { type: string; status: string }[];
    return Object.fromEntries(found.map(({ type, status }) => [type, status]));
  }
}

const selector = { labelSelectors: { app: 'web' } };

test('a PodChaos kills a container', () => {
  const bed = new ChaosBed();
  bed.chaos('PodChaos', { action: 'container-kill', mode: 'one', selector, containerNames: ['c'], duration: '10s' });
  expect(bed.at(8).state('web')).toBe('Running 1');
  expect(bed.state('client')).toBe('Running 0');
});

test('a NetworkChaos parts two pods, says so, and recovers', () => {
  const bed = new ChaosBed();
  const target = { mode: 'all', selector };
  const own = { labelSelectors: { app: 'client' } };
  bed.chaos('NetworkChaos', {
    action: 'partition',
    mode: 'all',
    selector: own,
    direction: 'to',
    target,
    duration: '30s',
  });
  expect(bed.at(6).trace('client', 'web', 80)).toBe('Dropped');
  expect(bed.conditions('NetworkChaos')).toMatchObject({
    Selected: 'True',
    AllInjected: 'True',
    AllRecovered: 'False',
  });
  expect(bed.at(40).trace('client', 'web', 80)).toBe('Delivered');
  expect(bed.conditions('NetworkChaos')).toMatchObject({ AllInjected: 'False', AllRecovered: 'True' });
});

const POD = { namespace: 'default', name: 'web' };
const RECORDS = (status: unknown): unknown[] =>
  (status as { experiment: { containerRecords?: object[] } }).experiment.containerRecords ?? [];

test('pod-failure has other images and says so, and ends', () => {
  const bed = new ChaosBed();
  bed.chaos('PodChaos', { action: 'pod-failure', mode: 'all', selector, duration: '20s' });
  const pod = bed.at(7).client.get(Pods, POD)!;
  expect(pod.spec.containers[0]!.image).toBe('gcr.io/google-containers/pause:latest');
  expect(pod.metadata.annotations).toEqual({ 'chaos-mesh-c-pod-failure-c-normal-image': 'nginx:1.27' });
  expect(bed.at(40).client.get(Pods, POD)!.spec.containers[0]!.image).toBe('nginx:1.27');
  expect(bed.conditions('PodChaos')).toMatchObject({ AllInjected: 'False', AllRecovered: 'True' });
  expect(bed.events('c')).toEqual([
    'FinalizerInited: Finalizer has been inited',
    'Updated: Successfully update finalizer of resource',
    'Started: Experiment has started',
    'Updated: Successfully update desiredPhase of resource',
    'Applied: Successfully apply chaos for default/web',
    'Updated: Successfully update records of resource',
    'TimeUp: Time up according to the duration',
    'Updated: Successfully update desiredPhase of resource',
    'Recovered: Successfully recover chaos for default/web',
    'Updated: Successfully update records of resource',
  ]);
});

test.each([
  ['pod-kill', 'default/web'],
  ['container-kill', 'default/web/c'],
])('%s happens once, and is never recovered from', (action, id) => {
  const bed = new ChaosBed();
  bed.chaos('PodChaos', { action, mode: 'all', selector, duration: '10s' });
  const object = bed.at(60).client.get(KINDS['PodChaos']!, { namespace: 'default', name: 'c' }) as ChaosObject;
  expect(bed.conditions('PodChaos')).toMatchObject({ Selected: 'True', AllInjected: 'True', AllRecovered: 'False' });
  expect(object.status).toMatchObject({ experiment: { desiredPhase: 'Run' } });
  expect(RECORDS(object.status)).toMatchObject([{ id, injectedCount: 1, recoveredCount: 0, phase: 'Injected' }]);
});

test('nothing that is selected is told of', () => {
  const bed = new ChaosBed();
  bed.chaos('PodChaos', { action: 'pod-kill', mode: 'all', selector: { labelSelectors: { app: 'none' } } });
  bed.at(10);
  expect(bed.conditions('PodChaos')).toMatchObject({ Selected: 'False', AllInjected: 'False', AllRecovered: 'False' });
  expect(bed.events('c')).toContain('Failed: Failed to select targets: no target has been selected');
});

test('an experiment that is deleted is recovered from', () => {
  const bed = new ChaosBed();
  bed.chaos('PodChaos', { action: 'pod-failure', mode: 'all', selector });
  expect(bed.at(6).client.list(Faults)).toHaveLength(1);
  bed.request('/apis/chaos-mesh.org/v1alpha1/namespaces/default/podchaos/c', 'DELETE');
  expect(bed.at(8).client.list(Faults)).toHaveLength(0);
  expect(bed.client.get(KINDS['PodChaos']!, { namespace: 'default', name: 'c' })).toBeUndefined();
});

test.each([
  ['DNSChaos', { action: 'error', mode: 'all', selector, patterns: ['*.example.com'] }, 'DNSFailure'],
  ['NetworkChaos', { action: 'delay', mode: 'all', selector, delay: { latency: '90ms' } }, 'PacketDelay'],
  ['NetworkChaos', { action: 'bandwidth', mode: 'all', selector, bandwidth: { rate: '1mbps' } }, 'Bandwidth'],
  ['StressChaos', { mode: 'all', selector, stressors: { memory: { workers: 1, size: '1GB' } } }, 'MemoryLeak'],
  ['IOChaos', { action: 'fault', errno: 28, mode: 'all', selector, volumePath: '/data' }, 'VolumeIOError'],
  ['IOChaos', { action: 'latency', mode: 'all', selector, delay: '1s', volumePath: '/data' }, 'VolumeSlow'],
  [
    'IOChaos',
    { action: 'attrOverride', mode: 'all', selector, volumePath: '/data', attr: { perm: 72 } },
    'VolumeAttributes',
  ],
  [
    'IOChaos',
    {
      ...{ action: 'mistake', mode: 'all', selector, volumePath: '/data', path: '/data/**/*', methods: ['write'] },
      mistake: { filling: 'zero', maxOccurrences: 1, maxLength: 10 },
    },
    'VolumeMistake',
  ],
  ['StressChaos', { mode: 'all', selector, stressors: { cpu: { workers: 2, load: 50 } } }, 'CPUStress'],
  ['StressChaos', { mode: 'all', selector, stressors: { memory: { workers: 1 }, cpu: { workers: 1 } } }, 'MemoryLeak'],
  ['TimeChaos', { mode: 'all', selector, timeOffset: '-10m100ns' }, 'ContainerClockSkew'],
])('a %s of %j is a %s', (kind, spec, type) => {
  const bed = new ChaosBed();
  bed.chaos(kind, spec);
  expect(
    bed
      .at(7)
      .client.list(Faults)
      .map((fault) => `${fault.spec.type} ${fault.status.phase}`),
  ).toEqual([`${type} Active`]);
});

test.each([
  ['IOChaos', { action: 'latency', mode: 'all', selector, delay: '1s', volumePath: '/data', path: '/data/*.db' }],
  ['TimeChaos', { mode: 'all', selector, timeOffset: '1h', clockIds: ['CLOCK_MONOTONIC'] }],
  ['PodChaos', { action: 'pod-kill', mode: 'all', selector: { ...selector, nodeSelectors: { disk: 'ssd' } } }],
])('what is not simulated of a %s says so: %j', (kind, spec) => {
  const bed = new ChaosBed();
  bed.chaos(kind, spec);
  expect(bed.at(7).conditions(kind)).toMatchObject({ Selected: 'False', AllInjected: 'False' });
  expect(bed.client.list(Faults)).toEqual([]);
});

test('a Schedule makes experiments', () => {
  const bed = new ChaosBed();
  const podChaos = { action: 'container-kill', mode: 'all', selector, containerNames: ['c'], duration: '5s' };
  bed.chaos('Schedule', { schedule: '@every 60s', type: 'PodChaos', historyLimit: 5, podChaos });
  bed.at(200);
  expect(bed.client.list(KINDS['PodChaos']!, 'default')).toHaveLength(3);
  expect(bed.events('c').filter((one) => one.startsWith('Spawned: Create new object: c-'))).toHaveLength(3);
  // The back-off of the last crash is not over.
  expect(bed.state('web')).toBe('CrashLoopBackOff 2');
});

test('a Workflow is a scenario', () => {
  const bed = new ChaosBed();
  const kill = { action: 'container-kill', mode: 'all', selector, containerNames: ['c'] };
  bed.chaos('Workflow', {
    entry: 'all',
    templates: [
      { name: 'all', templateType: 'Serial', children: ['wait', 'kill'] },
      { name: 'wait', templateType: 'Suspend', deadline: '20s' },
      { name: 'kill', templateType: 'PodChaos', deadline: '10s', podChaos: kill },
    ],
  });
  expect(bed.at(20).state('web')).toBe('Running 0');
  expect(bed.at(27).state('web')).toBe('Running 1');
  expect(bed.conditions('Workflow')).toMatchObject({ Accomplished: 'False' });
  expect(bed.at(60).conditions('Workflow')).toMatchObject({ Accomplished: 'True' });
});

test('a NetworkChaos of direction from hits what the target sends', () => {
  const bed = new ChaosBed();
  const target = { mode: 'all', selector: { labelSelectors: { app: 'client' } } };
  bed.chaos('NetworkChaos', { action: 'partition', mode: 'all', selector, direction: 'from', target });
  expect(bed.at(6).trace('client', 'web', 80)).toBe('Dropped');
  const [{ spec }] = bed.client.list(Faults) as [Fault];
  expect([spec.target?.podSelector, spec.target?.to?.podSelector]).toEqual([
    { matchLabels: { app: 'client' } },
    { matchLabels: { app: 'web' } },
  ]);
});

test('a Workflow repeats what a Schedule of it says', () => {
  const bed = new ChaosBed();
  const podChaos = { action: 'container-kill', mode: 'all', selector, containerNames: ['c'] };
  const templates = [
    { name: 'all', templateType: 'Parallel', children: ['again', 'wait'] },
    {
      name: 'again',
      templateType: 'Schedule',
      deadline: '65s',
      schedule: { schedule: '@every 30s', type: 'PodChaos', podChaos },
    },
    { name: 'wait', templateType: 'Suspend', deadline: '10s' },
  ];
  bed.chaos('Workflow', { entry: 'all', templates });
  expect(bed.at(40).state('web')).toBe('Running 1');
  expect(bed.at(100).last('web')?.exitCode).toBe(137);
  expect(bed.client.list(Faults)).toHaveLength(2);
  expect(bed.conditions('Workflow')).toMatchObject({ Accomplished: 'True' });
});
