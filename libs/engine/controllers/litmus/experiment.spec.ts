import { expect, test } from '@jest/globals';
import { LitmusBed } from '../../../testkit/beds/litmus-bed.js';
import { Deployments, Faults, Nodes, Pods, Secrets } from '../../kinds/index.js';

const faultsOf = (bed: LitmusBed): unknown[] =>
  bed.client.list(Faults).map(({ spec }) => [spec.type, spec.parameters ?? {}]);

const helperOf = (bed: LitmusBed): ReturnType<LitmusBed['pods']>[number] =>
  bed.client.list(Pods, 'default').find(({ metadata }) => metadata.name!.startsWith(`${bed.experiment}-helper-`))!;

test.each([
  [
    'pod-network-latency',
    { NETWORK_LATENCY: '300' },
    'PacketDelay',
    { delay: '300ms', jitter: '0ms' },
    'network-chaos',
  ],
  ['pod-network-loss', {}, 'PacketLoss', { percent: 100 }, 'network-chaos'],
  ['pod-cpu-hog', { CPU_CORES: '2' }, 'CPUStress', { workers: 2, load: 100 }, 'stress-chaos'],
  ['pod-memory-hog', {}, 'MemoryLeak', { after: '30s' }, 'stress-chaos'],
  ['pod-dns-error', { TARGET_HOSTNAMES: '["a.com"]' }, 'DNSFailure', { error: 'nxdomain' }, 'dns-chaos'],
  ['container-kill', { CHAOS_INTERVAL: '30' }, 'ContainerKill', {}, 'container-kill'],
])('%s with %j is a %s by a helper beside its target', (experiment, env, type, parameters, name) => {
  const bed = new LitmusBed(experiment, env);
  bed.at(20);
  expect(faultsOf(bed)).toEqual([[type, parameters]]);
  const [web] = bed.pods('web');
  const { metadata, spec, status } = helperOf(bed);
  expect(status.phase).toBe('Running');
  expect(metadata.labels).toMatchObject({ app: expect.stringMatching(/-helper-\w{6}$/), chaosUID: expect.any(String) });
  expect(metadata.labels).not.toHaveProperty('job-name');
  expect(spec).toMatchObject({
    nodeName: web!.spec.nodeName,
    restartPolicy: 'Never',
    terminationGracePeriodSeconds: 0,
  });
  expect(spec.containers).toMatchObject([
    {
      ...{ name: experiment, command: ['/bin/bash'], args: ['-c', `./helpers -name ${name}`] },
      env: expect.arrayContaining([
        { name: 'TARGETS', value: expect.stringMatching(new RegExp(`^${web!.metadata.name}:default:c(:false)?$`)) },
      ]),
    },
  ]);
  const marks = bed.result(experiment)!.metadata.annotations;
  expect(marks?.[`pod/${web!.metadata.name}`]).toMatch(/^(injected|targeted)$/);
  expect(bed.errors).toEqual([]);
});

test('container-kill', () => {
  const bed = new LitmusBed('container-kill', { TOTAL_CHAOS_DURATION: '5', CHAOS_INTERVAL: '10' });
  bed.at(40);
  expect(bed.pods('web')[0]!.status.containerStatuses?.[0]?.restartCount).toBe(1);
  expect(bed.result('container-kill')!.status!.history.targets).toMatchObject([
    { kind: 'pod', chaosStatus: 'targeted' },
  ]);
  expect(bed.messages('container-kill-helper-')).toContain(
    '"restartCount of target container after chaos injection: 1"',
  );
});

const ELSEWHERE = { nodeSelector: { 'kubernetes.io/hostname': 'worker-2' } };
const AWAY = { components: ELSEWHERE, spec: { components: { runner: ELSEWHERE } } };

