import { expect, it } from '@jest/globals';
import { capOwners, entriesOf, isReset, ownerId, ownersOf, parseOwners, type Owner } from './owners.js';
import { NONE } from './set.js';

it.each([
  ['no operation', { manager: 'm', apiVersion: 'v1', fieldsType: 'FieldsV1' }],
  ['no version', { manager: 'm', operation: 'Apply', fieldsType: 'FieldsV1' }],
  ['another type', { manager: 'm', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV2' }],
])('an entry with %s is refused', (_text, entry) => expect(parseOwners([entry])).toBeUndefined());

const owner = (fields: Partial<Owner>): Owner => ({
  manager: 'm',
  operation: 'Update',
  apiVersion: 'v1',
  fields: { 'f:a': NONE },
  ...fields,
});

it('an applier is one owner in every version, an updater one in each', () => {
  expect(ownerId(owner({ operation: 'Apply' }))).toBe(ownerId(owner({ operation: 'Apply', apiVersion: 'v2' })));
  expect(ownerId(owner({}))).not.toBe(ownerId(owner({ apiVersion: 'v2' })));
  expect(ownerId(owner({}))).not.toBe(ownerId(owner({ subresource: 'status' })));
});

it('entries are in the order of operation, time and manager', () => {
  const owners = [
    owner({ manager: 'b', time: '2026-01-02T00:00:00Z' }),
    owner({ manager: 'c', time: '2026-01-01T00:00:00Z' }),
    owner({ manager: 'a', time: '2026-01-02T00:00:00Z' }),
    owner({ manager: 'z', operation: 'Apply', time: '2026-01-03T00:00:00Z' }),
  ];
  const entries = entriesOf(new Map(owners.map((o) => [ownerId(o), o])))!;
  expect(entries.map((e) => e.manager)).toEqual(['z', 'c', 'a', 'b']);
  expect(entries[1]).toEqual({
    manager: 'c',
    operation: 'Update',
    apiVersion: 'v1',
    time: '2026-01-01T00:00:00Z',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:a': {} },
  });
  expect([...ownersOf(entries).values()].map((o) => o.manager)).toEqual(['z', 'c', 'a', 'b']);
  expect(entriesOf(new Map())).toBeUndefined();
});

it('the oldest updates beyond the tenth become one', () => {
  const all = Array.from({ length: 12 }, (_, i) =>
    owner({ manager: `m${i}`, time: `2026-01-01T00:00:${10 + i}Z`, fields: { [`f:${i}`]: NONE } }),
  );
  const owners = new Map(all.map((o) => [ownerId(o), o]));
  capOwners(owners);
  expect(owners.size).toBe(10);
  expect([...owners.values()].find((o) => o.manager === 'ancient-changes')).toEqual({
    manager: 'ancient-changes',
    operation: 'Update',
    apiVersion: 'v1',
    time: '2026-01-01T00:00:12Z',
    fields: { 'f:0': {}, 'f:1': {}, 'f:2': {} },
  });
});

it.each([
  [undefined, false],
  [[], true],
  [[{}], true],
  [[{ manager: 'm' }], false],
])('%j resets the owners: %s', (entries, reset) => expect(isReset(entries)).toBe(reset));
