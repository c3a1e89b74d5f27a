import { describe, expect, test } from '@jest/globals';
import type { Container, ContainerStatus } from '../../../api/core_v1.js';
import { container, NOW, pod, running, STAMP } from '../testing.js';
import {
  makeResizeCondition,
  needsPodResize,
  needsResize,
  requiresRestart,
  resizedStatus,
  resizeMessage,
  sharesChangedLimit,
} from './resize.js';

type Resources = NonNullable<Container['resources']>;
const was = (resources: Resources): ContainerStatus => running('c', { resources });
const wants = (resources: Resources, more: Partial<Container> = {}): Container =>
  container('c', { resources, ...more });

test.each<[string, Resources, Resources, boolean]>([
  ['nothing', {}, {}, false],
  ['another way to write it', { requests: { cpu: '1' } }, { requests: { cpu: '1000m' } }, false],
  ['more CPU', { requests: { cpu: '1' } }, { requests: { cpu: '2' } }, true],
  ['less memory', { limits: { memory: '2Gi' } }, { limits: { memory: '1Gi' } }, true],
  ['a limit where there was none', { requests: { cpu: '1' } }, { limits: { cpu: '1' }, requests: { cpu: '1' } }, true],
  ['what cannot be resized', {}, { requests: { 'ephemeral-storage': '1Gi' } }, false],
])('a change of %s', (_what, before, after, expected) => expect(needsResize(wants(after), was(before))).toBe(expected));

test('a container that does not run starts with what it asks for', () =>
  expect(needsResize(wants({ requests: { cpu: '1' } }), { ...was({}), state: { waiting: {} } })).toBe(false));

describe('a restart is required', () => {
  const resizePolicy = [
    { resourceName: 'cpu', restartPolicy: 'NotRequired' },
    { resourceName: 'memory', restartPolicy: 'RestartContainer' },
  ];
  test.each<[Resources, boolean]>([
    [{ requests: { cpu: '2', memory: '1Gi' } }, false],
    [{ requests: { cpu: '1', memory: '2Gi' } }, true],
  ])('%j: %s', (resources, expected) => {
    const status = was({ requests: { cpu: '1', memory: '1Gi' } });
    expect(requiresRestart(wants(resources, { resizePolicy }), status)).toBe(expected);
  });
});

test('the status has the new resources', () =>
  expect(resizedStatus(wants({ requests: { cpu: '2' } }), was({ requests: { cpu: '1' } }))).toMatchObject({
    allocatedResources: { cpu: '2' },
    resources: { requests: { cpu: '2' } },
  }));

test('an event tells all resources, in Go’s order', () => {
  const resized = pod({ containers: [wants({ requests: { memory: '1Gi', cpu: '2' } })] }, {}, { generation: 2 });
  expect(resizeMessage('Pod resize started', resized)).toBe(
    'Pod resize started: {"containers":[{"name":"c","resources":{"requests":{"cpu":"2","memory":"1Gi"}}}],"generation":2}',
  );
  expect(resizeMessage('Pod resize OutOfcpu', resized, 'no room')).toMatch(/"generation":2,"error":"no room"}$/);
});

test('a condition that says the same stays as it is', () => {
  const first = makeResizeCondition(pod(), 'PodResizePending', { reason: 'Deferred', message: 'no room' }, NOW);
  expect(first).toMatchObject({ status: 'True', reason: 'Deferred', lastTransitionTime: STAMP });
  const again = pod({}, { conditions: [first] });
  expect(makeResizeCondition(again, 'PodResizePending', { reason: 'Deferred', message: 'no room' }, NOW + 5_000)).toBe(
    first,
  );
});

describe('the pod as a whole', () => {
  const own = pod({ resources: { limits: { cpu: '300m' } } }, { resources: { limits: { cpu: '200m' } } });
  const restarts = [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }];

  test('is to have more than its status tells', () => {
    expect(needsPodResize(own)).toBe(true);
    expect(needsPodResize(pod({ resources: { limits: { cpu: '300m' } } }))).toBe(false);
  });

  test.each<[string, Resources, Partial<Container>, boolean]>([
    ['without a limit, to be restarted for it', {}, { resizePolicy: restarts }, true],
    ['without a limit and such a policy', {}, {}, false],
    ['with a limit of its own', { limits: { cpu: '100m' } }, { resizePolicy: restarts }, false],
  ])('shares its limit with a container %s', (_what, resources, more, expected) =>
    expect(sharesChangedLimit(wants(resources, more), own)).toBe(expected),
  );
});