test('node-drain', () => {
  const bed = new LitmusBed('node-drain', { TARGET_NODE: 'worker-1', TOTAL_CHAOS_DURATION: '30' }, AWAY);
  expect(bed.at(20).taints('worker-1')).toContain('node.kubernetes.io/unschedulable');
  expect(bed.at(80).taints('worker-1')).toEqual([]);
  expect(bed.events('e')).toContain('ChaosInject: Injecting node-drain chaos on worker-1 node');
});

test('kubelet-service-kill stops the service ten seconds later, by a helper on the node', () => {
  const env = { TARGET_NODE: 'worker-1', TOTAL_CHAOS_DURATION: '60' };
  const bed = new LitmusBed('kubelet-service-kill', env, AWAY);
  expect(bed.at(12).client.list(Faults)[0]!.status.phase).toBe('Pending');
  expect(helperOf(bed).spec.containers[0]!.args![1]).toBe(
    'sleep 10 && systemctl stop kubelet && sleep 60 && systemctl start kubelet',
  );
  expect(bed.at(70).ready('worker-1')).toBe('Unknown');
  bed.at(130);
  expect(bed.ready('worker-1')).toBe('True');
  expect(bed.result('kubelet-service-kill')!.status).toMatchObject({
    experimentStatus: { verdict: 'Pass' },
    history: { targets: [{ kind: 'node', name: 'worker-1', chaosStatus: 'targeted' }] },
  });
});

test('node-restart logs in from another node, with the key of a Secret', () => {
  const env = { TARGET_NODE: 'worker-1', TOTAL_CHAOS_DURATION: '30' };
  const without = new LitmusBed('node-restart', env, AWAY);
  without.at(30);
  expect([without.phases('node-restart-helper-'), without.client.list(Faults)]).toEqual([['Pending'], []]);
  const bed = new LitmusBed('node-restart', env, {
    ...AWAY,
    prepare: (made) => made.create(Secrets, 'id-rsa', { stringData: { 'ssh-privatekey': 'key' } }),
  });
  bed.at(90);
  expect(helperOf(bed).spec.nodeName).not.toBe('worker-1');
  expect(faultsOf(bed)).toEqual([['NodeReboot', {}]]);
  expect(bed.result('node-restart')!.status!.experimentStatus.verdict).toBe('Pass');
});

test('node-cpu-hog takes the processors of a node', () => {
  const bed = new LitmusBed('node-cpu-hog', { TARGET_NODES: 'worker-1', TOTAL_CHAOS_DURATION: '60' }, AWAY);
  bed.at(50);
  const cores = bed.get(Nodes, 'worker-1').status.capacity?.['cpu'];
  expect(helperOf(bed).spec.containers[0]!.args).toEqual(['--cpu', cores, '--cpu-load', '100', '--timeout', '60']);
  const name = helperOf(bed).metadata.name;
  const { body } = bed.request('/api/v1/nodes/worker-1/proxy/metrics/resource');
  const found = new RegExp(`^container_cpu_usage_seconds_total\\{[^}]*pod="${name}"[^}]*\\} (\\S+)`, 'm').exec(body);
  // What was booked last: half a minute of each.
  expect(Number(found?.[1])).toBeGreaterThan(25 * Number(cores));
  bed.at(100);
  expect(bed.result('node-cpu-hog')!.status).toMatchObject({
    experimentStatus: { verdict: 'Pass' },
    history: { targets: [{ kind: 'node', name: 'worker-1', chaosStatus: 'targeted' }] },
  });
});

test('node-memory-hog takes so much of a node that it is under pressure', () => {
  const env = { TARGET_NODES: 'worker-1', TOTAL_CHAOS_DURATION: '60', MEMORY_CONSUMPTION_MEBIBYTES: '8000' };
  const bed = new LitmusBed('node-memory-hog', env, AWAY);
  bed.at(15);
  expect(helperOf(bed).spec.containers[0]!.args!.slice(0, 4)).toEqual(['--vm', '1', '--vm-bytes', '8000m']);
  bed.at(60);
  expect(bed.condition('worker-1', 'MemoryPressure')).toBe('True KubeletHasInsufficientMemory');
  expect(bed.result('node-memory-hog')!.status!.experimentStatus).toMatchObject({
    verdict: 'Error',
    errorOutput: { errorCode: 'GENERIC_ERROR', reason: expect.stringContaining('helper pod failed') },
  });
});

