import { describe, expect, test } from '@jest/globals';
import { addFinalizer, ownFinalizers, removeFinalizer } from './finalizers.js';

const objectOf = (finalizers?: string[]): { metadata: { name: string; finalizers?: string[] } } => ({
  metadata: { name: 'web', ...(finalizers ? { finalizers } : {}) },
});

describe('a finalizer', () => {
  test.each([
    ['the first', undefined, ['own']],
    ['behind others', ['other'], ['other', 'own']],
  ])('is added: %s', (_name, before, after) => {
    expect(addFinalizer(objectOf(before), 'own')).toEqual(objectOf(after));
  });

  test.each([
    ['with the list, when it was the only one', ['own'], undefined],
    ['from among others', ['a', 'own', 'b'], ['a', 'b']],
  ])('is removed: %s', (_name, before, after) => {
    expect(removeFinalizer(objectOf(before), 'own')).toStrictEqual(objectOf(after));
  });

  test('that is there, or is not, leaves the object itself', () => {
    const [held, free] = [objectOf(['own']), objectOf()];
    expect([addFinalizer(held, 'own') === held, removeFinalizer(free, 'own') === free]).toEqual([true, true]);
  });
});

const deletionTimestamp = '2026-01-01T00:00:00Z';

test.each([
  [{}, undefined],
  [{ finalizers: [] }, undefined],
  [{ finalizers: ['a/b'] }, ['a/b']],
  [{ finalizers: ['orphan'] }, ['orphan']],
  [{ deletionTimestamp, finalizers: ['orphan'] }, undefined],
  [{ deletionTimestamp, finalizers: ['a/b', 'foregroundDeletion'] }, ['a/b']],
])('of %j no deletion has added %j', (metadata, own) => expect(ownFinalizers(metadata)).toEqual(own));
