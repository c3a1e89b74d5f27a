import { expect, test } from '@jest/globals';
import type { DaemonSet } from '../../../api/apps_v1.js';
import { AGE, context, create, make, row, statusErrors, updateErrors } from '../../testing.js';
import { selector, template } from '../testing.js';
import { kind } from './kind.js';

test('it rolls, one node after another', () =>
  expect(create(kind, { spec: { selector, template }, status: { numberReady: 9 } })).toMatchObject({
    spec: {
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
      revisionHistoryLimit: 10,
    },
    status: { currentNumberScheduled: 0, desiredNumberScheduled: 0, numberMisscheduled: 0, numberReady: 0 },
  }));

const GENERATION = 'deprecated.daemonset.template.generation';
const daemonSet = (image: string, annotations?: Record<string, string>): DaemonSet =>
  make(kind, {
    metadata: { annotations },
    spec: { selector: {}, template: { spec: { containers: [{ name: 'c', image }] } } },
  });

test('a new DaemonSet is of its first template', () => {
  const draft = daemonSet('a');
  kind.prepareForCreate!(draft, context);
  expect(draft.metadata.annotations).toEqual({ [GENERATION]: '1' });
});

test.each([
  ['the same template', 'a', '3'],
  ['another template', 'b', '4'],
])('an update to %s', (_, image, expected) => {
  const draft = daemonSet(image);
  kind.prepareForUpdate!(draft, daemonSet('a', { [GENERATION]: '3' }), context);
  expect(draft.metadata.annotations?.[GENERATION]).toBe(expected);
});

test('the selector stays', () =>
  expect(
    updateErrors(
      kind,
      { spec: { selector, template } },
      { spec: { selector: { matchLabels: { app: 'b' } }, template } },
    ),
  ).toEqual(['spec.selector: Invalid value: {"matchLabels":{"app":"b"}}: field is immutable']));

test.each<[object, string[]]>([
  [{ desiredNumberScheduled: 1, numberReady: 2 }, []],
  [{ numberAvailable: -1 }, ['status.numberAvailable: Invalid value: -1: must be greater than or equal to 0']],
])('the status %j', (status, errors) =>
  expect(statusErrors(kind, { spec: { selector, template } }, status)).toEqual(errors),
);

test('its row', () =>
  expect(
    row(
      kind,
      make(kind, {
        spec: { selector, template },
        status: { desiredNumberScheduled: 3, currentNumberScheduled: 3, numberReady: 2 },
      }),
    ),
  ).toEqual({
    Name: 'a',
    Desired: 3,
    Current: 3,
    Ready: 2,
    'Up-to-date': 0,
    Available: 0,
    'Node Selector': '<none>',
    Age: AGE,
    Containers: 'web',
    Images: 'nginx:1.25',
    Selector: 'app=web',
  }));
