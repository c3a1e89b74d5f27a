import { expect, test } from '@jest/globals';
import { LitmusBed } from '../../../testkit/beds/litmus-bed.js';
import { Faults } from '../../kinds/index.js';

const POD_DELETE = { TOTAL_CHAOS_DURATION: '20', CHAOS_INTERVAL: '8', FORCE: 'true' };

test('pod-delete deletes again after each interval, and says what it does', () => {
  const bed = new LitmusBed('pod-delete', POD_DELETE);
  const first = bed.pods('web')[0]!.metadata.name;
  bed.at(14);
  expect(bed.engine()).toMatchObject({
    engineStatus: 'initialized',
    experiments: [{ name: 'pod-delete', runner: 'e-runner', status: 'Running', verdict: 'Awaited' }],
  });
  expect(bed.engine()!.experiments![0]!.experimentPod).toMatch(/^pod-delete-\w{6}-\w{5}$/);
  expect(bed.result('pod-delete')!.status).toEqual({
    experimentStatus: { phase: 'Running', verdict: 'Awaited', probeSuccessPercentage: 'Awaited' },
    history: { passedRuns: 0, failedRuns: 0, stoppedRuns: 0 },
  });
  bed.at(80);
  expect(bed.client.list(Faults)).toHaveLength(3);
  expect(bed.pods('web').map(({ metadata }) => metadata.name)).not.toContain(first);
  expect(bed.engine()).toMatchObject({
    engineStatus: 'completed',
    experiments: [{ status: 'Completed', verdict: 'Pass' }],
  });
  expect(bed.engineState()).toBe('stop');
  expect(bed.result('pod-delete')!.metadata.generation).toBeGreaterThan(1);
  expect(bed.result('pod-delete')!.status).toEqual({
    experimentStatus: { phase: 'Completed', verdict: 'Pass', probeSuccessPercentage: '100' },
    history: {
      ...{ passedRuns: 1, failedRuns: 0, stoppedRuns: 0 },
      targets: [{ chaosStatus: 'targeted', kind: 'deployment', name: 'web' }],
    },
  });
  const job = expect.stringMatching(
    /^ExperimentJobCreate: Experiment Job pod-delete-\w{6} for Chaos Experiment: pod-delete$/,
  );
  expect(bed.events('e')).toHaveLength(9);
  expect(bed.events('e')).toEqual(
    expect.arrayContaining([
      'ChaosEngineInitialized: Identifying app under test & launching e-runner',
      'ExperimentDependencyCheck: Experiment resources validated for Chaos Experiment: pod-delete',
      job,
      'PreChaosCheck: AUT: Running',
      'ChaosInject: Injecting pod-delete chaos on application pod',
      'PostChaosCheck: AUT: Running',
      'Summary: pod-delete experiment has been Passed',
      expect.stringMatching(/^ExperimentJobCleanUp: Experiment Job pod-delete-\w{6} will be retained$/),
      'ChaosEngineCompleted: ChaosEngine completed, will delete or retain the resources according to jobCleanUpPolicy',
    ]),
  );
  expect(bed.events('e-pod-delete')).toEqual([
    'Awaited: experiment: pod-delete, Result: Awaited',
    'Pass: experiment: pod-delete, Result: Pass',
  ]);
});

test('container-kill', () => {
  const bed = new LitmusBed('container-kill', { TOTAL_CHAOS_DURATION: '5', CHAOS_INTERVAL: '10' });
  bed.at(40);
  expect(bed.pods('web')[0]!.status.containerStatuses?.[0]?.restartCount).toBe(1);
  expect(bed.result('container-kill')!.status!.history.targets).toMatchObject([
    { kind: 'pod', chaosStatus: 'targeted' },
  ]);
});

test('node-drain', () => {
  const bed = new LitmusBed('node-drain', { TARGET_NODE: 'worker-1', TOTAL_CHAOS_DURATION: '30' });
  expect(bed.at(20).taints('worker-1')).toContain('node.kubernetes.io/unschedulable');
  expect(bed.at(80).taints('worker-1')).toEqual([]);
  expect(bed.events('e')).toContain('ChaosInject: Injecting node-drain chaos on worker-1 node');
});

test.each([
  ['pod-network-latency', { NETWORK_LATENCY: '300' }, 'PacketDelay', { delay: '300ms', jitter: '0ms' }],
  ['pod-network-loss', {}, 'PacketLoss', { percent: 100 }],
  ['pod-cpu-hog', { CPU_CORES: '2' }, 'CPUStress', { workers: 2, load: 100 }],
  ['pod-memory-hog', {}, 'MemoryLeak', { after: '30s' }],
  ['pod-dns-error', { TARGET_HOSTNAMES: '["a.com"]' }, 'DNSFailure', { error: 'nxdomain' }],
])('%s with %j is a %s', (experiment, env, type, parameters) => {
  const bed = new LitmusBed(experiment, env);
  expect(
    bed
      .at(20)
      .client.list(Faults)
      .map(({ spec }) => [spec.type, spec.parameters]),
  ).toEqual([[type, parameters]]);
});

