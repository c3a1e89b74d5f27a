import { describe, expect, test } from '@jest/globals';
import type { ImageCatalog, Pullable } from '../../cri/image.js';
import type { ContainerRecord } from '../pod/pod-runtime.js';
import { formatTime } from '../pod/pod-runtime.js';
import { container, delays, images, NOW, waiting } from '../testing.js';
import { ensureImageExists, type ImageDecision, type ImageRequest } from './image-manager.js';

const NGINX = 'docker.io/library/nginx:1.27';
const MISSING = 'docker.io/library/nginx:2.0';
const NOT_FOUND = `rpc error: code = NotFound desc = failed to pull and unpack image "${MISSING}": failed to resolve reference "${MISSING}": ${MISSING}: not found`;

const ensure = (image: string, more: Partial<ImageRequest> = {}): ImageDecision =>
  ensureImageExists({
    container: container('c', { image }),
    status: waiting('c'),
    record: {},
    nodeImages: [],
    images,
    credentialsFor: () => [],
    delays,
    now: NOW,
    ...more,
  });
const eventsOf = ({ events = [] }: ImageDecision): string[] => events.map((e) => `${e.type} ${e.reason}: ${e.message}`);
const after = (ms: number): string => formatTime(NOW + ms);

const PRESENT = 'Normal Pulled: Container image "nginx:1.27" already present on machine and can be accessed by the pod';
const PULLING = 'Normal Pulling: Pulling image "nginx:1.27"';
const NEVER = 'Container image "nginx:1.27" is not present with pull policy of Never';

test.each([
  ['IfNotPresent', true, true, [PRESENT]],
  ['IfNotPresent', false, false, [PULLING]],
  ['Never', true, true, [PRESENT]],
  ['Never', false, false, [`Warning ErrImageNeverPull: ${NEVER}`, 'Warning Failed: Error: ErrImageNeverPull']],
  ['Always', true, false, [PULLING]],
  ['Always', false, false, [PULLING]],
  [undefined, true, true, [PRESENT]],
  [undefined, false, false, [PULLING]],
])('policy %s, on the node: %s', (imagePullPolicy, isOnNode, present, events) => {
  const decision = ensure('nginx:1.27', {
    container: container('c', { imagePullPolicy }),
    nodeImages: isOnNode ? [{ names: [NGINX], sizeBytes: 1 }] : [],
  });
  expect([decision.present, eventsOf(decision)]).toEqual([present, events]);
});

test.each([
  [
    'nginx::1',
    'InvalidImageName',
    'InspectFailed',
    'Failed to apply default image tag "nginx::1": couldn\'t parse image name "nginx::1": invalid reference format',
  ],
])('the name %s is %s', (image, reason, eventReason, message) => {
  const decision = ensure(image);
  expect(decision.status?.state).toEqual({ waiting: { message, reason } });
  expect(eventsOf(decision)).toEqual([`Warning ${eventReason}: ${message}`, `Warning Failed: Error: ${reason}`]);
  expect([decision.record, decision.wakeAt]).toEqual([{ failures: 1, notBefore: after(12_000) }, NOW + 12_000]);
  const again = ensure(image, { status: decision.status!, record: decision.record!, now: NOW + 12_000 });
  expect(eventsOf(again)).toEqual(eventsOf(decision));
});

describe('a pull', () => {
  const pulling: ContainerRecord = { step: 'pulling', since: after(-1_500), due: after(0) };

  test('takes as long as the delays say', () => {
    const { record, wakeAt } = ensure('nginx:1.27');
    expect(record).toEqual({ step: 'pulling', since: after(0), due: after(2_000) });
    expect(wakeAt).toBe(NOW + 2_000);
  });

  test.each([
    ['an image that is not on the node', [], 10_000_000 * 0.9],
    ['an image that is there already: the manifest only', [{ names: [NGINX] }], 4_000_000],
  ])('of %s', (_case, nodeImages, least) => {
    const asked: number[] = [];
    const pull = (bytes: number): number => asked.push(bytes);
    ensure('nginx:1.27', {
      container: container('c', { imagePullPolicy: 'Always' }),
      nodeImages,
      delays: { ...delays, pull },
    });
    expect(asked).toEqual([expect.any(Number)]);
    expect(asked[0]).toBeGreaterThanOrEqual(least);
    expect(asked[0]).toBeLessThan(least * 1.2);
  });

  test('that is not over yet is waited for, in silence', () => {
    const decision = ensure('nginx:1.27', { record: pulling, now: NOW - 1 });
    expect([decision.present, decision.wakeAt, eventsOf(decision)]).toEqual([false, NOW, []]);
  });

  test('that is over brings the image to the node, and forgets earlier failures', () => {
    const decision = ensure('nginx:1.27', { record: { ...pulling, failures: 2, notBefore: after(-1) } });
    expect(decision.present).toBe(true);
    expect(decision.record).toEqual({ step: 'pulling' });
    expect(decision.pulled!.names!.at(-1)).toBe(NGINX);
    expect(eventsOf(decision)).toEqual([
      `Normal Pulled: Successfully pulled image "nginx:1.27" in 1.5s (1.5s including waiting). Image size: ${decision.pulled!.sizeBytes} bytes.`,
    ]);
  });

  test('that fails is reported as ErrImagePull', () => {
    const decision = ensure('nginx:2.0', { record: pulling });
    expect(decision.present).toBe(false);
    expect(decision.status!.state).toEqual({ waiting: { message: NOT_FOUND, reason: 'ErrImagePull' } });
    expect(eventsOf(decision)).toEqual([
      `Warning Failed: Failed to pull image "nginx:2.0": ${NOT_FOUND}`,
      'Warning Failed: Error: ErrImagePull',
    ]);
  });

  // The back-off and two syncs (of 1 s each here).
  test.each([
    [undefined, 10],
    [1, 20],
    [2, 40],
    [3, 80],
    [4, 160],
    [5, 300],
    [20, 300],
  ])('that fails after %s failures is tried again after %d s', (failures, seconds) => {
    const { record } = ensure('nginx:2.0', { record: { ...pulling, failures } });
    expect(record).toMatchObject({
      step: 'pullFailed',
      failures: (failures ?? 0) + 1,
      notBefore: after(seconds * 1_000 + 2_000),
      due: after(1_000),
    });
  });
});

