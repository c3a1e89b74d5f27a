import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { hex, sha256 } from '../../machinery/crypto/sha256.js';
import { notFound, tooManyRequests } from '../../machinery/meta/status.js';
import { decodeProtobuf } from '../../schema/index.js';
import { Query } from '../../machinery/requests/query.js';
import {
  isPretty,
  isPrettyUnparsed,
  jsonResponse,
  notFoundPage,
  statusResponse,
  textResponse,
  warningHeaders,
  etagOf,
  withEtag,
  withWarnings,
} from './writers.js';

const ERROR = notFound({ group: 'apps', plural: 'deployments' } as never, 'web');
const STATUS = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'deployments.apps "web" not found',
  reason: 'NotFound',
  details: { name: 'web', group: 'apps', kind: 'deployments' },
  code: 404,
};

describe('jsonResponse', () => {
  test('ends with a line feed, as Go encodes', () =>
    expect(jsonResponse(200, '{"a":1}')).toEqual({
      type: 'body',
      status: 200,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-cache, private' },
      body: '{"a":1}\n',
    }));
  test('may be indented', () =>
    expect(jsonResponse(200, '{"a":[1]}', 'json', true).body).toBe('{\n  "a": [\n    1\n  ]\n}\n'));
  test('is YAML as it is when it is long: to print it in block style would hold the thread', () => {
    const items = Array.from({ length: 60_000 }, (_, i) => ({ name: `pod-${i}`, labels: { app: 'web' } }));
    const text = JSON.stringify({ kind: 'PodList', items });
    const { body, headers } = jsonResponse(200, text, 'yaml');
    expect([body, headers['content-type']]).toEqual([`${text}\n`, 'application/yaml']);
    expect(parse(text.slice(0, text.indexOf('},{')) + '}]}')).toEqual({ kind: 'PodList', items: items.slice(0, 1) });
  });
  test('may be YAML: keys in order, lists not indented', () =>
    expect(jsonResponse(201, '{"b":["x","1"],"a":null}', 'yaml', true)).toMatchObject({
      status: 201,
      headers: { 'content-type': 'application/yaml' },
      body: "a: null\nb:\n- x\n- '1'\n",
    }));
});

test('textResponse', () =>
  expect(textResponse(500, 'oops')).toEqual({
    type: 'body',
    status: 500,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
    body: 'oops',
  }));

test('notFoundPage', () => expect(notFoundPage()).toMatchObject({ status: 404, body: '404 page not found\n' }));

describe('statusResponse', () => {
  test('is a Status', () => {
    const { status, body } = statusResponse(ERROR);
    expect([status, JSON.parse(String(body))]).toEqual([404, STATUS]);
  });
  test('in protobuf', () => {
    const { headers, body } = statusResponse(ERROR, 'protobuf');
    expect(headers['content-type']).toBe('application/vnd.kubernetes.protobuf');
    expect(decodeProtobuf(body as Uint8Array, 'io.k8s.apimachinery.pkg.apis.meta.v1.Status').value).toMatchObject(
      STATUS,
    );
  });
  test('says when to try again', () => {
    expect(statusResponse(tooManyRequests('wait', 7)).headers['retry-after']).toBe('7');
    expect(statusResponse(ERROR).headers).not.toHaveProperty('retry-after');
  });
});

describe('withEtag', () => {
  const etag = `"${hex(sha256('{}')).toUpperCase()}"`;
  const response = jsonResponse(200, '{}');
  test('adds the hash of the text', () =>
    expect(withEtag({ headers: {} }, response, etagOf('{}'))).toEqual({
      ...response,
      headers: { ...response.headers, etag, vary: 'Accept' },
    }));
  test('is 304 for a client that has it', () =>
    expect(withEtag({ headers: { 'if-none-match': etag } }, response, etagOf('{}'))).toMatchObject({
      status: 304,
      body: '',
    }));
  test('is whole for a client that has another', () =>
    expect(withEtag({ headers: { 'if-none-match': '"x"' } }, response, etagOf('{}')).status).toBe(200));
});

test.each<[string, string | undefined, boolean]>([
  ['', undefined, false],
  ['', 'kubectl/v1.36.3', false],
  ['', 'curl/8.0', true],
  ['', 'Wget/1.21', true],
  ['', 'Mozilla/5.0 (X11)', true],
  ['pretty', undefined, true],
  ['pretty=true', undefined, true],
  ['pretty=', undefined, true],
  ['pretty=0', 'curl/8.0', false],
  ['watch=1&pretty=FALSE', 'curl/8.0', false],
])('%j for %s is pretty: %s', (query, agent, expected) => {
  const headers = { 'user-agent': agent };
  expect(isPretty(new Query(query), headers)).toBe(expected);
  expect(isPrettyUnparsed({ query, headers })).toBe(expected);
});

describe('warnings', () => {
  test('are quoted', () =>
    expect(warningHeaders(['say "x"\\', 'two\nlines'])).toEqual({
      warning: ['299 - "say \\"x\\"\\\\"', '299 - "two lines"'],
    }));
  test('have 4,096 characters in all', () =>
    expect(warningHeaders(['a'.repeat(4_000), 'b'.repeat(96), 'c'])).toEqual({
      warning: [`299 - "${'a'.repeat(4_000)}"`, `299 - "${'b'.repeat(96)}"`],
    }));
  test('are added to a response', () => {
    const response = textResponse(200, 'ok');
    expect(withWarnings(['w'], response).headers).toEqual({ ...response.headers, warning: ['299 - "w"'] });
    expect(withWarnings([], response)).toBe(response);
  });
});
