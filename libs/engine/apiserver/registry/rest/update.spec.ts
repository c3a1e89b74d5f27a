import { beforeEach, describe, expect, test } from '@jest/globals';
import { widget, Widgets, type Widget } from '../../../runtime/testing.js';
import { COMPONENT, recordHooks, refusalOf, TestStore } from '../testing.js';

let bed: TestStore;
beforeEach(() => {
  bed = new TestStore();
});

describe('update', () => {
  test.each<[string, Partial<Widget>, number, number]>([
    ['the spec', { spec: { size: 2 } }, 2, 2],
    ['labels only', { metadata: { name: 'a', namespace: 'default', labels: { x: 'y' } } }, 2, 1],
    ['nothing', {}, 1, 1],
    ['the status, which is not its own', { status: { seen: 9 } }, 1, 1],
  ])('of %s', (_, change, revision, generation) => {
    const old = bed.create();
    bed.store.update(Widgets, { ...old, ...change }, COMPONENT);
    expect([bed.state.revision, bed.stored!.metadata.generation, bed.stored!.status]).toEqual([
      revision,
      generation,
      {},
    ]);
  });

  test('of the status leaves the spec and the generation alone', () => {
    const old = bed.create();
    bed.store.update(Widgets, { ...old, spec: { size: 5 }, status: { seen: 1 } }, COMPONENT, 'status');
    expect([bed.stored!.spec, bed.stored!.status, bed.stored!.metadata.generation]).toEqual([
      { size: 1 },
      { seen: 1 },
      1,
    ]);
  });

  test('of an older version is a conflict', () => {
    const old = bed.create();
    bed.store.update(Widgets, { ...old, spec: { size: 2 } }, COMPONENT);
    expect(refusalOf(() => bed.store.update(Widgets, { ...old, spec: { size: 3 } }, COMPONENT))).toEqual([
      409,
      'Operation cannot be fulfilled on widgets.test.dev "a": the object has been modified; please apply your changes to the latest version and try again',
    ]);
  });

  test('of what does not exist is not found', () => {
    expect(refusalOf(() => bed.store.update(Widgets, widget('a'), COMPONENT))).toEqual([
      404,
      'widgets.test.dev "a" not found',
    ]);
  });
});

describe("the hooks of a kind and of plug-ins run in upstream's order", () => {
  test.each<[string, string, string[]]>([
    ['the object', '', ['defaults', 'mutate', 'prepareForUpdate', 'validate', 'validateUpdate', 'admit']],
    ['the status', 'status', ['prepareForStatusUpdate', 'mutate', 'validateStatusUpdate', 'admit']],
    ['an action', 'finalize', ['mutate', 'admit']],
  ])('for an update of %s', (_, subresource, expected) => {
    const { calls, kind, plugin } = recordHooks();
    const recorder = new TestStore([plugin], [kind]);
    const old = recorder.create(kind);
    calls.length = 0;
    recorder.store.update(kind, { ...old, spec: { size: 2 }, status: { seen: 1 } }, COMPONENT, subresource);
    expect(calls).toEqual(expected);
  });
});

test('an update by an action stores the object as a whole', () => {
  const old = bed.create();
  bed.store.update(Widgets, { ...old, spec: { size: 2 }, status: { seen: 1 } }, COMPONENT, 'grow');
  expect(bed.stored).toMatchObject({ spec: { size: 2 }, status: { seen: 1 }, metadata: { generation: 2 } });
});

test('a dry run stores nothing', () => {
  const old = bed.create();
  const options = { ...COMPONENT, dryRun: true };
  expect(bed.store.update(Widgets, { ...old, spec: { size: 2 } }, options).spec).toEqual({ size: 2 });
  expect(bed.stored!.spec).toEqual({ size: 1 });
});