test('an experiment that is not installed', () => {
  const bed = new LitmusBed('pod-delete', {}, { isInstalled: false });
  expect(bed.at(20).engine()).toMatchObject({
    engineStatus: 'completed',
    experiments: [{ status: 'ChaosExperiment Not Found', verdict: 'Fail', experimentPod: 'N/A' }],
  });
  expect(bed.events('e')).toContain(
    'ExperimentNotFound: Experiment Job creation failed, skipping Chaos Experiment: pod-delete',
  );
});

test.each([
  ['disk-fill', {}, 'disk-fill is not simulated'],
  ['node-cpu-hog', { TARGET_NODE: 'worker-1' }, 'node-cpu-hog is not simulated'],
  ['pod-network-loss', { DESTINATION_HOSTS: 'a.com' }, 'pod-network-loss with DESTINATION_HOSTS is not simulated'],
])('what is not simulated of %s %j says so', (experiment, env, reason) => {
  const bed = new LitmusBed(experiment, env);
  const { experimentStatus } = bed.at(30).result(experiment)!.status!;
  expect(experimentStatus).toMatchObject({
    phase: 'Error',
    verdict: 'Error',
    errorOutput: { errorCode: 'GENERIC_ERROR' },
  });
  expect(experimentStatus.errorOutput!.reason).toContain(reason);
  expect(bed.client.list(Faults)).toEqual([]);
});

test('an engine that is stopped aborts, recovers, and starts again', () => {
  const bed = new LitmusBed('pod-network-loss', { TOTAL_CHAOS_DURATION: '600' });
  bed.at(20).set({ engineState: 'stop' });
  bed.at(25);
  expect(bed.client.list(Faults)).toEqual([]);
  expect(bed.engine()).toMatchObject({
    engineStatus: 'stopped',
    experiments: [{ status: 'Forcefully Aborted', verdict: 'Stopped' }],
  });
  expect(bed.result('pod-network-loss')!.status).toMatchObject({
    experimentStatus: { phase: 'Stopped', verdict: 'Stopped' },
    history: { stoppedRuns: 1 },
  });
  expect(bed.events('e')).toEqual(
    expect.arrayContaining([
      'Summary: pod-network-loss experiment has been aborted',
      'ChaosEngineStopped: Chaos resources deleted successfully',
    ]),
  );
  bed.set({ engineState: 'active' });
  expect(bed.at(40).engine()).toMatchObject({ engineStatus: 'initialized', experiments: [{ status: 'Running' }] });
  expect(bed.events('e')).toContain('RestartInProgress: ChaosEngine is restarted');
});

test('an application that does not run is not hurt', () => {
  const bed = new LitmusBed('pod-delete', POD_DELETE, { label: 'app=none' });
  bed.at(30);
  expect(bed.client.list(Faults)).toEqual([]);
  bed.at(250);
  expect(bed.events('e')).toContain('PreChaosCheck: AUT: Not Running');
  const { experimentStatus } = bed.result('pod-delete')!.status!;
  expect(experimentStatus).toMatchObject({ verdict: 'Error', errorOutput: { errorCode: 'STATUS_CHECKS_ERROR' } });
  expect(experimentStatus.errorOutput!.reason).toContain('no pod found with matching labels');
});

const probe = (mode: string, labelSelector: string, operation = 'present'): object => ({
  ...{ name: 'p', type: 'k8sProbe', mode },
  'k8sProbe/inputs': { version: 'v1', resource: 'pods', namespace: 'default', labelSelector, operation },
});

test.each([
  [probe('Edge', 'app=web'), 'Completed', 'Pass', 'Passed', '100'],
  [probe('EOT', 'app=gone'), 'Completed_With_Probe_Failure', 'Fail', 'Failed', '0'],
  [probe('SOT', 'app=web', 'absent'), 'Completed_With_Probe_Failure', 'Fail', 'Failed', '0'],
])('the probe %j: %s', (one, phase, verdict, probeVerdict, share) => {
  const bed = new LitmusBed('container-kill', { TOTAL_CHAOS_DURATION: '5' }, { probe: [one] });
  const { experimentStatus, probeStatuses } = bed.at(60).result('container-kill')!.status!;
  expect(experimentStatus).toMatchObject({ phase, verdict, probeSuccessPercentage: share });
  expect(probeStatuses).toMatchObject([{ name: 'p', status: { verdict: probeVerdict } }]);
});

test('a probe that is not simulated says so, and nothing is hurt', () => {
  const one = { name: 'p', type: 'httpProbe', mode: 'Continuous' };
  const bed = new LitmusBed('pod-delete', POD_DELETE, { probe: [one] });
  const { experimentStatus, probeStatuses } = bed.at(30).result('pod-delete')!.status!;
  expect(experimentStatus.errorOutput!.reason).toContain('the httpProbe p is not simulated');
  expect(probeStatuses).toMatchObject([{ status: { verdict: 'N/A' } }]);
  expect(bed.client.list(Faults)).toEqual([]);
});
