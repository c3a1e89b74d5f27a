import { describe, expect, test } from '@jest/globals';
import { ConfigMaps } from '../../kinds/index.js';
import type { KubeObject, Unstructured } from '../../machinery/meta/object.js';
import { LAST_APPLIED } from './last-applied.js';
import { ownedWrite } from './managed-fields.js';
import { mergeConfiguration, ownersBeforeApply } from './merge-configuration.js';

const NOW = Date.UTC(2026, 0, 1);
const map = (data: Record<string, string>, annotations?: Record<string, string>): KubeObject & Unstructured => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', ...(annotations ? { annotations } : {}) },
  data,
});

function merge(live: KubeObject | undefined, configuration: Unstructured, manager: string, force = false): unknown {
  const write = { ...ownedWrite({ kind: ConfigMaps, manager, subresource: '' }, NOW), operation: 'Apply' };
  return mergeConfiguration(live, configuration, ownersBeforeApply(ConfigMaps, live, NOW), write, force);
}

describe('a configuration', () => {
  test('becomes the object when there is none', () =>
    expect(merge(undefined, map({ a: '1' }), 'm')).toEqual(map({ a: '1' })));

  test('is laid over the object, whose other fields stay', () =>
    expect(merge(map({ a: '1' }), map({ b: '2' }), 'm')).toMatchObject({ data: { a: '1', b: '2' } }));

  test('that changes a field of another is refused, unless it is forced', () => {
    expect(() => merge(map({ a: '1' }), map({ a: '2' }), 'm')).toThrow(
      'Apply failed with 1 conflict: conflict with "before-first-apply" using v1: .data.a',
    );
    expect(merge(map({ a: '1' }), map({ a: '2' }), 'm', true)).toMatchObject({ data: { a: '2' } });
  });

  test('takes over what client-side apply has left, when kubectl applies it', () => {
    const live = map({ a: '1' }, { [LAST_APPLIED]: JSON.stringify(map({ a: '1' })) });
    expect(merge(live, map({ a: '2' }), 'kubectl')).toMatchObject({ data: { a: '2' } });
    expect(() => merge(live, map({ a: '2' }), 'm')).toThrow('Apply failed with 1 conflict');
  });
});

test.each<[string, KubeObject | undefined, string[]]>([
  ['no object', undefined, []],
  ['an object without entries', map({ a: '1' }), ['before-first-apply']],
  [
    'an object with an entry',
    {
      ...map({ a: '1' }),
      metadata: {
        managedFields: [
          { manager: 'm', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: { 'f:data': {} } },
        ],
      },
    },
    ['m'],
  ],
])('%s has the owners %j', (_, live, managers) => {
  expect([...ownersBeforeApply(ConfigMaps, live, NOW).values()].map((o) => o.manager)).toEqual(managers);
});
