import { beforeEach, describe, expect, test } from '@jest/globals';
import type { DeleteOptions } from '../../../api/meta_v1.js';
import { defineKind } from '../../../machinery/kind.js';
import { Widgets, type Widget } from '../../../runtime/testing.js';
import { COMPONENT, KEY, recordHooks, refusalOf, TestStore } from '../testing.js';

/** Widgets that end gracefully, as pods do. */
const Graceful = defineKind<Widget>({ ...Widgets, gracePeriod: (_, requested = 30) => requested });

let bed: TestStore;
beforeEach(() => {
  bed = new TestStore();
});

describe('delete', () => {
  const finalizers = ['example.com/x'];
  test.each<[string, typeof Widgets, Widget['metadata'], DeleteOptions, unknown]>([
    ['at once', Widgets, {}, {}, undefined],
    ['gracefully', Graceful, {}, {}, { deletionTimestamp: '2026-01-01T12:00:30Z', deletionGracePeriodSeconds: 30 }],
    [
      'with less grace',
      Graceful,
      {},
      { gracePeriodSeconds: 5 },
      { deletionTimestamp: '2026-01-01T12:00:05Z', deletionGracePeriodSeconds: 5 },
    ],
    ['by force', Graceful, {}, { gracePeriodSeconds: 0 }, undefined],
    [
      'behind a finalizer',
      Widgets,
      { finalizers },
      {},
      { deletionTimestamp: '2026-01-01T12:00:00Z', deletionGracePeriodSeconds: 0, finalizers },
    ],
    ['foreground', Widgets, {}, { propagationPolicy: 'Foreground' }, { finalizers: ['foregroundDeletion'] }],
    ['orphaning', Widgets, {}, { propagationPolicy: 'Orphan' }, { finalizers: ['orphan'] }],
    ['background', Widgets, { finalizers: ['orphan'] }, { propagationPolicy: 'Background' }, undefined],
  ])('%s', (_, kind, metadata, deletion, left) => {
    bed.create(kind, metadata);
    bed.store.delete(kind, KEY, deletion, COMPONENT);
    if (left) expect(bed.stored!.metadata).toMatchObject(left);
    else expect(bed.stored).toBeUndefined();
  });

  test('again: only sooner', () => {
    bed.create(Graceful);
    bed.store.delete(Graceful, KEY, {}, COMPONENT);
    bed.store.delete(Graceful, KEY, { gracePeriodSeconds: 60 }, COMPONENT);
    expect(bed.stored!.metadata.deletionGracePeriodSeconds).toBe(30);
    bed.store.delete(Graceful, KEY, { gracePeriodSeconds: 10 }, COMPONENT);
    expect(bed.stored!.metadata).toMatchObject({
      deletionTimestamp: '2026-01-01T12:00:10Z',
      deletionGracePeriodSeconds: 10,
    });
    bed.store.delete(Graceful, KEY, { gracePeriodSeconds: 0 }, COMPONENT);
    expect(bed.stored).toBeUndefined();
  });

  test('the last finalizer gone, the object goes', () => {
    bed.create(Widgets, { finalizers });
    bed.store.delete(Widgets, KEY, {}, COMPONENT);
    const { finalizers: _, ...metadata } = bed.stored!.metadata;
    bed.store.update(Widgets, { ...bed.stored!, metadata }, COMPONENT);
    expect(bed.stored).toBeUndefined();
  });

  test('a precondition that does not hold', () => {
    const { metadata } = bed.create();
    expect(refusalOf(() => bed.store.delete(Widgets, KEY, { preconditions: { uid: 'other' } }, COMPONENT))).toEqual([
      409,
      `Operation cannot be fulfilled on Widget.test.dev "a": the UID in the precondition (other) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
    ]);
  });
});

test("admission comes before the kind's hook, and before the removal", () => {
  const { calls, kind, plugin } = recordHooks();
  const recorder = new TestStore([plugin], [kind]);
  recorder.create(kind, { finalizers: ['example.com/x'] });
  calls.length = 0;
  expect(recorder.store.delete(kind, KEY, {}, COMPONENT).deleted).toBe(false);
  expect(calls).toEqual(['mutate', 'admit', 'prepareForDelete']);
});

test.each<[string, DeleteOptions, boolean]>([
  ['of the write', {}, true],
  ['of the DeleteOptions', { dryRun: ['All'] }, false],
])('a dry run %s removes nothing', (_, deletion, dryRun) => {
  const { metadata } = bed.create();
  expect(bed.store.delete(Widgets, KEY, deletion, { ...COMPONENT, dryRun })).toMatchObject({
    deleted: true,
    object: { metadata },
  });
  expect(bed.stored).toBeDefined();
});

test('what does not exist is not found', () => {
  expect(refusalOf(() => bed.store.delete(Widgets, KEY, {}, COMPONENT))).toEqual([
    404,
    'widgets.test.dev "a" not found',
  ]);
});
