import { expect, test } from '@jest/globals';
import type { KubeObject } from '../../machinery/meta/object.js';
import { shiftCheckpoint } from './checkpoint.js';

const HOUR = 3_600_000;
const shift = (fields: object): object => {
  const object = { apiVersion: 'v1', kind: 'X', metadata: { name: 'x' }, ...fields } as KubeObject;
  const {
    apiVersion: _a,
    kind: _k,
    metadata: _m,
    ...rest
  } = shiftCheckpoint({ revision: 7, now: 0, objects: [{ resource: 'xs', object }] }, HOUR).objects[0]!
    .object as KubeObject & Record<string, unknown>;
  return rest;
};

test('the time moves, the revision stays', () =>
  expect(shiftCheckpoint({ revision: 7, now: 1000, objects: [] }, HOUR)).toEqual({
    revision: 7,
    now: 1000 + HOUR,
    objects: [],
  }));

test.each([
  ['a time', { at: '2026-01-01T00:00:00Z' }, { at: '2026-01-01T01:00:00Z' }],
  ['a time in microseconds', { at: '2026-01-01T23:30:00.123000Z' }, { at: '2026-01-02T00:30:00.123000Z' }],
  ['times in lists and objects', { a: [{ b: '2026-01-01T00:00:00Z' }] }, { a: [{ b: '2026-01-01T01:00:00Z' }] }],
  ['no text that holds a time', { text: 'since 2026-01-01T00:00:00Z' }, { text: 'since 2026-01-01T00:00:00Z' }],
  ['no other value', { n: 1, no: null, yes: true, d: '2026-01-01' }, { n: 1, no: null, yes: true, d: '2026-01-01' }],
])('%s moves', (_, before, after) => expect(shift(before)).toEqual(after));

test('what holds no time stays shared', () => {
  const [spec, status] = [{ labels: ['a'] }, { startTime: '2026-01-01T00:00:00Z', spec: { a: 1 } }];
  const shifted = shift({ spec, status }) as { spec: object; status: { spec: object } };
  expect(shifted.spec).toBe(spec);
  expect(shifted.status).not.toBe(status);
  expect(shifted.status.spec).toBe(status.spec);
});

test.each([[[0, HOUR]], [[HOUR, 0, 2 * HOUR]]])(
  'a checkpoint that is moved again, by %j, is moved from where it is',
  (shifts) => {
    const object = { metadata: { at: '2026-01-01T00:00:00Z' }, spec: { a: [1] } } as unknown as KubeObject;
    const checkpoint = { revision: 7, now: 0, objects: [{ resource: 'xs', object }] };
    for (const by of shifts) {
      const moved = shiftCheckpoint(checkpoint, by).objects[0]!.object as unknown as Record<string, unknown>;
      expect(moved).toEqual({
        metadata: { at: `2026-01-01T0${by / HOUR}:00:00Z` },
        spec: { a: [1] },
      });
      expect(moved['spec']).toBe((object as unknown as Record<string, unknown>)['spec']);
    }
  },
);
