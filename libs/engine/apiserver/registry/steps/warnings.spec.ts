import { expect, test } from '@jest/globals';
import type { Kind } from '../../../machinery/kind.js';
import { Widgets, type Widget } from '../../../runtime/testing.js';
import type { WriteOptions } from '../write-options.js';
import { COMPONENT, requestOptions, TestStore } from '../testing.js';

const Warning: Kind<Widget> = {
  ...Widgets,
  warnings: (object, old) => [`size ${object.spec.size} after ${old?.spec.size ?? 'none'}`],
};

test.each<[string, (bed: TestStore, options: WriteOptions) => unknown, string[]]>([
  [
    'a create',
    ({ store }, options) => store.create(Warning, { ...bare, metadata: { name: 'b', namespace: 'default' } }, options),
    ['size 2 after none'],
  ],
  [
    'an update',
    ({ store, stored }, options) => store.update(Warning, { ...stored!, spec: { size: 2 } }, options),
    ['size 2 after 1'],
  ],
  [
    'an update that changes nothing',
    ({ store, stored }, options) => store.update(Warning, { ...stored! }, options),
    ['size 1 after 1'],
  ],
  [
    'an update of the status',
    ({ store, stored }, options) => store.update(Warning, { ...stored!, status: { seen: 1 } }, options, 'status'),
    [],
  ],
])('of %s reach a request, and no component', (_, write, expected) => {
  const warnings: string[] = [];
  const bed = new TestStore([], [Warning]);
  bed.create(Warning);
  write(bed, { ...requestOptions(warnings), dryRun: true });
  expect(warnings).toEqual(expected);
  write(bed, { ...COMPONENT, dryRun: true });
  expect(warnings).toEqual(expected);
});

const bare: Widget = { apiVersion: 'test.dev/v1', kind: 'Widget', metadata: {}, spec: { size: 2 }, status: {} };
