import { describe, expect, test } from '@jest/globals';
import { AGE, create, make, row, statusErrors, update, updateErrors, warningsOf } from '../../testing.js';
import { selector, template } from '../testing.js';
import { kind } from './kind.js';

describe('defaults', () => {
  test('a Deployment rolls', () => {
    const { spec, status } = create(kind, { spec: { selector, template }, status: { replicas: 9 } });
    expect(spec).toMatchObject({
      replicas: 1,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
      template: { spec: { restartPolicy: 'Always', dnsPolicy: 'ClusterFirst' } },
    });
    expect(spec.template.spec!.enableServiceLinks).toBeUndefined();
    expect(status).toEqual({});
  });
  test('one that recreates has no bounds', () =>
    expect(create(kind, { spec: { selector, template, strategy: { type: 'Recreate' } } }).spec.strategy).toEqual({
      type: 'Recreate',
    }));
});

test.each<[string, object, number | undefined]>([
  ['other annotations', { generation: 2, annotations: { a: 'c' } }, 3],
  ['the same annotations', { generation: 2, annotations: { a: 'b' } }, 2],
])('an update with %s', (_, metadata, generation) =>
  expect(
    update(
      kind,
      { metadata: { generation: 2, annotations: { a: 'b' } }, spec: { selector, template } },
      { metadata, spec: { selector, template } },
    ).metadata.generation,
  ).toBe(generation),
);

test('the selector stays', () =>
  expect(
    updateErrors(
      kind,
      { spec: { selector, template } },
      { spec: { selector: { matchLabels: { app: 'b' } }, template, replicas: 5 } },
    ),
  ).toEqual(['spec.selector: Invalid value: {"matchLabels":{"app":"b"}}: field is immutable']));

test.each<[object, string[]]>([
  [{ replicas: 3, updatedReplicas: 3, readyReplicas: 2, availableReplicas: 2 }, []],
  [{ unavailableReplicas: -1 }, ['status.unavailableReplicas: Invalid value: -1: must be greater than or equal to 0']],
  [
    { replicas: 1, updatedReplicas: 2 },
    ['status.updatedReplicas: Invalid value: 2: cannot be greater than status.replicas'],
  ],
  [
    { replicas: 2, readyReplicas: 1, availableReplicas: 2 },
    ['status.availableReplicas: Invalid value: 2: cannot be greater than readyReplicas'],
  ],
])('the status %j', (status, errors) =>
  expect(statusErrors(kind, { spec: { selector, template } }, status)).toEqual(errors),
);

test('its name and its template warn', () =>
  expect(
    warningsOf(kind, {
      metadata: { name: 'web.one' },
      spec: { selector, template: { ...template, spec: { ...template.spec, terminationGracePeriodSeconds: -1 } } },
    }),
  ).toEqual([
    'metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]',
    'spec.template.spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1',
  ]));

test('its row', () =>
  expect(
    row(
      kind,
      make(kind, {
        spec: { replicas: 3, selector, template },
        status: { readyReplicas: 2, updatedReplicas: 3, availableReplicas: 1 },
      }),
    ),
  ).toEqual({
    Name: 'a',
    Ready: '2/3',
    'Up-to-date': 3,
    Available: 1,
    Age: AGE,
    Containers: 'web',
    Images: 'nginx:1.25',
    Selector: 'app=web',
  }));
