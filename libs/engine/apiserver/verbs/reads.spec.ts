import { beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { configMap, deployment, PARTIAL, pod, TABLE, TestServer } from '../testing.js';

const server = new TestServer();
const MAPS = '/api/v1/namespaces/default/configmaps';
const token = (fields: object): string => Buffer.from(JSON.stringify(fields)).toString('base64url');

beforeAll(() => {
  for (const name of ['a', 'b', 'c']) server.post(MAPS, configMap(name, { letter: name }));
  server.post('/api/v1/namespaces/kube-system/configmaps', configMap('system'));
  server.post('/apis/apps/v1/namespaces/default/deployments', deployment('web', 3));
  server.post('/api/v1/namespaces/default/pods', pod('web'));
});

describe('what cannot be answered', () => {
  test.each([
    ['GET', '/api/v1/namespaces/default/pods/nope', 404, 'pods "nope" not found'],
    ['GET', '/apis/apps/v1/namespaces/default/deployments/nope', 404, 'deployments.apps "nope" not found'],
    ['GET', '/api/v1/nonsense', 404, 'the server could not find the requested resource'],
    ['GET', '/api/v1/namespaces/default/nodes', 404, 'the server could not find the requested resource'],
    ['GET', '/api/v1/namespaces/default/pods/web/nonsense', 404, 'the server could not find the requested resource'],
    ['POST', '/api/v1/pods', 405, 'the server does not allow this method on the requested resource'],
    [
      'GET',
      `${MAPS}?fieldSelector=data.a%3D1`,
      400,
      '"data.a" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ],
    ['GET', '/api/v1/pods?fieldSelector=spec.colour%3Dred', 400, 'field label not supported: spec.colour'],
    [
      'GET',
      '/api/v1/pods?labelSelector=a%20b',
      400,
      "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt",
    ],
    [
      'GET',
      '/api/v1/pods?resourceVersion=abc',
      400,
      'invalid resource version: resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
    ],
    ['GET', '/api/v1/pods?resourceVersion=99999', 504, /^Timeout: Too large resource version: 99999, current: \d+$/],
    ['GET', '/apis/apps/v2', 404, 'the server could not find the requested resource'],
    ['GET', '/api//v1/pods', 404, 'the server could not find the requested resource'],
    ['GET', `${MAPS}/%2e%2e`, 400, 'Name parameter invalid: "..": may not be \'..\''],
    ['GET', `${MAPS}?fieldSelector=metadata.name%3Da%5Cx`, 400, 'invalid field selector: invalid escape sequence: \\x'],
    [
      'GET',
      `${MAPS}?watch=1&continue=abc`,
      422,
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided',
    ],
    [
      'GET',
      '/api/v1/pods?resourceVersionMatch=Exact',
      422,
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
    ],
    [
      'GET',
      '/api/v1/pods?resourceVersion=99999999999999999999',
      400,
      'invalid resource version: resourceVersion: Invalid value: "99999999999999999999": strconv.ParseUint: parsing "99999999999999999999": value out of range',
    ],
    [
      'GET',
      '/api/v1/pods?limit=99999999999999999999',
      400,
      'strconv.ParseInt: parsing "99999999999999999999": value out of range',
    ],
    [
      'GET',
      '/api/v1/pods?continue=%21%21',
      400,
      'invalid continue token: continue key is not valid: illegal base64 data at input byte 0',
    ],
    [
      'GET',
      '/api/v1/pods?continue=abc',
      400,
      "invalid continue token: continue key is not valid: invalid character 'i' looking for beginning of value",
    ],
    [
      'GET',
      '/api/v1/pods?continue=e30',
      400,
      'invalid continue token: continue key is not valid: server does not recognize this encoded version ',
    ],
    [
      'GET',
      `/api/v1/pods?continue=${token({ v: 'meta.k8s.io/v1', rv: 1 })}`,
      400,
      'invalid continue token: continue key is not valid: encoded start key empty (version meta.k8s.io/v1)',
    ],
    [
      'GET',
      `/api/v1/pods?continue=${token({ v: 'meta.k8s.io/v1', start: 'a' })}`,
      400,
      'invalid continue token: continue key is not valid: incorrect encoded start resourceVersion (version meta.k8s.io/v1)',
    ],
    ['GET', '/api/v1/namespaces/default/pods/x/__proto__', 404, 'the server could not find the requested resource'],
    ['GET', '/api/v1/namespaces/default/pods/x/constructor', 404, 'the server could not find the requested resource'],
    ['GET', '/api/v1/pods?fieldSelector=constructor%3Da', 400, 'field label not supported: constructor'],
    ['GET', '/api/v1/namespaces/default/pods/x%ff', 404, 'pods "x\ufffd" not found'],
    ['GET', '/api/v1/namespaces/a%2fb/pods', 404, 'the server could not find the requested resource'],
    ['GET', '/api/v1/pods?limit=many', 400, 'strconv.ParseInt: parsing "many": invalid syntax'],
    ['GET', '/api/v1/namespaces/%zz/pods', 400, 'invalid URL escape "%zz"'],
  ])('%s %s: %d', (method, url, code, message) => {
    const { status, body } = server.call(method, url);
    expect(body).toMatchObject({
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      code,
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    });
    expect(status).toBe(code);
  });

  test.each([['/nonsense'], ['/apis/nonsense/v1/things'], ['//api/v1/pods']])('%s is a plain 404 page', (url) => {
    expect(server.get(url)).toMatchObject({ status: 404, text: '404 page not found\n' });
  });

  const AVAILABLE = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';
  const STREAMED = 'application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch';
  test.each([
    [MAPS, 'text/csv', `406: Not Acceptable\n\nAvailable representations: ${AVAILABLE}, ${STREAMED}`],
    [`${MAPS}/a`, 'text/csv', `406: Not Acceptable\n\nAvailable representations: ${AVAILABLE}`],
    [MAPS, 'application/json;as=Bogus;g=meta.k8s.io;v=v1', `only the following media types are accepted: ${AVAILABLE}`],
    [
      `${MAPS}?watch=1`,
      'application/json;as=Bogus;g=meta.k8s.io;v=v1',
      `only the following media types are accepted: ${AVAILABLE}`,
    ],
    [`${MAPS}?watch=1`, 'application/yaml;q=0.5', `only the following media types are accepted: ${STREAMED}`],
    [
      MAPS,
      'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
      'you requested PartialObjectMetadata, but the requested object is a list (*core.ConfigMapList)',
    ],
    [
      `${MAPS}/a`,
      'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
      'you requested PartialObjectMetadataList, but the requested object is not a list (*core.ConfigMap)',
    ],
    [
      `${MAPS}?includeObject=All`,
      TABLE.accept,
      "Unable to convert to Table as requested: includeObject: Invalid value: \"All\": must be 'Metadata', 'Object', 'None', or empty",
    ],
  ])('%s as %s', (url, accept, message) =>
    expect(
      JSON.stringify(server.call('GET', url, undefined, { accept }).body ?? parse(server.get(url, { accept }).text)),
    ).toContain(JSON.stringify(message)),
  );

  test('is told in the format that was asked for', () => {
    expect(server.get(`${MAPS}/nope`, { accept: 'application/vnd.kubernetes.protobuf' })).toMatchObject({
      status: 404,
      headers: { 'content-type': 'application/vnd.kubernetes.protobuf' },
    });
    expect(server.get(`${MAPS}/nope`, { accept: 'application/yaml' }).text).toContain('kind: Status\n');
    expect(
      server.get(`${MAPS}/nope`, { accept: 'application/yaml;as=Table;v=v1;g=meta.k8s.io,application/json' }).body.code,
    ).toBe(404);
  });
});

describe('lists', () => {
  const names = (body: { items: { metadata: { name: string } }[] }): string[] => body.items.map((i) => i.metadata.name);
  test.each([
    [MAPS, ['a', 'b', 'c']],
    [`${MAPS}?labelSelector=letter%20in%20(a,c)`, ['a', 'c']],
    [`${MAPS}?fieldSelector=metadata.name%3Db`, ['b']],
    [`${MAPS}?fieldSelector=metadata.name%21%3Db`, ['a', 'c']],
    ['/api/v1/configmaps?fieldSelector=metadata.namespace%3Dkube-system', ['system']],
    ['/api/v1/configmaps', ['a', 'b', 'c', 'system']],
    [`${MAPS}?limit=2`, ['a', 'b']],
    [`${MAPS}?resourceVersion=0`, ['a', 'b', 'c']],
  ])('%s', (url, expected) => {
    const { body } = server.get(url);
    expect(body).toMatchObject({ kind: 'ConfigMapList', apiVersion: 'v1' });
    expect(names(body)).toEqual(expected);
  });

  test("items carry no type, as Go's lists", () => expect(server.get(MAPS).body.items[0].kind).toBeUndefined());

  test('pages follow one revision, whatever is written between them', () => {
    const own = new TestServer();
    for (const name of ['a', 'b', 'c', 'd']) own.post(MAPS, configMap(name));
    const first = own.get(`${MAPS}?limit=2`).body;
    expect(first.metadata.remainingItemCount).toBe(2);
    own.call('DELETE', `${MAPS}/c`);
    own.post(MAPS, configMap('bb'));
    const second = own.get(`${MAPS}?limit=2&continue=${first.metadata.continue}`).body;
    expect(names(second)).toEqual(['c', 'd']);
    expect(second.metadata).toEqual({ resourceVersion: first.metadata.resourceVersion });
  });

  test.each([
    ['resourceVersionMatch=Exact', ['a', 'b']],
    ['limit=9', ['a', 'b']],
    ['limit=1', ['a']],
    ['limit=1&resourceVersionMatch=NotOlderThan', ['a']],
    ['resourceVersionMatch=NotOlderThan', ['a', 'c']],
    ['', ['a', 'c']],
  ])('of an earlier revision with %s', (options, expected) => {
    const own = new TestServer();
    for (const name of ['a', 'b']) own.post(MAPS, configMap(name));
    const then = own.get(MAPS).body.metadata.resourceVersion;
    own.call('DELETE', `${MAPS}/b`);
    own.post(MAPS, configMap('c'));
    expect(names(own.get(`${MAPS}?resourceVersion=${then}&${options}`).body)).toEqual(expected);
  });

  test('of resourceVersion 0 have no limit', () =>
    expect(names(server.get(`${MAPS}?resourceVersion=0&limit=1`).body)).toEqual(['a', 'b', 'c']));

  test('of a forgotten revision are 410; a token of it too, with one that goes on', () => {
    for (let i = 0; i < 2_100; i++)
      server.put('limitranges', {
        apiVersion: 'v1',
        kind: 'LimitRange',
        metadata: { name: 'e', namespace: 'default' },
      });
    expect(server.get(`${MAPS}?resourceVersion=1&resourceVersionMatch=Exact`).body).toMatchObject({
      code: 410,
      reason: 'Expired',
      message: 'The resourceVersion for the provided list is too old.',
    });
    const token = Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: 1, start: 'default/a\u0000' })).toString(
      'base64url',
    );
    const { status, body } = server.get(`${MAPS}?limit=2&continue=${token}`);
    expect([status, body.reason]).toEqual([410, 'Expired']);
    expect(names(server.get(`${MAPS}?continue=${body.metadata.continue}`).body)).toEqual(['b', 'c']);
  });
});

