import { expect, test } from '@jest/globals';
import { pathText, union, type FieldSet } from './set.js';
import { fieldsOf } from './fields.js';
import { ownerId, type Owners } from './owners.js';
import { spec, TYPE } from './testing.js';
import { applyFields, trackUpdate, type OwnedWrite } from './update.js';

const EARLY = '2026-01-01T00:00:00Z';
const LATE = '2026-01-02T00:00:00Z';

const writeOf = (manager: string, time = LATE): OwnedWrite => ({
  type: TYPE,
  manager,
  apiVersion: 'example.com/v1',
  time,
  only: (set) => set,
});
const fieldsByManager = (owners: Owners): Record<string, FieldSet> =>
  Object.fromEntries([...owners.values()].map((o) => [`${o.operation} ${o.manager}`, o.fields]));

test('who creates owns all but bookkeeping', () => {
  const owners: Owners = new Map();
  trackUpdate(
    {},
    { apiVersion: 'example.com/v1', metadata: { name: 'a' }, ...spec({ size: 1 }) },
    owners,
    writeOf('m'),
  );
  expect(fieldsByManager(owners)).toEqual({ 'Update m': { 'f:spec': { '.': {}, 'f:size': {} } } });
});

test('who changes a field takes it from its owner, who goes with the last one', () => {
  const owners: Owners = new Map();
  trackUpdate(spec({}), spec({ size: 1, words: ['a'] }), owners, writeOf('a', EARLY));
  trackUpdate(spec({ size: 1, words: ['a'] }), spec({ size: 2, words: ['a'] }), owners, writeOf('b'));
  expect(fieldsByManager(owners)).toEqual({
    'Update a': { 'f:spec': { 'f:words': {} } },
    'Update b': { 'f:spec': { 'f:size': {} } },
  });
  trackUpdate(spec({ size: 2, words: ['a'] }), spec({ size: 2 }), owners, writeOf('b'));
  expect(Object.keys(fieldsByManager(owners))).toEqual(['Update b']);
});

test('a write without a change keeps its owner and its time', () => {
  const owners: Owners = new Map();
  trackUpdate(spec({}), spec({ size: 1 }), owners, writeOf('a', EARLY));
  trackUpdate(spec({ size: 1 }), spec({ size: 1 }), owners, writeOf('a', LATE));
  expect([...owners.values()].map((o) => o.time)).toEqual([EARLY]);
});

test('a configuration conflicts with the owner of a field that it changes', () => {
  const live = spec({ size: 1 });
  const owners: Owners = new Map();
  trackUpdate({}, live, owners, writeOf('a', EARLY));
  const { object, conflicts } = applyFields(live, spec({ size: 2 }), owners, writeOf('b'), false);
  expect([object, conflicts.map((c) => [c.owner.manager, pathText(c.path)])]).toEqual([
    undefined,
    [['a', '.spec.size']],
  ]);
  expect(Object.keys(fieldsByManager(owners))).toEqual(['Update a']);
});

test('force takes the field', () => {
  const live = spec({ size: 1 });
  const owners: Owners = new Map();
  trackUpdate({}, live, owners, writeOf('a', EARLY));
  expect(applyFields(live, spec({ size: 2 }), owners, writeOf('b'), true)).toEqual({
    object: spec({ size: 2 }),
    conflicts: [],
  });
  expect(fieldsByManager(owners)['Apply b']).toEqual({ 'f:spec': { 'f:size': {} } });
  expect(fieldsByManager(owners)['Update a']).toEqual({ 'f:spec': {} });
});

test('the same value has two owners', () => {
  const live = spec({ size: 1 });
  const owners: Owners = new Map();
  trackUpdate({}, live, owners, writeOf('a', EARLY));
  const { object, conflicts } = applyFields(live, live, owners, writeOf('b'), false);
  expect([object, conflicts, Object.keys(fieldsByManager(owners))]).toEqual([undefined, [], ['Update a', 'Apply b']]);
});

test('what the next configuration leaves out goes, unless another owns it', () => {
  const write = writeOf('b');
  const live = spec({ size: 1, labels: { x: '1', y: '1' } });
  const last = fieldsOf(live, TYPE);
  const other: FieldSet = { 'f:spec': { 'f:labels': { 'f:y': {} } } };
  const owners: Owners = new Map(
    [
      { manager: 'b', operation: 'Apply' as const, apiVersion: write.apiVersion, fields: last },
      { manager: 'a', operation: 'Update' as const, apiVersion: write.apiVersion, fields: other },
    ].map((owner) => [ownerId(owner), owner]),
  );
  expect(applyFields(live, spec({ size: 1 }), owners, write, false).object).toEqual(
    spec({ size: 1, labels: { y: '1' } }),
  );
  expect(union(other, {})).toEqual(fieldsByManager(owners)['Update a']);
});
