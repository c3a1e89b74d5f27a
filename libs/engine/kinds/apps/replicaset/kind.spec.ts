import { expect, test } from '@jest/globals';
import { AGE, create, errorsOf, make, row, statusErrors, updateErrors } from '../../testing.js';
import { containers, MISMATCH, selector, template } from '../testing.js';
import { kind } from './kind.js';

test('it is of one pod', () =>
  expect(create(kind, { spec: { selector, template }, status: { replicas: 9 } })).toMatchObject({
    spec: { replicas: 1, template: { spec: { restartPolicy: 'Always' } } },
    status: { replicas: 0 },
  }));

test.each<[string, object, string[]]>([
  ['a good one', {}, []],
  ['a selector for others', { selector: { matchLabels: { app: 'shop' } } }, [MISMATCH]],
  [
    'an empty selector',
    { selector: {} },
    ['spec.selector: Invalid value: {}: empty selector is invalid for deployment'],
  ],
  [
    'a deadline',
    { template: { ...template, spec: { containers, activeDeadlineSeconds: 5 } } },
    ['spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is not Supported'],
  ],
  [
    'less than nothing',
    { replicas: -1, minReadySeconds: -1 },
    ['replicas', 'minReadySeconds'].map(
      (field) => `spec.${field}: Invalid value: -1: must be greater than or equal to 0`,
    ),
  ],
])('%s', (_, spec, errors) => expect(errorsOf(kind, { spec: { selector, template, ...spec } })).toEqual(errors));

test('the selector stays', () =>
  expect(
    updateErrors(
      kind,
      { spec: { selector, template } },
      { spec: { selector: { matchLabels: { app: 'b' } }, template } },
    ),
  ).toEqual(['spec.selector: Invalid value: {"matchLabels":{"app":"b"}}: field is immutable']));

test.each<[object, string[]]>([
  [{ replicas: 2, fullyLabeledReplicas: 2, readyReplicas: 2, availableReplicas: 1 }, []],
  [
    { replicas: 1, readyReplicas: 2, availableReplicas: 2 },
    ['readyReplicas', 'availableReplicas'].map(
      (field) => `status.${field}: Invalid value: 2: cannot be greater than status.replicas`,
    ),
  ],
])('the status %j', (status, errors) =>
  expect(statusErrors(kind, { spec: { selector, template } }, status)).toEqual(errors),
);

test('its row', () =>
  expect(
    row(kind, make(kind, { spec: { replicas: 3, selector, template }, status: { replicas: 2, readyReplicas: 1 } })),
  ).toEqual({
    Name: 'a',
    Desired: 3,
    Current: 2,
    Ready: 1,
    Age: AGE,
    Containers: 'web',
    Images: 'nginx:1.25',
    Selector: 'app=web',
  }));
