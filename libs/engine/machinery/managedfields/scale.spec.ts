import { expect, test } from '@jest/globals';
import { ownerId, type Owner, type Owners } from './owners.js';
import { ownersOfScale, ownersAfterScale } from './scale.js';
import type { FieldSet } from './set.js';

const REPLICAS: FieldSet = { 'f:spec': { 'f:replicas': {} } };
const MAPPING = {
  steps: ['spec', 'replicas'],
  apiVersion: 'apps/v1',
  isKnown: (version: string) => version.startsWith('apps/'),
};
const owner = (manager: string, fields: FieldSet, operation: Owner['operation'] = 'Update'): Owner => ({
  manager,
  operation,
  apiVersion: 'apps/v1',
  time: '2026-01-01T00:00:00Z',
  fields,
});
const ownersOf = (...owners: Owner[]): Owners => new Map(owners.map((o) => [ownerId(o), o]));

test('the owners of a Scale are those of the replicas', () => {
  const parent = ownersOf(
    owner('a', { 'f:spec': { 'f:replicas': {}, 'f:paused': {} } }),
    owner('b', { 'f:spec': { 'f:paused': {} } }),
    { ...owner('c', REPLICAS), apiVersion: 'example.com/v1' },
  );
  expect([...ownersOfScale(parent, MAPPING).values()]).toEqual([
    { ...owner('a', REPLICAS), apiVersion: 'autoscaling/v1' },
  ]);
});

test('who scales takes the replicas, and leaves the rest to their owner', () => {
  const parent = ownersOf(owner('a', { 'f:spec': { 'f:replicas': {}, 'f:paused': {} } }));
  const scale = ownersOf({ ...owner('b', REPLICAS), apiVersion: 'autoscaling/v1', subresource: 'scale' });
  expect(ownersAfterScale(parent, scale, MAPPING)).toEqual([
    owner('a', { 'f:spec': { 'f:paused': {} } }),
    { manager: 'b', operation: 'Update', apiVersion: 'apps/v1', subresource: 'scale', fields: REPLICAS },
  ]);
});

test('an owner of nothing but the replicas goes', () => {
  const scale = ownersOf({ ...owner('b', REPLICAS, 'Apply'), subresource: 'scale' });
  expect(ownersAfterScale(ownersOf(owner('a', REPLICAS)), scale, MAPPING).map((o) => o.manager)).toEqual(['b']);
});

test('who applies the replicas keeps them', () => {
  const applier = owner('a', REPLICAS, 'Apply');
  expect(ownersAfterScale(ownersOf(applier), ownersOf({ ...applier, apiVersion: 'autoscaling/v1' }), MAPPING)).toEqual([
    applier,
  ]);
});
