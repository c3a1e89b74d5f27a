import { expect, test } from '@jest/globals';
import type { Namespace } from '../../../api/core_v1.js';
import { AGE, create, errorsOf, make, row, statusErrors, update } from '../../testing.js';
import { kind } from './kind.js';

test('a namespace names itself, is active and has a finalizer', () => {
  const namespace = create(kind, { spec: {}, status: { phase: 'Terminating' } });
  expect(namespace).toMatchObject({
    metadata: { labels: { 'kubernetes.io/metadata.name': 'a' } },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  });
  expect(kind.blocksDeletion!(namespace)).toBe(true);
  expect(kind.blocksDeletion!(make(kind))).toBe(false);
});

test('its name is not its own to change', () =>
  expect(
    create(kind, { metadata: { labels: { 'kubernetes.io/metadata.name': 'b', c: 'd' } } }).metadata.labels,
  ).toEqual({
    'kubernetes.io/metadata.name': 'a',
    c: 'd',
  }));

test('an update leaves the finalizers as they are', () =>
  expect(update(kind, {}, { spec: { finalizers: [] } }).spec.finalizers).toEqual(['kubernetes']));

test('finalize writes the finalizers, and nothing else', () => {
  const object = create(kind, { metadata: { labels: { c: 'd' } } });
  const stored: Namespace[] = [];
  kind.subresources!.actions!['finalize']!.handle({
    object,
    body: make(kind, { spec: { finalizers: [] }, status: { phase: 'Gone' } }),
    store: (namespace: Namespace) => stored.push(namespace),
  } as never);
  expect(stored).toEqual([{ ...object, spec: { finalizers: [] } }]);
});

test('deletion makes it Terminating', () => {
  const draft = create(kind);
  kind.prepareForDelete!(draft);
  expect(draft.status).toEqual({ phase: 'Terminating' });
});

test.each<[string[], string[]]>([
  [['kubernetes', 'example.com/mine'], []],
  [
    ['mine'],
    ['spec.finalizers[0]: Invalid value: "mine": name is neither a standard finalizer name nor is it fully qualified'],
  ],
])('finalizers %j', (finalizers, errors) => expect(errorsOf(kind, { spec: { finalizers } })).toEqual(errors));

test.each<[object, string, string[]]>([
  [{}, 'Active', []],
  [
    {},
    'Terminating',
    ['status.Phase: Invalid value: "Terminating": may only be \'Active\' if `deletionTimestamp` is empty'],
  ],
  [{ deletionTimestamp: '2026-01-01T12:00:00Z' }, 'Terminating', []],
  [
    { deletionTimestamp: '2026-01-01T12:00:00Z' },
    'Active',
    ['status.Phase: Invalid value: "Active": may only be \'Terminating\' if `deletionTimestamp` is not empty'],
  ],
])('of %j the phase %s', (metadata, phase, errors) =>
  expect(statusErrors(kind, { metadata }, { phase })).toEqual(errors),
);

test('its row', () =>
  expect(row(kind, make(kind, { status: { phase: 'Active' } }))).toEqual({ Name: 'a', Status: 'Active', Age: AGE }));

test('it is selected by its phase', () =>
  expect(kind.fieldSelectors!['status.phase']!(make(kind, { status: { phase: 'Active' } }))).toBe('Active'));
