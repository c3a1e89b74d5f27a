import { expect, test } from '@jest/globals';
import { create, errorsOf, row, warningsOf } from '../../testing.js';
import { kind } from './kind.js';

const containers = [
  { name: 'web', image: 'nginx:1.25' },
  { name: 'log', image: 'fluentd:1.16' },
];

test('the template has the defaults of pods', () => {
  expect(create(kind, { template: { spec: { containers } } }).template!.spec).toMatchObject({
    restartPolicy: 'Always',
    dnsPolicy: 'ClusterFirst',
  });
  expect(create(kind).template).toMatchObject({ metadata: {}, spec: { containers: [] } });
});

test.each<[string, Record<string, unknown>, string[]]>([
  ['a good one', { template: { spec: { containers } } }, []],
  ['no containers', {}, ['template.spec.containers: Required value']],
  [
    'a label that is none',
    { template: { metadata: { labels: { a: '-' } }, spec: { containers } } },
    [
      "template.labels: Invalid value: \"-\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
    ],
  ],
])('%s', (_, fields, errors) => expect(errorsOf(kind, fields)).toEqual(errors));

test('the template warns', () =>
  expect(
    warningsOf(kind, { template: { spec: { containers, nodeSelector: { 'beta.kubernetes.io/os': 'linux' } } } }),
  ).toEqual([
    'template.spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead',
  ]));

test('its row shows the containers', () =>
  expect(
    row(kind, create(kind, { template: { metadata: { labels: { b: '2', a: '1' } }, spec: { containers } } })),
  ).toEqual({
    Name: 'a',
    Containers: 'web,log',
    Images: 'nginx:1.25,fluentd:1.16',
    'Pod Labels': 'a=1,b=2',
  }));
