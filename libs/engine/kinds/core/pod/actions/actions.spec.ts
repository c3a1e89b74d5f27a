import { describe, expect, test } from '@jest/globals';
import type { Pod } from '../../../../api/core_v1.js';
import type { PodDisruptionBudget } from '../../../../api/policy_v1.js';
import { type ApiError } from '../../../../machinery/meta/status.js';
import { kind } from '../kind.js';

const context = { now: Date.parse('2026-11-21T03:00:00Z') };
function podOf(spec: Partial<Pod['spec']> = {}, status: Pod['status'] = { phase: 'Pending' }): Pod {
  const pod: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'default', resourceVersion: '1', labels: { app: 'web' } },
    spec: { containers: [{ name: 'web', image: 'nginx' }], ...spec },
    status,
  };
  kind.defaults!(pod);
  return pod;
}

/** Runs an action; returns what was stored, which budgets were written, and how often the pod was deleted. */
function run(action: string, object: Pod, body: unknown, budgets: PodDisruptionBudget[] = []) {
  const done = {
    stored: undefined as Pod | undefined,
    budgets: [] as PodDisruptionBudget[],
    deleted: 0,
    error: undefined as ApiError | undefined,
  };
  const client = {
    list: () => budgets,
    updateStatus: (_: unknown, b: PodDisruptionBudget) => done.budgets.push(b),
    delete: () => done.deleted++,
  };
  try {
    kind.subresources!.actions![action]!.handle({
      verb: action === 'binding' || action === 'eviction' ? 'create' : 'update',
      object,
      body,
      client,
      context,
      store: (pod: Pod) => (done.stored = pod),
    } as never);
  } catch (error) {
    done.error = error as ApiError;
  }
  return done;
}

describe('binding', () => {
  const binding = { target: { kind: 'Node', name: 'n1' } };
  test('puts the pod on the node', () => {
    const { stored } = run('binding', podOf(), binding);
    expect(stored!.spec.nodeName).toBe('n1');
    expect(stored!.status.conditions).toEqual([
      { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: '2026-11-21T03:00:00Z' },
    ]);
  });
  test.each<[string, Pod, string]>([
    [
      'twice',
      podOf({ nodeName: 'n2' }),
      'Operation cannot be fulfilled on pods/binding "web": pod web is already assigned to node "n2"',
    ],
    [
      'of a gated pod',
      podOf({ schedulingGates: [{ name: 'a' }] }),
      'Operation cannot be fulfilled on pods/binding "web": pod web has non-empty .spec.schedulingGates',
    ],
  ])('%s is a conflict', (_, pod, message) =>
    expect(run('binding', pod, binding).error).toMatchObject({ code: 409, message }),
  );
});

describe('eviction', () => {
  const running: Pod['status'] = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  const budget = (disruptionsAllowed: number): PodDisruptionBudget => ({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'b', namespace: 'default', generation: 1 },
    spec: { selector: { matchLabels: { app: 'web' } } },
    status: { disruptionsAllowed, currentHealthy: 2, desiredHealthy: 2, expectedPods: 2, observedGeneration: 1 },
  });
  test('deletes a pod that no budget covers', () => expect(run('eviction', podOf({}, running), {}).deleted).toBe(1));
  test('spends a disruption', () => {
    const done = run('eviction', podOf({}, running), {}, [budget(1)]);
    expect(done.budgets[0]!.status).toMatchObject({
      disruptionsAllowed: 0,
      disruptedPods: { web: '2026-11-21T03:00:00Z' },
    });
    expect(done.stored!.status.conditions!.at(-1)).toMatchObject({
      type: 'DisruptionTarget',
      reason: 'EvictionByEvictionAPI',
    });
    expect(done.deleted).toBe(1);
  });
  test('is refused without one', () => {
    const { error, deleted } = run('eviction', podOf({}, running), {}, [budget(0)]);
    expect(error).toMatchObject({
      code: 429,
      message: "Cannot evict pod as it would violate the pod's disruption budget.",
    });
    expect(error!.details!.causes![0]!.message).toBe(
      'The disruption budget b needs 2 healthy pods and has 2 currently',
    );
    expect(deleted).toBe(0);
  });
  test('tried out, asks the budget and writes nothing', () => {
    const tried = { deleteOptions: { dryRun: ['All'] } };
    expect(run('eviction', podOf({}, running), tried, [budget(1)])).toMatchObject({
      stored: undefined,
      budgets: [],
      error: undefined,
    });
    expect(run('eviction', podOf({}, running), tried, [budget(0)]).error).toMatchObject({ code: 429 });
  });
  test('of a pod that does not run needs none', () =>
    expect(run('eviction', podOf(), {}, [budget(0)]).deleted).toBe(1));
});

test('ephemeral containers are added, never removed', () => {
  const first = { name: 'debug', image: 'busybox:1.36' };
  const { stored } = run('ephemeralcontainers', podOf(), { spec: { ephemeralContainers: [first] } });
  expect(stored!.spec.ephemeralContainers![0]).toMatchObject({ name: 'debug', imagePullPolicy: 'IfNotPresent' });
  expect(run('ephemeralcontainers', stored!, { spec: {} }).error!.message).toContain(
    'existing ephemeral containers "debug" may not be removed',
  );
});

test('a resize keeps the QoS class', () => {
  const resources = { requests: { cpu: '100m' } };
  const old = podOf(
    { containers: [{ name: 'web', image: 'nginx', resources }] },
    { phase: 'Running', qosClass: 'Burstable' },
  );
  const resized = (r: unknown): ReturnType<typeof run> =>
    run('resize', old, { spec: { containers: [{ name: 'web', image: 'nginx', resources: r }] } });
  expect(resized({ requests: { cpu: '200m' } }).stored!.spec.containers[0]!.resources).toEqual({
    requests: { cpu: '200m' },
  });
  expect(resized({}).error!.message).toBe(
    'Pod "web" is invalid: [spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing, spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed]',
  );
  expect(
    resized({ requests: { cpu: '100m', 'example.com/gpu': '1' }, limits: { 'example.com/gpu': '1' } }).error!.message,
  ).toBe('Pod "web" is invalid: spec: Forbidden: only cpu and memory resources are mutable');
});
