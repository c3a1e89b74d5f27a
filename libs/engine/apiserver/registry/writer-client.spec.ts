import { describe, expect, test } from '@jest/globals';
import type { Kind } from '../../machinery/kind.js';
import { widget, Widgets, type Widget } from '../../runtime/testing.js';
import { NO_OWNER } from '../ownership/field-owner.js';
import { COMPONENT, KEY, refusalOf, TestStore } from './testing.js';

const paths = { spec: '.spec.size', status: '.status.seen' };
const reading = { verbs: ['get'], handle: () => undefined } as const;
const Scalable: Kind<Widget> = { ...Widgets, subresources: { status: true, scale: paths, actions: { peek: reading } } };
/** Widgets in a version that calls their size otherwise. */
const Renamed: Kind<Widget> = {
  ...Widgets,
  version: 'v2',
  storedAs: {
    kind: Widgets,
    toStorage: (object) => ({ ...object, spec: { size: object.spec.size! - 100 } }) as Widget,
    fromStorage: (object) => ({ ...object, spec: { size: (object as Widget).spec.size! + 100 } }) as Widget,
  },
};

test('reads and writes a version that is stored as another', () => {
  const bed = new TestStore();
  const client = bed.store.client(COMPONENT);
  client.create(Renamed, widget('a', { size: 101 }));
  expect([bed.stored!.spec, bed.stored!.apiVersion]).toEqual([{ size: 1 }, 'test.dev/v1']);
  expect([client.get(Renamed, KEY), ...client.list(Renamed)].map((o) => o!.spec)).toEqual([
    { size: 101 },
    { size: 101 },
  ]);
  client.update(Renamed, widget('a', { size: 102 }));
  expect(bed.stored!.spec).toEqual({ size: 2 });
  expect(bed.store.delete(Renamed, KEY, {}, COMPONENT).object.spec).toEqual({ size: 102 });
});

describe('a subresource', () => {
  test.each<[string, Kind<Widget>, string, [number, string]]>([
    ['that does not exist', Scalable, 'eviction', [404, 'the server could not find the requested resource']],
    ['that is read only', Scalable, 'peek', [400, 'peek cannot be written']],
    ['scale of a kind without', Widgets, 'scale', [404, 'the server could not find the requested resource']],
  ])('%s', (_, kind, name, refusal) => {
    const bed = new TestStore();
    bed.create();
    expect(refusalOf(() => bed.store.client(COMPONENT).subresource(kind, KEY, name, {}))).toEqual(refusal);
  });

  test.each(['scale', 'peek'])('%s of an object that does not exist', (name) =>
    expect(
      refusalOf(() => new TestStore().store.client(COMPONENT).subresource(Scalable, KEY, name, { spec: {} })),
    ).toEqual([404, 'widgets.test.dev "a" not found']),
  );

  test.each([
    ['a component', COMPONENT, ['kube-controller-manager scale']],
    ['a client whose writes are not tracked', { ...COMPONENT, fieldOwner: NO_OWNER }, []],
    [
      'a field manager',
      { ...COMPONENT, fieldOwner: { type: 'manager', manager: 'm', kind: Scalable, subresource: '' } },
      ['m scale'],
    ],
  ] as const)('scale belongs to %s', (_, options, owners) => {
    const bed = new TestStore([], [Scalable]);
    bed.create(Scalable);
    bed.store.client(options).subresource(Scalable, KEY, 'scale', { spec: { replicas: 7 } });
    expect(bed.stored!.spec).toEqual({ size: 7 });
    const entries = bed.stored!.metadata.managedFields!.filter((e) => e.subresource === 'scale');
    expect(entries.map((e) => `${e.manager} ${e.subresource}`)).toEqual(owners);
  });
});
