import { expect, test } from '@jest/globals';
import { makeWithDefaults } from '../../testing.js';
import { cpu, scaleTargetRef } from '../testing.js';
import { kind } from './kind.js';

const SCALE_UP = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
};
const SCALE_DOWN = { selectPolicy: 'Max', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] };

test.each<[string, object, object]>([
  ['its minimum and metrics', {}, { minReplicas: 1, metrics: [cpu(80)] }],
  ['what is given stays', { minReplicas: 2, metrics: [cpu(50)] }, { minReplicas: 2, metrics: [cpu(50)] }],
  [
    'its behaviour, when it has any',
    { behavior: {} },
    { minReplicas: 1, metrics: [cpu(80)], behavior: { scaleUp: SCALE_UP, scaleDown: SCALE_DOWN } },
  ],
  [
    'what is not given of its behaviour',
    { behavior: { scaleUp: { selectPolicy: 'Min', policies: undefined } } },
    {
      minReplicas: 1,
      metrics: [cpu(80)],
      behavior: { scaleUp: { ...SCALE_UP, selectPolicy: 'Min' }, scaleDown: SCALE_DOWN },
    },
  ],
])('%s', (_, spec, expected) =>
  expect(makeWithDefaults(kind, { spec: { scaleTargetRef, maxReplicas: 3, ...spec } }).spec).toEqual({
    scaleTargetRef,
    maxReplicas: 3,
    ...expected,
  }),
);
