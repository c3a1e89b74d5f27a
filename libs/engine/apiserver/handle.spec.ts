import { beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { CONFIG_MAPS, configMap, deployment, pod, TABLE, TestServer } from './testing.js';

const server = new TestServer();
const token = (fields: object): string => Buffer.from(JSON.stringify(fields)).toString('base64url');

beforeAll(() => {
  for (const name of ['a', 'b', 'c']) server.post(CONFIG_MAPS, configMap(name, { letter: name }));
  server.post('/api/v1/namespaces/kube-system/configmaps', configMap('system'));
  server.post('/apis/apps/v1/namespaces/default/deployments', deployment('web', 3));
  server.post('/api/v1/namespaces/default/pods', pod('web'));
});

describe('a request that is refused', () => {
  test.each([
    ['GET', '/api/v1/namespaces/default/pods/nope', 404, 'pods "nope" not found'],
    ['GET', '/apis/apps/v1/namespaces/default/deployments/nope', 404, 'deployments.apps "nope" not found'],
    ['GET', '/api/v1/nonsense', 404, 'the server could not find the requested resource'],
    ['GET', '/api/v1/namespaces/default/nodes', 404, 'the server could not find the requested resource'],
    ['GET', '/api/v1/namespaces/default/pods/web/nonsense', 404, 'the server could not find the requested resource'],
    ['POST', '/api/v1/pods', 405, 'the server does not allow this method on the requested resource'],
    [
      'GET',
      `${CONFIG_MAPS}?fieldSelector=data.a%3D1`,
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
    ['GET', `${CONFIG_MAPS}/%2e%2e`, 400, 'Name parameter invalid: "..": may not be \'..\''],
    [
      'GET',
      `${CONFIG_MAPS}?fieldSelector=metadata.name%3Da%5Cx`,
      400,
      'invalid field selector: invalid escape sequence: \\x',
    ],
    [
      'GET',
      `${CONFIG_MAPS}?watch=1&continue=abc`,
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
    [CONFIG_MAPS, 'text/csv', `406: Not Acceptable\n\nAvailable representations: ${AVAILABLE}, ${STREAMED}`],
    [`${CONFIG_MAPS}/a`, 'text/csv', `406: Not Acceptable\n\nAvailable representations: ${AVAILABLE}`],
    [
      CONFIG_MAPS,
      'application/json;as=Bogus;g=meta.k8s.io;v=v1',
      `only the following media types are accepted: ${AVAILABLE}`,
    ],
    [
      `${CONFIG_MAPS}?watch=1`,
      'application/json;as=Bogus;g=meta.k8s.io;v=v1',
      `only the following media types are accepted: ${AVAILABLE}`,
    ],
    [`${CONFIG_MAPS}?watch=1`, 'application/yaml;q=0.5', `only the following media types are accepted: ${STREAMED}`],
    [
      CONFIG_MAPS,
      'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
      'you requested PartialObjectMetadata, but the requested object is a list (*core.ConfigMapList)',
    ],
    [
      `${CONFIG_MAPS}/a`,
      'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
      'you requested PartialObjectMetadataList, but the requested object is not a list (*core.ConfigMap)',
    ],
    [
      `${CONFIG_MAPS}?includeObject=All`,
      TABLE.accept,
      "Unable to convert to Table as requested: includeObject: Invalid value: \"All\": must be 'Metadata', 'Object', 'None', or empty",
    ],
  ])('%s as %s', (url, accept, message) =>
    expect(
      JSON.stringify(server.call('GET', url, undefined, { accept }).body ?? parse(server.get(url, { accept }).text)),
    ).toContain(JSON.stringify(message)),
  );

  test('is answered in the format that it accepts', () => {
    expect(server.get(`${CONFIG_MAPS}/nope`, { accept: 'application/vnd.kubernetes.protobuf' })).toMatchObject({
      status: 404,
      headers: { 'content-type': 'application/vnd.kubernetes.protobuf' },
    });
    expect(server.get(`${CONFIG_MAPS}/nope`, { accept: 'application/yaml' }).text).toContain('kind: Status\n');
    expect(
      server.get(`${CONFIG_MAPS}/nope`, { accept: 'application/yaml;as=Table;v=v1;g=meta.k8s.io,application/json' })
        .body.code,
    ).toBe(404);
  });
});
