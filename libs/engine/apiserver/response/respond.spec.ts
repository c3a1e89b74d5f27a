import { describe, expect, test } from '@jest/globals';
import { ConfigMaps } from '../../kinds/index.js';
import type { Kind } from '../../machinery/kind.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { decodeProtobuf } from '../../schema/index.js';
import type { Call } from '../call.js';
import { negotiate } from '../request/negotiate.js';
import { Query } from '../../machinery/requests/query.js';
import { asOfNow, objectResponse, textResult } from './respond.js';

const NOW = Date.UTC(2026, 0, 2);
const OBJECT = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', creationTimestamp: '2026-01-01T00:00:00Z', resourceVersion: '7' },
  data: { x: '1' },
} as unknown as KubeObject;

function callOf(accept?: string, query = '', kind: Kind = ConfigMaps, warnings: string[] = []): Call {
  const output = negotiate(accept, { protobuf: true, convertible: true });
  const request = { headers: {} };
  return { kind, output, query: new Query(query), request, warnings, now: NOW, server: {} } as unknown as Call;
}

describe('objectResponse', () => {
  test('is JSON', () => {
    const { status, headers, body } = objectResponse(callOf(), 201, OBJECT);
    expect([status, headers['content-type']]).toEqual([201, 'application/json']);
    expect(body).toMatch(/^\{"kind":"ConfigMap","apiVersion":"v1","metadata":.*\}\n$/);
  });

  test('is YAML', () =>
    expect(objectResponse(callOf('application/yaml'), 200, OBJECT).body).toMatch(
      /^apiVersion: v1\ndata:\n {2}x: '1'\n/,
    ));

  test('is protobuf, with its warnings', () => {
    const call = callOf('application/vnd.kubernetes.protobuf', '', ConfigMaps, ['careful']);
    const { headers, body } = objectResponse(call, 200, OBJECT);
    expect(headers).toMatchObject({
      'content-type': 'application/vnd.kubernetes.protobuf',
      warning: ['299 - "careful"'],
    });
    expect(decodeProtobuf(body as Uint8Array, ConfigMaps.definition).value).toMatchObject({ data: { x: '1' } });
  });

  test('is a Table of one row', () => {
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    const table = JSON.parse(String(objectResponse(callOf(accept, 'includeObject=None'), 200, OBJECT).body));
    expect(table).toMatchObject({
      kind: 'Table',
      metadata: { resourceVersion: '7' },
      rows: [{ cells: ['a', 1, '24h'], object: null }],
    });
  });

  test('is the metadata alone', () => {
    const accept = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
    expect(JSON.parse(String(objectResponse(callOf(accept), 200, OBJECT).body))).toEqual({
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
      metadata: OBJECT.metadata,
    });
  });
});

test('asOfNow lets the kind add what follows from the time', () => {
  const kind = {
    ...ConfigMaps,
    asOf: (object: KubeObject, now: number) => ({ ...object, data: { now: String(now) } }),
  } as unknown as Kind;
  expect(asOfNow(callOf(undefined, '', kind), OBJECT)).toMatchObject({ data: { now: String(NOW) } });
  expect(asOfNow(callOf(), OBJECT)).toBe(OBJECT);
});

test('textResult is indented when the query says so, and carries the warnings', () => {
  const { headers, body } = textResult(callOf(undefined, 'pretty=1', ConfigMaps, ['w']), 200, '{"a":1}');
  expect([headers['warning'], body]).toEqual([['299 - "w"'], '{\n  "a": 1\n}\n']);
});
