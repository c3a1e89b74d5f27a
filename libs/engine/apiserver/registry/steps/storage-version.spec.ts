import { expect, test } from '@jest/globals';
import type { Kind } from '../../../machinery/kind.js';
import { invalidValue, Path } from '../../../machinery/meta/field.js';
import { widget, Widgets, type Widget } from '../../../runtime/testing.js';
import { COMPONENT, refusalOf, TestStore } from '../testing.js';

const error = (value: string) => invalidValue(Path.of('spec', 'shelf'), value, 'is refused');
const Stored: Kind<Widget> = { ...Widgets, validate: () => [error('by the stored version')] };
const storedAs = {
  kind: Stored,
  toStorage: (object: Widget): Widget => object,
  fromStorage: (object: object): Widget => object as Widget,
};

test.each<[string, Kind<Widget>['storedAs'], string]>([
  [
    'its own rules',
    { ...storedAs, validate: () => [error('by the version of the request')] },
    'by the version of the request',
  ],
  ['the rules of the stored version', storedAs, 'by the stored version'],
])('a version is validated by %s', (_, stored, rule) => {
  const Requested: Kind<Widget> = { ...Widgets, version: 'v2', storedAs: stored! };
  const bed = new TestStore([], [Stored, Requested]);
  expect(refusalOf(() => bed.store.create(Requested, widget('a'), COMPONENT))).toEqual([
    422,
    `Widget.test.dev "a" is invalid: spec.shelf: Invalid value: "${rule}": is refused`,
  ]);
});

test('admission sees the stored object, and the version of the request', () => {
  const versions: string[] = [];
  const plugin = {
    name: 'Reader',
    mutate: ({ kind, requestKind }: { kind: Kind; requestKind: Kind }) =>
      void versions.push(kind.version, requestKind.version),
  };
  const Requested: Kind<Widget> = { ...Widgets, version: 'v2', storedAs: { ...storedAs, kind: Widgets } };
  new TestStore([plugin], [Widgets, Requested]).store.create(Requested, widget('a'), COMPONENT);
  expect(versions).toEqual(['v1', 'v2']);
});
