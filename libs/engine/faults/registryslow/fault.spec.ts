import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test('pulls take as many times as long', () => {
  const took = (factor?: number): number => {
    const bed = new FaultBed('realistic');
    if (factor) bed.fault('RegistrySlow', { parameters: { factor } });
    bed.at(1).pod('web', { image: 'nginx:1.27' });
    for (let second = 1; second < 600; second++) if (bed.at(second).state('web') === 'Running 0') return second;
    return Infinity;
  };
  expect(took(20)).toBeGreaterThan(5 * took());
});