const limited = (bed: LitmusBed): void => {
  const web = bed.get(Deployments, 'web');
  const { template } = web.spec;
  const [container] = template.spec!.containers;
  const resources = { limits: { 'ephemeral-storage': '1Gi' } };
  const spec = { ...template.spec!, containers: [{ ...container!, resources }] };
  bed.client.update(Deployments, { ...web, spec: { ...web.spec, template: { ...template, spec } } });
};

test('disk-fill fills a container up to its limit, and removes the file', () => {
  const bed = new LitmusBed('disk-fill', { TOTAL_CHAOS_DURATION: '20', FILL_PERCENTAGE: '80' }, { prepare: limited });
  bed.at(20);
  const name = bed.pods('web')[0]!.metadata.name!;
  expect(bed.exec(name, 'du -m /home/diskfill')).toMatch(/^81\d\t/);
  bed.at(60);
  expect(bed.exec(name, 'ls /home')).toBe('');
  expect(bed.pods('web')).toHaveLength(1);
  expect(bed.result('disk-fill')!.status).toMatchObject({
    experimentStatus: { verdict: 'Pass' },
    history: { targets: [{ kind: 'pod', name, chaosStatus: 'reverted' }] },
  });
});

test('disk-fill over the limit: the kubelet evicts the pod, and the helper deletes it', () => {
  const bed = new LitmusBed('disk-fill', { TOTAL_CHAOS_DURATION: '30', FILL_PERCENTAGE: '150' }, { prepare: limited });
  const name = bed.pods('web')[0]!.metadata.name!;
  bed.at(30);
  expect(bed.get(Pods, name).status).toMatchObject({
    phase: 'Failed',
    reason: 'Evicted',
    message: 'Pod ephemeral local storage usage exceeds the total limit of containers 1Gi. ',
  });
  bed.at(70);
  expect(bed.has(name)).toBe(false);
  expect(bed.messages('disk-fill-helper-')).toContain('"Target pod is evicted, deleting the pod"');
});

test.each([
  [
    'disk-fill',
    {},
    { errorCode: 'HELPER_ERROR', reason: expect.stringContaining('either provide ephemeral storage limit') },
  ],
  [
    'pod-cpu-hog',
    { TARGET_CONTAINER: 'none' },
    { errorCode: 'CONTAINER_RUNTIME_ERROR', reason: expect.stringContaining('no container found with specified name') },
  ],
])('a helper of %s %j that fails says why, and nothing is hurt', (experiment, env, errorOutput) => {
  const bed = new LitmusBed(experiment, env);
  bed.at(30);
  expect(bed.phases(`${experiment}-helper-`)).toEqual(['Failed']);
  expect(bed.result(experiment)!.status!.experimentStatus).toEqual({
    ...{ phase: 'Error', verdict: 'Error', probeSuccessPercentage: '0', errorOutput },
  });
  expect(bed.messages(`${experiment}-helper-`).at(-1)).toContain('helper pod failed, err: ');
});

test.each([
  [{ TARGET_PODS: 'none' }, 'TARGET_SELECTION_ERROR', "pod doesn't exist set by TARGET_PODS ENV"],
  [{ TARGET_NODE: 'none' }, 'TARGET_SELECTION_ERROR', 'nodes \\"none\\" not found'],
])('targets that are not there: %j', (env: Readonly<Record<string, string>>, errorCode, reason) => {
  const experiment = 'TARGET_NODE' in env ? 'kubelet-service-kill' : 'pod-network-loss';
  const { experimentStatus } = new LitmusBed(experiment, env).at(20).result(experiment)!.status!;
  expect(experimentStatus.errorOutput).toMatchObject({ errorCode, reason: expect.stringContaining(reason) });
});
