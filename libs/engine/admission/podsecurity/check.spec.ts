import { describe, expect, test } from '@jest/globals';
import {
  checkAddedCapabilities,
  checkRequired,
  containersOf,
  findSetters,
  hasOwnUsers,
  inContainers,
  listContainers,
  listSetters,
  plural,
  sorted,
  withSubject,
  type PodLike,
} from './check.js';

const pod = (spec: object): PodLike => ({ metadata: {}, spec }) as PodLike;
const container = (name: string, securityContext?: object): object => ({
  name,
  ...(securityContext ? { securityContext } : {}),
});

describe('texts', () => {
  test.each<[string[], string]>([
    [['a'], 'container "a"'],
    [['a', 'b'], 'containers "a", "b"'],
  ])('%j', (names, text) => expect(listContainers(names)).toBe(text));
  test.each<[boolean, string[], string | undefined]>([
    [false, [], undefined],
    [true, [], 'pod'],
    [false, ['a'], 'container "a"'],
    [true, ['a', 'b'], 'pod and containers "a", "b"'],
  ])('pod: %s, containers: %j', (inPod, names, text) => expect(listSetters(inPod, names)).toBe(text));
  test('are about something', () =>
    expect([
      withSubject('pod', 'x'),
      withSubject(undefined, 'x'),
      inContainers(['a'], 'x'),
      inContainers([], 'x'),
    ]).toEqual(['pod x', undefined, 'container "a" x', undefined]));
  test('are sorted, without repetitions, in the right number', () =>
    expect([sorted(['b', 'a', 'b']), plural('one', 'many', ['a']), plural('one', 'many', [])]).toEqual([
      ['a', 'b'],
      'one',
      'many',
    ]));
});

test('init containers come first, ephemeral containers last', () =>
  expect(
    containersOf({
      containers: [{ name: 'b' }],
      initContainers: [{ name: 'a' }],
      ephemeralContainers: [{ name: 'c' }],
    }).map((c) => c.name),
  ).toEqual(['a', 'b', 'c']));

test.each<[object, boolean]>([
  [{ hostUsers: false }, true],
  [{ hostUsers: true }, false],
  [{}, false],
])('%j has users of its own: %s', (spec, expected) => expect(hasOwnUsers(pod(spec))).toBe(expected));

test('setters are the pod and the containers whose context is bad', () =>
  expect(
    findSetters(
      pod({
        securityContext: { runAsUser: 0 },
        containers: [container('a', { runAsUser: 0 }), container('b', { runAsUser: 1 }), container('c')],
      }),
      (context) => context.runAsUser === 0,
    ),
  ).toBe('pod and container "a"'));

test.each<[string[], string | undefined]>([
  [['CHOWN'], undefined],
  [['NET_RAW', 'CHOWN'], 'container "a" must not include "NET_RAW" in securityContext.capabilities.add'],
])('the capabilities %j', (add, text) =>
  expect(
    checkAddedCapabilities(pod({ containers: [container('a', { capabilities: { add } })] }), (c) => c === 'CHOWN'),
  ).toBe(text),
);

describe('a required field', () => {
  const check = (spec: object): string | undefined =>
    checkRequired(
      pod(spec),
      (c) => c.runAsNonRoot !== undefined,
      (c) => c.runAsNonRoot === false,
      (who) => `${who} is wrong`,
      'it',
    );
  const [set, unset, wrong] = [{ runAsNonRoot: true }, {}, { runAsNonRoot: false }];
  test.each<[string, object, string | undefined]>([
    ['set by the pod', { securityContext: set, containers: [container('a')] }, undefined],
    ['set by all containers', { containers: [container('a', set), container('b', set)] }, undefined],
    [
      'set by one container',
      { containers: [container('a', set), container('b', unset), container('c')] },
      'pod or containers "b", "c" must set it',
    ],
    [
      'set wrongly by a container',
      { securityContext: set, containers: [container('a', wrong)] },
      'container "a" is wrong',
    ],
    ['set wrongly by the pod alone', { securityContext: wrong, containers: [container('a', set)] }, 'pod is wrong'],
  ])('%s', (_, spec, text) => expect(check(spec)).toBe(text));
});
