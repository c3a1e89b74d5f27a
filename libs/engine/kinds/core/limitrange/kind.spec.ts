import { expect, test } from '@jest/globals';
import { create, make, row } from '../../testing.js';
import { kind } from './kind.js';

test.each<[string, object, object]>([
  [
    'of containers: limits from max, requests from limits and min',
    { type: 'Container', max: { cpu: '1' }, min: { memory: '1Mi' } },
    { default: { cpu: '1' }, defaultRequest: { cpu: '1', memory: '1Mi' } },
  ],
  [
    'of containers: what is given stays',
    { type: 'Container', max: { cpu: '2' }, default: { cpu: '1' }, defaultRequest: { cpu: '500m' } },
    { default: { cpu: '1' }, defaultRequest: { cpu: '500m' } },
  ],
])('a LimitRange %s', (_, limit, defaults) =>
  expect(create(kind, { spec: { limits: [limit] } }).spec.limits[0]).toMatchObject(defaults),
);

test('a LimitRange of pods gets no defaults', () => {
  const limit = { type: 'Pod', max: { cpu: '1' } };
  expect(create(kind, { spec: { limits: [limit] } }).spec.limits).toEqual([limit]);
  expect(create(kind).spec.limits).toEqual([]);
});

test('its row shows when it was created', () =>
  expect(row(kind, make(kind))).toEqual({ Name: 'a', 'Created At': '2026-01-01T11:55:00Z' }));