describe('other shapes', () => {
  test('a Table has columns and cells', () => {
    const { body } = server.get(MAPS, TABLE);
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
    const { object } = server.get(`${MAPS}/a?includeObject=${include}`, TABLE).body.rows[0];
    expect(object?.kind ?? null).toBe(kind);
  });
  test('metadata alone', () => {
    const { body } = server.get(MAPS, PARTIAL);
    expect(body.kind).toBe('PartialObjectMetadataList');
    expect(Object.keys(body.items[0])).toEqual(['kind', 'apiVersion', 'metadata']);
  });
  test('YAML and protobuf', () => {
    const yaml = server.get(`${MAPS}/a`, { accept: 'application/yaml' });
    expect([yaml.headers['content-type'], yaml.text]).toEqual([
      'application/yaml',
      expect.stringContaining('kind: ConfigMap\n'),
    ]);
    const proto = server.get(MAPS, { accept: 'application/vnd.kubernetes.protobuf,application/json' });
    expect(proto.headers['content-type']).toBe('application/vnd.kubernetes.protobuf');
    expect([...proto.bytes.subarray(0, 4)]).toEqual([0x6b, 0x38, 0x73, 0]);
  });
  test('pretty', () => expect(server.get(`${MAPS}/a?pretty=true`).text).toContain('\n  "kind": "ConfigMap",\n'));
});

test('the scale of a deployment', () => {
  expect(server.get('/apis/apps/v1/namespaces/default/deployments/web/scale').body).toMatchObject({
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name: 'web', namespace: 'default' },
    spec: { replicas: 3 },
    status: { replicas: 0, selector: 'app=web' },
  });
});
