import { beforeAll, describe, expect, test } from '@jest/globals';
import type { BodyResponse } from '../../../machinery/requests/http.js';
import { handle } from '../../handle.js';
import { CONFIG_MAPS, configMap, PARTIAL, TABLE, TestServer } from '../../testing.js';

const server = new TestServer();

beforeAll(() => {
  for (const name of ['a', 'b', 'c']) server.post(CONFIG_MAPS, configMap(name, { letter: name }));
});

describe('a list in another shape', () => {
  test('a Table has columns and cells', () => {
    const { body } = server.get(CONFIG_MAPS, TABLE);
    expect(body).toMatchObject({ kind: 'Table', apiVersion: 'meta.k8s.io/v1' });
    expect(body.columnDefinitions.map((c: { name: string }) => c.name)).toEqual(['Name', 'Data', 'Age']);
    expect(body.columnDefinitions[0]).toMatchObject({ type: 'string', format: 'name', priority: 0 });
    expect(body.rows[0].cells).toEqual(['a', 1, '0s']);
    expect(body.rows[0].object).toMatchObject({ kind: 'PartialObjectMetadata', metadata: { name: 'a' } });
  });
  test.each([
    ['None', null],
    ['Object', 'ConfigMap'],
    ['Metadata', 'PartialObjectMetadata'],
  ])('includeObject=%s', (include, kind) => {
    const { object } = server.get(`${CONFIG_MAPS}/a?includeObject=${include}`, TABLE).body.rows[0];
    expect(object?.kind ?? null).toBe(kind);
  });
  test('metadata alone', () => {
    const { body } = server.get(CONFIG_MAPS, PARTIAL);
    expect(body.kind).toBe('PartialObjectMetadataList');
    expect(Object.keys(body.items[0])).toEqual(['kind', 'apiVersion', 'metadata']);
  });
  test('YAML and protobuf', () => {
    const yaml = server.get(`${CONFIG_MAPS}/a`, { accept: 'application/yaml' });
    expect([yaml.headers['content-type'], yaml.text]).toEqual([
      'application/yaml',
      expect.stringContaining('kind: ConfigMap\n'),
    ]);
    const proto = server.get(CONFIG_MAPS, { accept: 'application/vnd.kubernetes.protobuf,application/json' });
    expect(proto.headers['content-type']).toBe('application/vnd.kubernetes.protobuf');
    expect([...proto.bytes.subarray(0, 4)]).toEqual([0x6b, 0x38, 0x73, 0]);
  });
  test('pretty', () => expect(server.get(`${CONFIG_MAPS}/a?pretty=true`).text).toContain('\n  "kind": "ConfigMap",\n'));

  test("a deprecated version's warning is in every format", () => {
    for (const accept of ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'])
      expect(server.get('/api/v1/namespaces/default/endpoints', { accept }).headers['warning']).toEqual([
        '299 - "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"',
      ]);
  });
});

function list({ server, state }: TestServer, accept: string, query = ''): BodyResponse {
  const user = { name: 'admin', groups: ['system:masters'] };
  const request = { method: 'GET', path: CONFIG_MAPS, query, headers: { accept }, user };
  return handle(server, request, state.now) as BodyResponse;
}

test('a list of a few large objects is made in pieces, that of small ones at once', () => {
  const large = new TestServer();
  for (let i = 0; i < 8; i++)
    large.post(CONFIG_MAPS, { ...(configMap(`c${i}`) as object), data: { a: 'x'.repeat(100_000) } });
  const response = list(large, 'application/json');
  expect([...response.prepare!()]).toHaveLength(4);
  expect(JSON.parse(response.body as string)).toEqual(large.get(CONFIG_MAPS).body);
  expect(list(server, 'application/json').prepare).toBeUndefined();
});

describe('a large list', () => {
  const large = new TestServer();
  beforeAll(() => {
    for (let i = 0; i < 250; i++) large.post(CONFIG_MAPS, configMap(`c${i}`, { letter: 'a' }));
  });
  test.each([
    ['JSON', 'application/json'],
    ['indented JSON', 'application/json', 'pretty=true'],
    ['YAML', 'application/yaml'],
    ['a Table', TABLE.accept],
    ['an indented Table', TABLE.accept, 'pretty=true'],
    ['metadata alone', PARTIAL.accept],
    ['protobuf', 'application/vnd.kubernetes.protobuf,application/json'],
  ])('is the same in pieces as at once: %s', (_, accept, query = '') => {
    const [inPieces, atOnce] = [list(large, accept, query), list(large, accept, query)];
    expect([...inPieces.prepare!()]).toHaveLength(2);
    expect([inPieces.headers, inPieces.body]).toEqual([atOnce.headers, atOnce.body]);
    if (query !== '') expect(inPieces.body).toBe(`${JSON.stringify(JSON.parse(String(inPieces.body)), null, 2)}\n`);
  });
  test('a wrong parameter is refused before anything is printed', () => {
    expect(large.get(`${CONFIG_MAPS}?includeObject=All`, TABLE).status).toBe(400);
  });
});
