import { describe, expect, test } from '@jest/globals';
import type { Kind } from '../../../machinery/kind.js';
import { Widgets, type Widget } from '../../../runtime/testing.js';
import { COMPONENT, requestOptions, TestStore } from '../testing.js';

const DELETED = { deletionTimestamp: '2026-01-01T12:00:00Z', deletionGracePeriodSeconds: 0, finalizers: ['x/y'] };

test('an update that differs in the times of its entries alone writes nothing', () => {
  const bed = new TestStore();
  const old = bed.create();
  const managedFields = [
    { manager: 'm', operation: 'Update', time: '2026-01-01T12:00:00Z', fieldsType: 'FieldsV1', fieldsV1: {} },
  ];
  bed.store.update(Widgets, { ...old, metadata: { ...old.metadata, managedFields } }, requestOptions());
  const { revision } = bed.state;
  const later = managedFields.map((entry) => ({ ...entry, time: '2026-01-01T13:00:00Z' }));
  bed.store.update(Widgets, { ...old, metadata: { ...bed.stored!.metadata, managedFields: later } }, requestOptions());
  expect(bed.state.revision).toBe(revision);
});

describe('an update of a deleted object without finalizers', () => {
  test.each<[string, Kind<Widget>, object, boolean]>([
    ['removes it', Widgets, {}, true],
    ['keeps it while its grace runs', Widgets, { deletionGracePeriodSeconds: 30 }, false],
    ['keeps it while its kind blocks', { ...Widgets, blocksDeletion: () => true }, {}, false],
  ])('%s', (_, kind, metadata, isRemoved) => {
    const bed = new TestStore([], [kind]);
    const { metadata: created, ...fields } = bed.create(kind);
    bed.state.put(
      'widgets.test.dev',
      { ...fields, metadata: { ...created, ...DELETED, ...metadata } } as Widget,
      'test',
      0,
    );
    const draft = { ...bed.stored!, metadata: { ...bed.stored!.metadata, finalizers: [] } };
    expect(bed.store.update(kind, draft, COMPONENT).metadata.name).toBe('a');
    expect(bed.stored === undefined).toBe(isRemoved);
  });
});