describe('between a failed pull and the next', () => {
  const record: ContainerRecord = { step: 'pullFailed', failures: 1, due: after(0), notBefore: after(9_000) };
  const status = { ...waiting('c'), state: { waiting: { reason: 'ErrImagePull', message: NOT_FOUND } } };
  const backOff = (more: Partial<ImageRequest>): ImageDecision => ensure('nginx:2.0', { record, status, ...more });

  test('ErrImagePull stays until the next sync', () => {
    const decision = backOff({ now: NOW - 1 });
    expect([decision.status, decision.wakeAt]).toEqual([undefined, NOW]);
  });

  test('it becomes ImagePullBackOff, reported at each sync', () => {
    const decision = backOff({});
    expect(decision.status!.state!.waiting).toEqual({
      reason: 'ImagePullBackOff',
      message: `Back-off pulling image "nginx:2.0": ErrImagePull: ${NOT_FOUND}`,
    });
    expect(eventsOf(decision)).toEqual([
      'Normal BackOff: Back-off pulling image "nginx:2.0"',
      'Warning Failed: Error: ImagePullBackOff',
    ]);
    const later = { status: decision.status!, record: { ...decision.record, notBefore: after(60_000) } };
    expect(eventsOf(backOff({ ...later, now: NOW + 14_000 }))).toEqual([]);
    const again = backOff({ ...later, now: NOW + 15_000 });
    expect([eventsOf(again), again.status, again.wakeAt]).toEqual([eventsOf(decision), undefined, NOW + 30_000]);
  });

  test('the next pull begins when the back-off is over', () => {
    const decision = backOff({ now: NOW + 9_000 });
    expect(eventsOf(decision)).toEqual(['Normal Pulling: Pulling image "nginx:2.0"']);
    expect(decision.record).toMatchObject({ step: 'pulling', failures: 1 });
  });
});

describe('a private image', () => {
  const IMAGE = 'janedoe/jdoe-private:v1';
  const FULL = `docker.io/${IMAGE}`;
  const privately: ImageCatalog = {
    resolve: (reference) => ({
      ...(images.resolve(reference, true) as Exclude<Pullable, { error: string }>),
      access: { users: [{ name: 'jane', password: 'secret' }] },
    }),
  };
  const ensurePrivate = (passwords: string[], more: Partial<ImageRequest> = {}): ImageDecision =>
    ensure(IMAGE, {
      images: privately,
      credentialsFor: (repository) =>
        repository === 'docker.io/janedoe/jdoe-private'
          ? passwords.map((password) => ({ username: 'jane', password }))
          : [],
      ...more,
    });
  const record: ContainerRecord = { step: 'pulling', since: after(-1_500), due: after(0) };
  const onNode = { nodeImages: [{ names: [FULL], sizeBytes: 1 }] };

  test.each([
    ['without a secret', [], 'insufficient_scope: authorization failed'],
    ['with a wrong one', ['wrong'], 'service=registry.docker.io: 401 Unauthorized'],
    ['with two', ['wrong', 'false'], 'service=registry.docker.io: 401 Unauthorized'],
  ])('is not pulled %s', (_case, passwords, end) => {
    const decision = ensurePrivate(passwords, { record });
    const message = decision.status!.state!.waiting!.message!;
    expect(message.startsWith(`failed to pull and unpack image "${FULL}": failed to`)).toBe(true);
    expect(message.endsWith(end)).toBe(true);
    expect(eventsOf(decision)[0]).toBe(`Warning Failed: Failed to pull image "${IMAGE}": ${message}`);
  });

  test.each([[['secret']], [['wrong', 'secret']]])('is pulled with %j', (passwords) =>
    expect(ensurePrivate(passwords, { record }).present).toBe(true),
  );

  test.each([
    ['IfNotPresent', [], false, `Normal Pulling: Pulling image "${IMAGE}"`],
    ['Never', [], false, `Container image "${IMAGE}" is not present with pull policy of Never`],
    ['IfNotPresent', ['secret'], true, `"${IMAGE}" already present on machine and can be accessed by the pod`],
    ['Never', ['secret'], true, `"${IMAGE}" already present on machine and can be accessed by the pod`],
    ['Always', ['secret'], false, `Normal Pulling: Pulling image "${IMAGE}"`],
  ])('that is on the node, with policy %s and %j: %s', (imagePullPolicy, passwords, present, event) => {
    const of = container('c', { image: IMAGE, imagePullPolicy });
    const decision = ensurePrivate(passwords, { ...onNode, container: of });
    expect(decision.present).toBe(present);
    expect(eventsOf(decision)[0]).toContain(event);
  });
});
