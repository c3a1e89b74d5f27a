import { expect, test } from '@jest/globals';
import { AGE, create, errorsOf, row } from '../../testing.js';
import { kind as Clocks } from './kind.js';

test.each<[string, object, string[]]>([
  ['clock', {}, []],
  ['watch', {}, ['metadata.name: Invalid value: "watch": must be "clock"']],
  ['clock', { rate: 0 }, ['spec.rate: Invalid value: 0: must be a number greater than 0 and at most 1000000']],
  [
    'clock',
    { paused: 'yes', speed: 2 },
    ['spec.paused: Invalid value: "yes": must be true or false', 'spec: Invalid value: "speed": unknown field'],
  ],
])('the Clock %s of %j', (name, spec, errors) =>
  expect(errorsOf(Clocks, { metadata: { name }, spec })).toEqual(errors),
);

test('the Clock prints', () =>
  expect(row(Clocks, create(Clocks, { metadata: { name: 'clock' } }))).toEqual({
    Name: 'clock',
    Rate: '1',
    Paused: false,
    Age: AGE,
  }));
