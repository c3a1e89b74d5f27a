import { expect, test } from '@jest/globals';
import { make } from '../../testing.js';
import { cpu } from '../testing.js';
import { kind } from './kind.js';
import { formatHPAMetrics } from './targets.js';

const metric = { name: 'rps' };

test.each<[string, object[], object[], string]>([
  ['none', [], [], '<none>'],
  ['utilization', [cpu(50)], [{ resource: { name: 'cpu', current: { averageUtilization: 7 } } }], 'cpu: 7%/50%'],
  ['utilization that is not known yet', [cpu(50)], [], 'cpu: <unknown>/50%'],
  [
    'an amount of a resource',
    [{ type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } } }],
    [{ resource: { name: 'memory', current: { averageValue: '512Mi' } } }],
    'memory: 512Mi/1Gi',
  ],
  [
    "a container's resource",
    [
      {
        type: 'ContainerResource',
        containerResource: { name: 'cpu', container: 'web', target: { averageUtilization: 50 } },
      },
    ],
    [{ containerResource: { current: { averageUtilization: 9 } } }],
    'cpu: 9%/50%',
  ],
  [
    'an object',
    [{ type: 'Object', object: { metric, target: { type: 'Value', value: '10' } } }],
    [{ object: { current: { value: '4' } } }],
    '4/10',
  ],
  [
    'something outside, for each pod',
    [{ type: 'External', external: { metric, target: { type: 'AverageValue', averageValue: '5' } } }],
    [{ external: { current: { averageValue: '3' } } }],
    '3/5 (avg)',
  ],
  ['an unknown type', [{ type: 'Moon' }], [], '<unknown type>'],
  ['more than two', [cpu(1), cpu(2), cpu(3), cpu(4)], [], 'cpu: <unknown>/1%, cpu: <unknown>/2% + 2 more...'],
])('%s', (_, metrics, currentMetrics, text) =>
  expect(formatHPAMetrics(make(kind, { spec: { metrics }, status: { currentMetrics } }))).toBe(text),
);
