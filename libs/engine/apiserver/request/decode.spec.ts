import { describe, expect, test } from '@jest/globals';
import { ConfigMaps, Deployments } from '../../kinds/index.js';
import { defineKind, type Kind } from '../../machinery/kind.js';
import { encodeUtf8 } from '../../machinery/text/utf8.js';
import { encodeObject } from '../response/encode.js';
import { addEmptyStructs, decodeBody, decodeObject, MAX_BODY_BYTES, readBody } from './decode.js';
import type { FieldValidation } from './options.js';

const callOf = (kind: Kind, body: string | Uint8Array, contentType?: string) => ({
  request: {
    headers: { 'content-type': contentType },
    body: typeof body === 'string' ? encodeUtf8(body) : body,
  },
  kind,
  warnings: [] as string[],
});
const CONFIG_MAP = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"k":"v"}}';
const DECODED = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { k: 'v' } };

describe('readBody', () => {
  test('is empty without a body', () => expect(readBody({ request: {} })).toEqual(new Uint8Array()));
  test('takes 3 MiB', () =>
    expect(readBody({ request: { body: new Uint8Array(MAX_BODY_BYTES) } })).toHaveLength(3 * 1024 * 1024));
  test('and no more', () =>
    expect(() => readBody({ request: { body: new Uint8Array(MAX_BODY_BYTES + 1) } })).toThrow(
      expect.objectContaining({ code: 413, message: 'Request entity too large: limit is 3145728' }) as never,
    ));
});

describe('decodeObject', () => {
  test.each<[string, string | Uint8Array, string | undefined]>([
    ['JSON', CONFIG_MAP, 'application/json'],
    ['JSON without a content type', CONFIG_MAP, undefined],
    ['YAML', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  k: v\n', 'application/yaml'],
    ['protobuf', encodeObject(ConfigMaps, DECODED as never), 'application/vnd.kubernetes.protobuf'],
  ])('reads %s', (_, body, contentType) =>
    expect(decodeObject(callOf(ConfigMaps, body, contentType), 'Strict')).toMatchObject(DECODED),
  );

  test('adds the structs that a Go value always has', () => {
    expect(decodeObject(callOf(Deployments, '{}'), 'Warn')).toMatchObject({ metadata: {}, spec: {}, status: {} });
    expect(decodeObject(callOf(ConfigMaps, '{}'), 'Warn')).not.toHaveProperty('spec');
  });

  test('refuses other formats', () =>
    expect(() => decodeObject(callOf(ConfigMaps, CONFIG_MAP, 'text/plain'), 'Warn')).toThrow(
      expect.objectContaining({ code: 415 }) as never,
    ));
});

describe('an unknown field', () => {
  const BODY = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"oops":1}';
  const Things = defineKind({
    group: 'example.com',
    version: 'v1',
    kind: 'Thing',
    plural: 'things',
    singular: 'thing',
    scope: 'Namespaced',
    definition: 'com.example.v1.Thing',
    unknownFields: () => ['spec.oops'],
  });
  const THING = '{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"a"},"spec":{"oops":1}}';

  test.each<[string, FieldValidation, Kind, string, string[]]>([
    ['a built-in kind', 'Warn', ConfigMaps, BODY, ['unknown field "oops"']],
    ['a built-in kind', 'Ignore', ConfigMaps, BODY, []],
    ['a custom kind', 'Warn', Things, THING, ['unknown field "spec.oops"']],
    ['a custom kind', 'Ignore', Things, THING, []],
  ])('of %s, with %s', (_, validation, kind, body, warnings) => {
    const call = callOf(kind, body);
    decodeObject(call, validation);
    expect(call.warnings).toEqual(warnings);
  });

  test.each<[string, Kind, string, string]>([
    [
      'a built-in kind',
      ConfigMaps,
      BODY,
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "oops"',
    ],
    [
      'a custom kind',
      Things,
      THING,
      'Thing in version "v1" cannot be handled as a Thing: strict decoding error: unknown field "spec.oops"',
    ],
  ])('of %s is refused with Strict', (_, kind, body, message) => {
    const call = callOf(kind, body);
    expect(() => decodeObject(call, 'Strict')).toThrow(expect.objectContaining({ code: 400, message }) as never);
    expect(call.warnings).toEqual([]);
  });
});

test('decodeBody reads other types than the kind', () =>
  expect(
    decodeBody(
      callOf(ConfigMaps, '{"gracePeriodSeconds":3}'),
      'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions',
      'Warn',
    ),
  ).toMatchObject({ gracePeriodSeconds: 3 }));

test('addEmptyStructs keeps what is there', () =>
  expect(addEmptyStructs('io.k8s.api.apps.v1.Deployment', { spec: { replicas: 2 } } as never)).toEqual({
    metadata: {},
    spec: { replicas: 2 },
    status: {},
  }));
