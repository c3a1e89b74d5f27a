import { describe, expect, test } from '@jest/globals';
import { AGE, create, errorsOf, make, row, statusErrors, warningsOf } from '../../testing.js';
import { kind } from './kind.js';

const labels = { app: 'web' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx:1.25' }] } };

describe('defaults', () => {
  test('it selects its template, once, and has its labels', () =>
    expect(create(kind, { spec: { template } })).toMatchObject({
      metadata: { labels },
      spec: { replicas: 1, selector: labels, template: { spec: { restartPolicy: 'Always' } } },
      status: { replicas: 0 },
    }));
  test('what is given stays', () =>
    expect(
      create(kind, { metadata: { labels: { a: 'b' } }, spec: { template, selector: { c: 'd' }, replicas: 0 } }),
    ).toMatchObject({ metadata: { labels: { a: 'b' } }, spec: { replicas: 0, selector: { c: 'd' } } }));
});

test.each<[string, object, string[]]>([
  ['a good one', { template }, []],
  ['no template', { selector: labels }, ['spec.template: Required value']],
  ['neither selector nor labels', { template: { spec: template.spec } }, ['spec.selector: Required value']],
  [
    'a selector of others',
    { selector: { app: 'shop' }, template },
    ['spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`'],
  ],
  [
    'less than nothing',
    { template, replicas: -1, minReadySeconds: -1 },
    [
      'spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0',
      'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    ],
  ],
  [
    'pods that end',
    { template: { ...template, spec: { ...template.spec, restartPolicy: 'Never', activeDeadlineSeconds: 5 } } },
    [
      'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
      'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicationController is not Supported',
    ],
  ],
])('%s', (_, spec, errors) => expect(errorsOf(kind, { spec })).toEqual(errors));

test.each<[object, string[]]>([
  [{ replicas: 2, readyReplicas: 2, availableReplicas: 1 }, []],
  [
    { replicas: 1, fullyLabeledReplicas: 2 },
    ['status.fullyLabeledReplicas: Invalid value: 2: cannot be greater than status.replicas'],
  ],
  [
    { replicas: 2, readyReplicas: 1, availableReplicas: 2 },
    ['status.availableReplicas: Invalid value: 2: cannot be greater than readyReplicas'],
  ],
])('the status %j', (status, errors) => expect(statusErrors(kind, { spec: { template } }, status)).toEqual(errors));

test('a name with dots warns', () =>
  expect(warningsOf(kind, { metadata: { name: 'web.one' }, spec: { template } })).toEqual([
    'metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]',
  ]));

test('its row', () =>
  expect(
    row(
      kind,
      make(kind, { spec: { replicas: 3, template, selector: labels }, status: { replicas: 2, readyReplicas: 1 } }),
    ),
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

test('it is selected by its pods', () =>
  expect(kind.fieldSelectors!['status.replicas']!(make(kind, { status: { replicas: 2 } }))).toBe('2'));
