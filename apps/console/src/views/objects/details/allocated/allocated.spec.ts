import { expect, test } from '@jest/globals';
import { askedBy } from './allocated.js';

const one = (cpu: string, more: object = {}) => ({ resources: { requests: { cpu, memory: '1Mi' } }, ...more });
const pod = (spec: object, phase = 'Running') => ({ spec, status: { phase } });

test.each([
  ['the sum of containers', [pod({ containers: [one('100m'), one('200m')] })], 0.3, 1],
  ['an init container that asks for more', [pod({ initContainers: [one('2')], containers: [one('1')] })], 2, 1],
  [
    'sidecars beside all',
    [pod({ initContainers: [one('1', { restartPolicy: 'Always' }), one('1')], containers: [one('500m')] })],
    2,
    1,
  ],
  ['a runtime’s overhead', [pod({ containers: [one('1')], overhead: { cpu: '250m' } })], 1.25, 1],
  ['nothing of those that are over', [pod({ containers: [one('1')] }, 'Succeeded')], 0, 0],
])('%s', (_, items, cpu, pods) => {
  const asked = askedBy({ items });
  expect(asked.cpu).toBeCloseTo(cpu);
  expect(asked.pods).toBe(pods);
});
