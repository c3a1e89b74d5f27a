import { describe, expect, test } from '@jest/globals';
import { acceptClauses, bodyType, errorFormat, negotiate, type Offer } from './negotiate.js';

const BUILT_IN: Offer = { protobuf: true, convertible: true };
const CUSTOM: Offer = { protobuf: false, convertible: true };
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const PARTIAL = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
const PARTIAL_LIST = 'application/yaml;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1beta1';
const PROTOBUF = 'application/vnd.kubernetes.protobuf';

describe('an Accept header', () => {
  test('is ordered by q, then as written', () =>
    expect(acceptClauses('a/a;q=0.5, B/b , c/c;q=0.5;x=1').map((c) => c.mediaType)).toEqual(['b/b', 'a/a', 'c/c']));
  test('has parameters', () =>
    expect([...acceptClauses(TABLE)[0]!.parameters]).toEqual([
      ['as', 'Table'],
      ['v', 'v1'],
      ['g', 'meta.k8s.io'],
    ]));
  test('has at most 32 alternatives', () => expect(acceptClauses('a/a,'.repeat(100))).toHaveLength(32));
});

describe('negotiate', () => {
  const object = { shape: 'object', metaVersion: 'v1' };
  test.each<[string | undefined, Offer, object]>([
    [undefined, BUILT_IN, { format: 'json', ...object }],
    ['*/*', BUILT_IN, { format: 'json', ...object }],
    ['application/*', BUILT_IN, { format: 'json', ...object }],
    ['application/yaml', BUILT_IN, { format: 'yaml', ...object }],
    [PROTOBUF, BUILT_IN, { format: 'protobuf', ...object }],
    [`${PROTOBUF},application/json`, CUSTOM, { format: 'json', ...object }],
    ['text/html, application/yaml;q=0.1', BUILT_IN, { format: 'yaml', ...object }],
    ['application/yaml,application/json', { ...BUILT_IN, watch: true }, { format: 'json', ...object }],
    [TABLE, BUILT_IN, { format: 'json', shape: 'table', metaVersion: 'v1' }],
    [PARTIAL, BUILT_IN, { format: 'json', shape: 'partial', metaVersion: 'v1', isListMetadata: false }],
    [PARTIAL_LIST, BUILT_IN, { format: 'yaml', shape: 'partial', metaVersion: 'v1beta1', isListMetadata: true }],
    [`${TABLE},application/json`, { protobuf: true, convertible: false }, { format: 'json', ...object }],
    [`${PROTOBUF};as=Table;v=v1;g=meta.k8s.io,application/json`, BUILT_IN, { format: 'json', ...object }],
    ['application/json;as=Table;v=v2;g=meta.k8s.io,application/json', BUILT_IN, { format: 'json', ...object }],
    ['application/json;as=Table;v=v1;g=other,application/yaml', BUILT_IN, { format: 'yaml', ...object }],
    ['application/json;as=Other;v=v1;g=meta.k8s.io,application/yaml', BUILT_IN, { format: 'yaml', ...object }],
  ])('%s of %j', (accept, offer, expected) => expect(negotiate(accept, offer)).toEqual(expected));

  const HANDLER =
    'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf';
  const ROUTER =
    '406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf';
  const STREAMS = 'application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch';
  test.each<[string, Offer, string]>([
    ['text/html', BUILT_IN, HANDLER],
    [PROTOBUF, CUSTOM, HANDLER],
    ['text/html', { ...BUILT_IN, routed: { collection: false } }, ROUTER],
    ['text/html', { ...BUILT_IN, routed: { collection: true } }, `${ROUTER}, ${STREAMS}`],
    ['application/json;as=Table', { ...BUILT_IN, routed: { collection: true } }, HANDLER],
    ['application/yaml', { ...BUILT_IN, watch: true }, `only the following media types are accepted: ${STREAMS}`],
  ])('%s of %j is refused', (accept, offer, message) =>
    expect(() => negotiate(accept, offer)).toThrow(expect.objectContaining({ code: 406, message }) as never),
  );
});

test.each([
  [undefined, 'json'],
  ['application/yaml', 'yaml'],
  [`${TABLE},application/yaml`, 'yaml'],
  [TABLE, 'json'],
  [PROTOBUF, 'protobuf'],
  ['text/html', 'json'],
])('an error for %s is %s', (accept, format) => expect(errorFormat(accept)).toBe(format));

describe('bodyType', () => {
  test.each([
    [undefined, 'application/json'],
    ['', 'application/json'],
    ['Application/JSON; charset=utf-8', 'application/json'],
    ['application/yaml', 'application/yaml'],
    [PROTOBUF, PROTOBUF],
  ])('%s is %s', (contentType, expected) => expect(bodyType(contentType)).toBe(expected));

  test.each(['text/plain', '*/*', 'application/*'])('%s is refused', (contentType) =>
    expect(() => bodyType(contentType)).toThrow(
      expect.objectContaining({
        code: 415,
        message:
          'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf',
      }) as never,
    ),
  );
});
