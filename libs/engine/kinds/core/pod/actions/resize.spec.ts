import { describe, expect, test } from '@jest/globals';
import { makePod, web } from '../testing.js';
import { runAction } from './testing.js';

const resources = { requests: { cpu: '100m' } };
const old = makePod(
  { containers: [{ ...web, resources }] },
  { phase: 'Running', qosClass: 'Burstable' },
  { resourceVersion: '1' },
);
const resize = (container: object, pod = old) =>
  runAction('resize', 'update', pod, { spec: { containers: [{ ...web, ...container }] } });

test('changes the resources, and nothing else', () => {
  const { stored } = resize({ image: 'nginx:1.26', resources: { requests: { cpu: '200m' } } });
  expect(stored!.spec.containers[0]).toEqual({ ...old.spec.containers[0], resources: { requests: { cpu: '200m' } } });
});

test.each<[string, object, string]>([
  [
    'another QoS class',
    {},
    '[spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing, spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed]',
  ],
  [
    'other resources than cpu and memory',
    { resources: { requests: { cpu: '100m', 'example.com/gpu': '1' }, limits: { 'example.com/gpu': '1' } } },
    'spec: Forbidden: only cpu and memory resources are mutable',
  ],
  [
    'another container',
    { name: 'other', resources },
    'spec.containers[0].name: Forbidden: containers may not be renamed or reordered on resize',
  ],
])('refuses %s', (_, container, message) =>
  expect(resize(container).error!.message).toBe(`Pod "web" is invalid: ${message}`),
);

test('refuses a container more', () =>
  expect(
    runAction('resize', 'update', old, {
      spec: {
        containers: [
          { ...web, resources },
          { ...web, name: 'b' },
        ],
      },
    }).error!.message,
  ).toBe('Pod "web" is invalid: spec.containers: Forbidden: containers may not be added or removed on resize'));

test('refuses pods of Windows', () =>
  expect(
    resize(
      { resources: { requests: { cpu: '200m' } } },
      { ...old, spec: { ...old.spec, os: { name: 'windows' }, securityContext: undefined } },
    ).error!.message,
  ).toBe('Pod "web" is invalid: : Forbidden: windows pods cannot be resized'));

describe('resources of the pod as a whole', () => {
  const whole = (cpu?: string) => ({
    requests: { memory: '64Mi', ...(cpu ? { cpu } : {}) },
    limits: { memory: '64Mi' },
  });
  const pod = { ...old, spec: { ...old.spec, resources: whole('200m') } };
  const resizeWhole = (next: object) =>
    runAction('resize', 'update', pod, { spec: { containers: [{ ...web, resources }], resources: next } });

  test('change', () => expect(resizeWhole(whole('300m')).stored!.spec.resources).toEqual(whole('300m')));
  test('cannot be removed', () =>
    expect(resizeWhole(whole()).error!.message).toContain(
      'spec.resources.requests: Forbidden: resource requests cannot be removed',
    ));
});
