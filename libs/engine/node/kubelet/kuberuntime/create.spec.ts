import { describe, expect, test } from '@jest/globals';
import type { Container, PodSpec } from '../../../api/core_v1.js';
import { formatTime, type ContainerRecord } from '../pod/pod-runtime.js';
import { configMap, container, images, NOW, pod, readerOf, STAMP, terminated, waiting } from '../testing.js';
import { createContainer, type CreateDecision, type CreateRequest } from './create.js';

const create = (
  own: Partial<Container> = {},
  more: Partial<CreateRequest> = {},
  spec: Partial<PodSpec> = {},
): CreateDecision =>
  createContainer({
    container: container('c', own),
    source: { pod: pod(spec), read: readerOf(configMap('settings', { key: 'value' })) },
    images,
    status: waiting('c'),
    record: { step: 'creating', due: formatTime(NOW) },
    now: NOW,
    newID: () => 'abc',
    ...more,
  });

describe('a container whose image is on the node', () => {
  test('runs', () => {
    const decision = create();
    expect(decision.started).toBe(true);
    expect(decision.record).toEqual({ startedAt: formatTime(NOW) });
    expect(decision.status).toMatchObject({
      containerID: 'containerd://abc',
      image: 'docker.io/library/nginx:1.27',
      restartCount: 0,
      state: { running: { startedAt: STAMP } },
    });
    expect(decision.events!.map((e) => `${e.reason}: ${e.message}`)).toEqual([
      'Created: Container created',
      'Started: Container started',
    ]);
  });

  test('that ran before counts the restart, and shows how it ended', () => {
    const ended = terminated('c', 1, { restartCount: 2 });
    const record: ContainerRecord = { step: 'creating', restarting: true, failures: 1, backoff: 20, probedAt: 'x' };
    const decision = create({}, { status: ended, record });
    expect(decision.record).toEqual({ backoff: 20, startedAt: formatTime(NOW) });
    expect(decision.status).toMatchObject({ restartCount: 3, lastState: ended.state });
  });
});

const variable = (name: string, key: string): Partial<Container> => ({
  env: [{ name: 'A', valueFrom: { configMapKeyRef: { name, key } } }],
});
const AS_ROOT = 'container has runAsNonRoot and image will run as root (pod: "web_shop(u1)", container: c)';

test.each<[string, Partial<Container>, Partial<PodSpec>, string | undefined]>([
  ['a ConfigMap that is there', variable('settings', 'key'), {}, undefined],
  ['a ConfigMap that is missing', variable('nothing', 'key'), {}, 'configmap "nothing" not found'],
  ['a key that is missing', variable('settings', 'nokey'), {}, "couldn't find key nokey in ConfigMap shop/settings"],
  ['runAsNonRoot, an image of root', { securityContext: { runAsNonRoot: true } }, {}, AS_ROOT],
  ['the pod’s runAsNonRoot', {}, { securityContext: { runAsNonRoot: true } }, AS_ROOT],
  [
    'runAsNonRoot, user 0',
    { securityContext: { runAsNonRoot: true, runAsUser: 0 } },
    {},
    `container's runAsUser breaks non-root policy (pod: "web_shop(u1)", container: c)`,
  ],
  ['runAsNonRoot, another user', { securityContext: { runAsNonRoot: true, runAsUser: 1000 } }, {}, undefined],
  [
    'the container’s own word counts',
    { securityContext: { runAsNonRoot: false } },
    { securityContext: { runAsNonRoot: true } },
    undefined,
  ],
])('%s', (_case, own, spec, message) => {
  const decision = create(own, {}, spec);
  expect(decision.started).toBe(message === undefined);
  if (message === undefined) return;
  expect(decision.status!.state).toEqual({ waiting: { message, reason: 'CreateContainerConfigError' } });
  expect(decision.events).toEqual([{ type: 'Warning', reason: 'Failed', message: `Error: ${message}` }]);
});

test.each([
  [undefined, 12],
  [23, 12],
  [24, 300],
])('after %s failures the next try comes in %d s', (failures, seconds) => {
  const { record, wakeAt } = create(variable('nothing', 'key'), { record: { step: 'creating', failures } });
  expect(record).toEqual({ failures: (failures ?? 0) + 1, notBefore: formatTime(NOW + seconds * 1_000) });
  expect(wakeAt).toBe(NOW + seconds * 1_000);
});
