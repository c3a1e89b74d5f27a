import { expect, test } from '@jest/globals';
import { Path } from '../../machinery/meta/field.js';
import { validateEmbeddedResources } from './object-meta.js';
import type { StructuralSchema } from './structural-schema.js';

const EMBEDDED: StructuralSchema = { type: 'object', 'x-kubernetes-embedded-resource': true };
const schema: StructuralSchema = {
  type: 'object',
  properties: {
    one: EMBEDDED,
    list: { type: 'array', items: EMBEDDED },
    outer: { ...EMBEDDED, properties: { inner: EMBEDDED } },
  },
};

test.each<[unknown, string[]]>([
  [{ one: { apiVersion: 'v1', kind: 'Pod' } }, []],
  [{ one: {} }, ['one.apiVersion: Required value', 'one.kind: Required value']],
  [{ one: { apiVersion: 'v1', kind: '' } }, ['one.kind: Required value']],
  [{ list: [{ apiVersion: 'v1', kind: 'Pod' }, { kind: 'Pod' }] }, ['list[1].apiVersion: Required value']],
  [{ outer: { apiVersion: 'v1', kind: 'Pod', inner: { apiVersion: 'v1' } } }, ['outer.inner.kind: Required value']],
  [{}, []],
])('%j', (value, errors) =>
  expect(validateEmbeddedResources(schema, value, Path.of()).map((e) => e.message)).toEqual(errors),
);
