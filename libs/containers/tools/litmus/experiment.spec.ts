import { expect, test } from '@jest/globals';
import type { ProbeStatus } from '../../../engine/controllers/litmus/objects.js';
import { ConfigMaps, Faults, Pods } from '../../../engine/kinds/index.js';
import { LitmusBed } from '../../../testkit/beds/litmus-bed.js';

const RUN = { probeTimeout: '2s', interval: '1s', attempt: 1, probePollingInterval: '2s' };

const http = (
  mode: string,
  url: string,
  method: object = { get: { criteria: '==', responseCode: '200' } },
  run = {},
): object => ({
  ...{ name: 'p', type: 'httpProbe', mode, 'httpProbe/inputs': { url, method } },
  runProperties: { ...RUN, ...run },
});
const cmd = (mode: string, command: string, comparator: object, more = {}, run = {}): object => ({
  ...{ name: 'p', type: 'cmdProbe', mode, 'cmdProbe/inputs': { command, comparator, ...more } },
  runProperties: { ...RUN, ...run },
});
const k8s = (mode: string, inputs: object, more: object = {}): object => ({
  ...{ name: 'p', type: 'k8sProbe', mode, runProperties: RUN },
  'k8sProbe/inputs': { version: 'v1', resource: 'pods', namespace: 'default', operation: 'present', ...inputs },
  ...more,
});
const TEXT = { type: 'string', criteria: 'contains', value: 'ok' };

/** A short experiment that hurts nothing which probes look at. */
const EXPERIMENT = 'container-kill';
const run = (probes: readonly object[], experiment = EXPERIMENT, seconds = 60, spec = {}): LitmusBed => {
  const env = { TOTAL_CHAOS_DURATION: '5', CHAOS_INTERVAL: '6' };
  const bed = new LitmusBed(experiment, env, { probe: probes, spec });
  bed.at(seconds);
  expect(bed.errors).toEqual([]);
  return bed;
};
const probesOf = (bed: LitmusBed): readonly ProbeStatus[] => bed.result(bed.experiment)!.status!.probeStatuses ?? [];
const describe = (bed: LitmusBed): string[] =>
  probesOf(bed).map(({ status }) => `${status.verdict}: ${status.description}`);
const verdict = (bed: LitmusBed): string | undefined => bed.result(bed.experiment)!.status!.experimentStatus.verdict;

test.each([
  [
    http('SOT', 'http://web.default.svc'),
    "Passed: The URL http://web.default.svc did respond with correct status code. Actual code: '200'. Expected code: '200'",
  ],
  [http('EOT', 'http://web.default.svc/none'), 'Failed: Actual value: 404. Expected value: should be equal to 200'],
  [
    http('SOT', 'http://web.default.svc', { post: { criteria: 'oneOf', responseCode: '404,405', body: 'x' } }),
    "Passed: The URL http://web.default.svc did respond with correct status code. Actual code: '405'. Expected code: '404,405'",
  ],
  [
    http('SOT', 'http://web.default.svc:81', undefined, { probeTimeout: '500ms' }),
    'Failed: Get "http://web.default.svc:81": context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
  ],
  [
    http('SOT', 'http://none.default.svc'),
    'Failed: Get "http://none.default.svc": dial tcp: lookup none.default.svc on 10.96.0.10:53: no such host',
  ],
  [
    http('SOT', 'http://localhost:81'),
    'Failed: Get "http://localhost:81": dial tcp 127.0.0.1:81: connect: connection refused',
  ],
  [cmd('SOT', 'echo it is ok', TEXT), "Passed: Actual value: 'it is ok'. Expected value: 'ok'"],
  [cmd('Edge', 'echo it is not', TEXT), 'Failed: Actual value: it is not. Expected value: should contain ok'],
  [cmd('EOT', 'echo no; echo because >&2', TEXT), 'Failed: because\n'],
  [cmd('SOT', 'sleep 3; echo ok', TEXT), 'Failed: probe failed due to timeout'],
  [
    cmd(
      'EOT',
      'cat /etc/alpine-release',
      { type: 'float', criteria: '>', value: '3' },
      { source: { image: 'alpine:3.20' } },
    ),
    'Failed: Actual value: 0. Expected value: greater than 3',
  ],
  [
    cmd('EOT', 'echo ok', TEXT, { source: { image: 'busybox:1.36' } }),
    "Passed: Actual value: 'ok'. Expected value: 'ok'",
  ],
  [
    k8s('Edge', { labelSelector: 'app=web' }),
    "Passed: Probe successfully performed the 'present' operation on the specified Kubernetes resource",
  ],
  [
    k8s('EOT', { labelSelector: 'app=gone' }),
    'Failed: no resource found with provided {labelSelectors: app=gone, fieldSelectors: } selectors',
  ],
  [
    k8s('SOT', { labelSelector: 'app=web', operation: 'absent' }),
    'Failed: resource with {labelSelectors: app=web, fieldSelectors: } should not exists, found 1 resources with matching selectors',
  ],
  [
    http('Continuous', 'http://web.default.svc'),
    "Passed: The URL http://web.default.svc did respond with correct status code. Actual code: '200'. Expected code: '200'",
  ],
  [cmd('OnChaos', 'echo ok', TEXT), "Passed: Actual value: 'ok'. Expected value: 'ok'"],
])('%j: %s', (probe, said) => {
  const bed = run([probe], 'pod-cpu-hog');
  expect(describe(bed)).toEqual([said]);
  expect(verdict(bed)).toBe(said.startsWith('Passed') ? 'Pass' : 'Fail');
  expect(bed.client.list(Pods, 'default').filter(({ metadata }) => /-probe-/.test(metadata.name!))).toEqual([]);
});

