import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';
import { controllerNamed } from './names.js';

test('one controller does nothing, the others work', () => {
  const bed = new FaultBed();
  bed.at(5).fault('ControllerDown', { target: { controllers: ['deployment'] }, duration: '1m' });
  bed.at(6).deployment('web');
  bed.pod('other', { image: 'nginx:1.27' });
  expect(bed.at(60).pods('web')).toHaveLength(0);
  expect(bed.state('other')).toBe('Running 0');
  expect(bed.at(70).pods('web')).toHaveLength(1);
});

test.each([
  ['deployment-controller', 'deployment'],
  ['replicaset', 'replicaset'],
  ['pod-garbage-collector-controller', 'podgc'],
  ['replicaset-contoller', undefined],
])('%s is our controller %s', (name, own) => expect(controllerNamed(name)).toBe(own));

test('a controller that there is none of is refused', () => {
  const bed = new FaultBed();
  expect(() => bed.fault('ControllerDown', { target: { controllers: ['deploymnt'] } })).toThrow(
    'spec.target.controllers[0]: Unsupported value: "deploymnt"',
  );
});
