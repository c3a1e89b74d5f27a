import { describe, expect, test } from '@jest/globals';
import { defineKind } from '../../../machinery/kind.js';
import type { FieldError } from '../../../machinery/meta/field.js';
import { widget, Widgets, type Widget } from '../../../runtime/testing.js';
import { validateObjectMeta, validateObjectMetaUpdate } from './object-meta.js';

const OWNER = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' };
const texts = (errors: readonly FieldError[]): string[] => errors.map((e) => e.message);

describe('metadata', () => {
  test.each<[string, Widget['metadata'], string[]]>([
    ['in order', { labels: { a: 'b' }, annotations: { 'x.dev/y': 'z' }, ownerReferences: [OWNER] }, []],
    ['without a namespace', { namespace: '' }, ['metadata.namespace: Required value']],
    [
      'with a name and a bad prefix',
      { generateName: 'a_' },
      [expect.stringMatching(/^metadata.generateName: Invalid/) as never],
    ],
    ['with a prefix that ends in a dash', { generateName: 'a-' }, []],
    [
      'with a negative generation',
      { generation: -1 },
      ['metadata.generation: Invalid value: -1: must be greater than or equal to 0'],
    ],
    [
      'with large annotations',
      { annotations: { a: 'x'.repeat(256 * 1024) } },
      ['metadata.annotations: Too long: may not be more than 262144 bytes'],
    ],
    [
      'with a finalizer that has no group',
      { finalizers: ['kubernetes', 'mine'] },
      [
        'metadata.finalizers[1]: Invalid value: "mine": name is neither a standard finalizer name nor is it fully qualified',
      ],
    ],
    [
      'with both finalizers of the garbage collector',
      { finalizers: ['orphan', 'foregroundDeletion'] },
      [
        'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
      ],
    ],
    [
      'with an empty owner',
      { ownerReferences: [{}] as never },
      [
        'metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty',
        'metadata.ownerReferences.kind: Invalid value: "": must not be empty',
        'metadata.ownerReferences.name: Invalid value: "": must not be empty',
        'metadata.ownerReferences.uid: Invalid value: "": must not be empty',
      ],
    ],
    [
      'with an Event as its owner',
      { ownerReferences: [{ ...OWNER, kind: 'Event' }] },
      [expect.stringContaining('/v1, Kind=Event is disallowed from being an owner') as never],
    ],
    [
      'with two controllers',
      {
        ownerReferences: [
          { ...OWNER, controller: true },
          { ...OWNER, name: 'q', controller: true },
        ],
      },
      [
        expect.stringContaining(
          'Only one reference can have Controller set to true. Found "true" in references for Pod/p and Pod/q',
        ) as never,
      ],
    ],
  ])('%s', (_, metadata, errors) =>
    expect(texts(validateObjectMeta(Widgets, widget('a', {}, metadata)))).toEqual(errors),
  );

  test("of a custom object may have any finalizer's name", () => {
    const Custom = defineKind<Widget>({ ...Widgets, schema: {} });
    expect(validateObjectMeta(Custom, widget('a', {}, { finalizers: ['mine'] }))).toEqual([]);
  });
});

describe('an update', () => {
  const deleting = { deletionTimestamp: '2026-01-01T12:00:00Z', finalizers: ['x/y'] };

  test('of an object that is being deleted adds no finalizer', () => {
    const draft = widget('a', {}, { ...deleting, finalizers: ['x/y', 'x/z'] });
    expect(texts(validateObjectMetaUpdate(Widgets, draft, widget('a', {}, deleting)))).toEqual([
      'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"x/z"}',
    ]);
  });

  test('leaves an old name that is no longer allowed', () => {
    expect(validateObjectMetaUpdate(Widgets, widget('Old_Name'), widget('Old_Name'))).toEqual([]);
  });
});