test('a k8sProbe makes and deletes objects, as the service account may', () => {
  const data = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: made}\n';
  const made = run([k8s('SOT', { resource: 'configmaps', operation: 'create' }, { data })]);
  expect(verdict(made)).toBe('Pass');
  expect(made.get(ConfigMaps, 'made')).toBeDefined();
  const gone = run([k8s('SOT', { resource: 'configmaps', operation: 'delete', resourceNames: 'kube-root-ca.crt' })]);
  expect(verdict(gone)).toBe('Pass');
  const forbidden = run([k8s('SOT', { resource: 'endpoints' })]);
  const { experimentStatus } = forbidden.result(EXPERIMENT)!.status!;
  expect(experimentStatus).toMatchObject({ verdict: 'Error', errorOutput: { errorCode: 'K8S_PROBE_ERROR' } });
  expect(experimentStatus.errorOutput!.reason).toContain('cannot list resource');
});

test('a probe that is tried again passes when it does', () => {
  const command = 'test -e /tmp/x || { touch /tmp/x; echo no; exit 0; }; echo ok';
  expect(describe(run([cmd('SOT', command, TEXT, {}, { attempt: 3 })]))).toEqual([
    "Passed: Actual value: 'ok'. Expected value: 'ok'",
  ]);
});

test('what a command has printed stands in the command of another', () => {
  const first = { ...cmd('SOT', 'echo ok', TEXT), name: 'first' };
  const second = cmd('SOT', 'echo {{ .first.ProbeArtifacts.Register }} again', TEXT);
  expect(describe(run([first, second]))[1]).toBe("Passed: Actual value: 'ok again'. Expected value: 'ok'");
});

test('a probe that is repeated notices the chaos', () => {
  const bed = new LitmusBed(
    'pod-network-loss',
    { TOTAL_CHAOS_DURATION: '20' },
    {
      probe: [http('Continuous', 'http://web.default.svc')],
    },
  );
  bed.at(60);
  expect(bed.result('pod-network-loss')!.status!.experimentStatus).toEqual({
    ...{ phase: 'Completed_With_Probe_Failure', verdict: 'Fail', probeSuccessPercentage: '0' },
  });
  expect(describe(bed)[0]).toMatch(/^Failed: Get "http:\/\/web\.default\.svc": context deadline exceeded/);
});

test('stopOnFailure stops the engine meanwhile, and before', () => {
  const stops = { stopOnFailure: true };
  const bed = new LitmusBed(
    'pod-network-loss',
    { TOTAL_CHAOS_DURATION: '600' },
    {
      probe: [http('Continuous', 'http://web.default.svc', undefined, stops)],
    },
  );
  bed.at(60);
  expect(bed.engine()).toMatchObject({ engineStatus: 'stopped', experiments: [{ verdict: 'Stopped' }] });
  expect(bed.result('pod-network-loss')!.status).toMatchObject({
    experimentStatus: { phase: 'Stopped', verdict: 'Stopped' },
    probeStatuses: [{ status: { verdict: 'Failed' } }],
    history: { stoppedRuns: 1 },
  });
  expect(bed.client.list(Faults)).toEqual([]);
  const early = run([cmd('SOT', 'echo no', TEXT, {}, stops)]);
  expect(early.result(EXPERIMENT)!.status!.experimentStatus).toMatchObject({ phase: 'Stopped', verdict: 'Stopped' });
  expect(early.events('e')).toContain('PreChaosCheck: AUT: Running, Probes: Unsuccessful');
  expect(early.client.list(Faults)).toEqual([]);
});

test.each([
  [{ name: 'p', type: 'promProbe', mode: 'SOT' }, 'the promProbe p is not simulated'],
  [{ name: 'p', type: 'cmdProbe', mode: 'Never' }, 'the mode Never of the probe p is not simulated'],
])('what is not simulated says so, and nothing is hurt: %j', (probe, reason) => {
  const bed = run([probe]);
  const { experimentStatus, probeStatuses } = bed.result(EXPERIMENT)!.status!;
  expect(experimentStatus.errorOutput!.reason).toContain(reason);
  expect(probeStatuses).toMatchObject([{ status: { verdict: 'N/A' } }]);
  expect(bed.client.list(Faults)).toEqual([]);
});

test('a duration that is none ends the experiment before it begins', () => {
  const bed = run([cmd('SOT', 'echo ok', TEXT, {}, { probeTimeout: '5' })]);
  expect(bed.result(EXPERIMENT)).toBeUndefined();
  expect(bed.messages(`${EXPERIMENT}-`).at(-1)).toContain(
    "Invalid probe runProperties field 'ProbeTimeout': time: missing unit",
  );
  expect(bed.engine()).toMatchObject({ engineStatus: 'completed', experiments: [{ verdict: 'Awaited' }] });
});
