import { expect, test } from '@jest/globals';
import { LitmusBed, RULES } from '../../../testkit/beds/litmus-bed.js';
import { Faults, Jobs, Pods } from '../../kinds/index.js';

const POD_DELETE = { TOTAL_CHAOS_DURATION: '20', CHAOS_INTERVAL: '8', FORCE: 'true' };
const DELETE = { spec: { jobCleanUpPolicy: 'delete' } };

test('pod-delete deletes again after each interval, and says what it does', () => {
  const bed = new LitmusBed('pod-delete', POD_DELETE);
  const first = bed.pods('web')[0]!.metadata.name;
  bed.at(14);
  expect(bed.engine()).toMatchObject({
    engineStatus: 'initialized',
    experiments: [{ name: 'pod-delete', runner: 'e-runner', status: 'Running', verdict: 'Awaited' }],
  });
  const pod = bed.engine()!.experiments![0]!.experimentPod;
  expect(bed.get(Pods, pod).status.phase).toBe('Running');
  expect(bed.result('pod-delete')!.status).toEqual({
    experimentStatus: { phase: 'Running', verdict: 'Awaited', probeSuccessPercentage: 'Awaited' },
    history: { passedRuns: 0, failedRuns: 0, stoppedRuns: 0 },
  });
  bed.at(80);
  expect(bed.errors).toEqual([]);
  expect(bed.client.list(Faults)).toHaveLength(3);
  expect(bed.pods('web').map(({ metadata }) => metadata.name)).not.toContain(first);
  expect(bed.engine()).toMatchObject({
    engineStatus: 'completed',
    experiments: [{ status: 'Completed', verdict: 'Pass', experimentPod: pod }],
  });
  expect(bed.engineState()).toBe('stop');
  expect(bed.result('pod-delete')!.metadata.annotations).toBeUndefined();
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

test('the pods of an engine: a runner, and the Job of an experiment, which stay', () => {
  const bed = new LitmusBed('pod-delete', POD_DELETE);
  bed.at(80);
  expect([bed.phases('e-runner'), bed.phases('pod-delete-')]).toEqual([['Succeeded'], ['Succeeded']]);
  const { spec, metadata } = bed.get(Pods, 'e-runner');
  expect(metadata.labels).toMatchObject({ app: 'e', 'app.kubernetes.io/component': 'chaos-runner' });
  expect(metadata.ownerReferences).toMatchObject([{ kind: 'ChaosEngine', name: 'e', controller: true }]);
  expect(spec).toMatchObject({ restartPolicy: 'OnFailure', serviceAccountName: 'litmus-admin' });
  expect(spec.containers).toMatchObject([
    {
      ...{ name: 'chaos-runner', image: 'litmuschaos/chaos-runner:latest' },
      env: expect.arrayContaining([
        { name: 'TARGETS', value: 'deployment:default:[app=web]' },
        { name: 'EXPERIMENT_LIST', value: 'pod-delete' },
      ]),
    },
  ]);
  const [job] = bed.client.list(Jobs, 'default');
  expect(job!.status.succeeded).toBe(1);
  const [container] = job!.spec.template.spec!.containers;
  expect(container).toMatchObject({ name: job!.metadata.name, args: ['-c', './experiments -name pod-delete'] });
  expect(container!.env).toEqual(
    expect.arrayContaining([
      { name: 'CHAOS_INTERVAL', value: '8' },
      { name: 'STATUS_CHECK_TIMEOUT', value: '180' },
      { name: 'POD_NAME', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } },
    ]),
  );
  const name = job!.metadata.name!;
  expect(bed.messages('e-runner')).toEqual([
    '"Experiments details are as follows"',
    '"Getting the ENV Variables"',
    '"Preparing to run Chaos Experiment: pod-delete"',
    `"Started Chaos Experiment Name: pod-delete, with Job Name: ${name}"`,
    `"Chaos Pod Completed, Experiment Name: pod-delete, with Job Name: ${name}"`,
    '"Chaos Engine has been updated with result, Experiment Name: pod-delete"',
    '"[skip]: skipping the job deletion as jobCleanUpPolicy is set to {}"',
  ]);
  expect(bed.messages('pod-delete-')).toEqual([
    '"Experiment Name: pod-delete"',
    '"[PreReq]: Getting the ENV for the pod-delete experiment"',
    '"[PreReq]: Updating the chaos result of pod-delete experiment (SOT)"',
    String.raw`"The application information is as follows\n"`,
    '"[Status]: Verify that the AUT (Application Under Test) is running (pre-chaos)"',
    '"[Info]: The chaos tunables are:"',
    '"[Confirmation]: pod-delete chaos has been injected successfully"',
    '"[Status]: Verify that the AUT (Application Under Test) is running (post-chaos)"',
    '"[The End]: Updating the chaos result of pod-delete experiment (EOT)"',
  ]);
});

test('where nothing is to be retained, nothing is', () => {
  const bed = new LitmusBed('pod-network-latency', { TOTAL_CHAOS_DURATION: '10' }, DELETE);
  bed.at(12);
  expect(bed.phases('pod-network-latency-helper-')).toEqual(['Running']);
  bed.at(60);
  expect(bed.engine()).toMatchObject({ engineStatus: 'completed', experiments: [{ verdict: 'Pass' }] });
  expect([bed.phases('e-runner'), bed.phases('pod-network-latency-')]).toEqual([[], []]);
  expect(bed.client.list(Jobs, 'default')).toEqual([]);
});

test('without its service account an engine has no runner, and says so less and less often', () => {
  const bed = new LitmusBed('pod-delete', {}, { spec: { chaosServiceAccount: 'none' } });
  bed.at(120);
  expect(bed.engine()).toEqual({ engineStatus: 'initialized', experiments: [] });
  expect(bed.phases('e-runner')).toEqual([]);
  expect(bed.events('e')).toContain('ChaosResourcesOperationFailed: (chaos start) Unable to get chaos resources');
  expect(bed.errors).toEqual([]);
});

test('the first experiment has to be installed; others are not found', () => {
  const alone = new LitmusBed('pod-delete', {}, { isInstalled: false });
  expect(alone.at(20).engine()).toEqual({ engineStatus: 'initialized', experiments: [] });
  expect(alone.events('e')).toContain('ChaosResourcesOperationFailed: (chaos start) Unable to get chaos resources');
  const bed = new LitmusBed('pod-delete', POD_DELETE, { after: ['pod-cpu-hog'] });
  expect(bed.at(100).engine()).toMatchObject({
    engineStatus: 'completed',
    experiments: [
      { name: 'pod-delete', verdict: 'Pass' },
      { name: 'pod-cpu-hog', status: 'ChaosExperiment Not Found', verdict: 'Fail', experimentPod: 'N/A' },
    ],
  });
  expect(bed.events('e')).toContain(
    'ExperimentNotFound: Experiment Job creation failed, skipping Chaos Experiment: pod-cpu-hog',
  );
});

const without = (resource: string): readonly object[] =>
  RULES.map((rule) => {
    const { resources } = rule as { resources: readonly string[] };
    return { ...rule, resources: resources.filter((one) => one !== resource) };
  }).filter(({ resources }) => resources.length > 0);
const USER = 'User "system:serviceaccount:default:litmus-admin" cannot';

test.each([
  [
    'chaosengines',
    'e-runner',
    `unable to get ChaosEngineUID, error: unable to get ChaosEngine name: e, in namespace: default, error: chaosengines.litmuschaos.io "e" is forbidden: ${USER} get resource "chaosengines" in API group "litmuschaos.io" in the namespace "default"`,
    { engineStatus: 'completed', experiments: [] },
  ],
  [
    'jobs',
    'e-runner',
    `unable to construct chaos experiment job, error: unable to launch ChaosExperiment Job, error: jobs.batch is forbidden: ${USER} create resource "jobs" in API group "batch" in the namespace "default"`,
    { engineStatus: 'completed', experiments: [{ status: 'Skipped', verdict: 'Fail', experimentPod: 'N/A' }] },
  ],
  [
    'chaosresults',
    'pod-delete-',
    `chaosresults.litmuschaos.io "e-pod-delete" is forbidden: ${USER} get`,
    { engineStatus: 'completed', experiments: [{ status: 'Completed', verdict: 'Awaited' }] },
  ],
])('an account that may do nothing with %s', (resource, pod, message, status) => {
  const bed = new LitmusBed('pod-delete', POD_DELETE, { rules: without(resource) });
  bed.at(40);
  expect(bed.engine()).toMatchObject(status);
  expect(bed.client.list(Faults)).toEqual([]);
  expect(bed.messages(pod).join('\n').replaceAll('\\', '')).toContain(message);
});

test.each([
  ['pod-network-loss', { DESTINATION_HOSTS: 'a.com' }, 'pod-network-loss with DESTINATION_HOSTS is not simulated'],
  ['pod-io-stress', {}, 'pod-io-stress is not simulated'],
  ['pod-cpu-hog', { CPU_LOAD: '10-50' }, 'pod-cpu-hog with CPU_LOAD as a range is not simulated'],
  ['pod-cpu-hog', { RAMP_TIME: '10' }, 'pod-cpu-hog with RAMP_TIME is not simulated'],
  ['pod-cpu-hog', { SEQUENCE: 'serial' }, 'pod-cpu-hog in the sequence serial is not simulated'],
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
  expect(bed.messages(`${experiment}-`).at(-1)).toContain('Chaos injection failed, err: ');
});

test('an engine that is stopped aborts, recovers, and starts again', () => {
  const bed = new LitmusBed('pod-network-loss', { TOTAL_CHAOS_DURATION: '600' });
  bed.at(20).set({ engineState: 'stop' });
  bed.at(25);
  expect(bed.client.list(Faults)).toEqual([]);
  expect([bed.phases('e-runner'), bed.phases('pod-network-loss-')]).toEqual([[], []]);
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
  expect(bed.errors).toEqual([]);
});

test('an application that does not run is not hurt', () => {
  const times = { statusCheckTimeouts: { timeout: 20 } };
  const bed = new LitmusBed('pod-delete', POD_DELETE, { label: 'app=none', components: times });
  bed.at(20);
  expect(bed.client.list(Faults)).toEqual([]);
  bed.at(40);
  expect(bed.events('e')).toContain('PreChaosCheck: AUT: Not Running');
  const { experimentStatus } = bed.result('pod-delete')!.status!;
  expect(experimentStatus).toMatchObject({ verdict: 'Error', errorOutput: { errorCode: 'STATUS_CHECKS_ERROR' } });
  expect(experimentStatus.errorOutput!.reason).toContain('no pod found with matching labels');
});

test('an experiment whose pod is deleted is aborted, and runs again', () => {
  const bed = new LitmusBed('pod-network-loss', { TOTAL_CHAOS_DURATION: '60' });
  bed.at(15);
  const pod = bed.engine()!.experiments![0]!.experimentPod;
  bed.client.delete(Pods, { namespace: 'default', name: pod });
  bed.at(40);
  expect(bed.result('pod-network-loss')!.status).toMatchObject({
    experimentStatus: { phase: 'Running' },
    history: { stoppedRuns: 1 },
  });
  expect(bed.engine()!.experiments![0]!.experimentPod).not.toBe(pod);
  bed.at(140);
  expect(bed.engine()).toMatchObject({ engineStatus: 'completed', experiments: [{ verdict: 'Pass' }] });
  expect(bed.errors).toEqual([]);
});

test('an experiment whose pod fails is skipped, and what it did ends', () => {
  const bed = new LitmusBed('pod-network-loss', { TOTAL_CHAOS_DURATION: '600' });
  bed.at(15);
  bed.exec(bed.engine()!.experiments![0]!.experimentPod, 'kill 1');
  bed.at(60);
  expect(bed.engine()).toMatchObject({ experiments: [{ status: 'Skipped', verdict: 'Fail' }] });
  expect(bed.events('e')).toContain(
    'ChaosContainerWatchNotPermitted: Experiment Job creation failed, skipping Chaos Experiment: pod-network-loss',
  );
  expect([bed.client.list(Faults), bed.phases('pod-network-loss-helper-')]).toEqual([[], []]);
});
