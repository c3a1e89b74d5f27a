import { describe, expect, test } from '@jest/globals';
import type { WebhookClientConfig } from '../../api/admissionregistration_v1.js';
import { kind as Pods } from '../../kinds/core/pod/kind.js';
import { kind as Services } from '../../kinds/core/service/kind.js';
import { kind as EndpointSlices } from '../../kinds/discovery/endpointslice/kind.js';
import { encodeBase64 } from '../../machinery/text/base64.js';
import {
  OutsideCallsNeeded,
  type OutsideCall,
  type PodHttpAnswer,
  type PodHttpRequest,
} from '../../machinery/requests/http.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { UnusableWebhook, WebhookFailure } from '../../machinery/requests/webhook.js';
import { createRequest, objectOf } from '../testing.js';
import { callWebhook, type Caller } from './client.js';

const CA = encodeBase64('-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n');
const SERVICE: WebhookClientConfig = { service: { namespace: 'default', name: 'hook', path: '/do' }, caBundle: CA };
const URL: WebhookClientConfig = { url: 'https://hook.example.com/do', caBundle: CA };
const STORED: KubeObject[] = [
  objectOf(Services, { metadata: { name: 'hook' }, spec: { ports: [{ port: 443, targetPort: 8443 }] } }),
  objectOf(EndpointSlices, {
    metadata: { labels: { 'kubernetes.io/service-name': 'hook' } },
    ports: [{ name: '', port: 8443 }],
    endpoints: [{ addresses: ['10.244.0.5'], targetRef: { kind: 'Pod', name: 'hook' } }],
  }),
  objectOf(Pods, { metadata: { name: 'hook' } }),
];
const OK: PodHttpAnswer = { status: 200, headers: {}, body: '{"kind":"AdmissionReview"}' };
const read = (stored: KubeObject[]): Caller['read'] => createRequest(Pods, {}, stored).client;
const caller = (fields: Partial<Caller> = {}): Caller => ({ read: read(STORED), dial: () => OK, now: 0, ...fields });
const call = (config: WebhookClientConfig, from: Caller): unknown =>
  callWebhook(config, { a: 1 }, 10, from, () => 'key');

test('a Service is called at its pod', () => {
  const requests: [string | undefined, PodHttpRequest][] = [];
  expect(call(SERVICE, caller({ dial: (pod, request) => (requests.push([pod.metadata.name, request]), OK) }))).toEqual({
    kind: 'AdmissionReview',
  });
  expect(requests).toEqual([
    [
      'hook',
      {
        scheme: 'https',
        port: 8443,
        method: 'POST',
        path: '/do?timeout=10s',
        headers: {
          host: 'hook.default.svc',
          accept: 'application/json, */*',
          'content-type': 'application/json',
          'user-agent': 'kube-apiserver-admission',
        },
        body: '{"a":1}',
      },
    ],
  ]);
});

describe('a URL', () => {
  test('is called from outside the engine', () => {
    const calls: OutsideCall[] = [];
    call(URL, caller({ outside: (outsideCall) => (calls.push(outsideCall), OK) }));
    expect(calls).toEqual([
      { key: 'key', url: 'https://hook.example.com/do?timeout=10s', caBundle: CA, timeoutSeconds: 10, body: '{"a":1}' },
    ]);
  });
  test('is waited for', () => {
    const wanted = new OutsideCallsNeeded([]);
    expect(() =>
      call(
        URL,
        caller({
          outside: () => {
            throw wanted;
          },
        }),
      ),
    ).toThrow(wanted);
  });
  test('is not called where nobody can', () =>
    expect(() => call(URL, caller())).toThrow(
      'Post "https://hook.example.com/do?timeout=10s": dial tcp: lookup hook.example.com: calls of addresses outside the cluster are switched off here; let a Service of the cluster answer',
    ));
});

const POST = 'Post "https://hook.default.svc:443/do?timeout=10s": ';
test.each<[string, WebhookClientConfig, Partial<Caller>, string]>([
  ['no Service', SERVICE, { read: read([]) }, `${POST}service "hook" not found`],
  [
    'no such port',
    { ...SERVICE, service: { ...SERVICE.service!, port: 44 } },
    {},
    'Post "https://hook.default.svc:44/do?timeout=10s": no service port 44 found for service "hook"',
  ],
  ['no endpoints', SERVICE, { read: read(STORED.slice(0, 1)) }, `${POST}no endpoints available for service "hook"`],
  [
    'no pod',
    SERVICE,
    { read: read(STORED.slice(0, 2)) },
    `${POST}dial tcp 10.244.0.5:8443: connect: connection refused`,
  ],
  ['a connection that breaks', SERVICE, { dial: () => ({ error: 'EOF' }) as never }, `${POST}EOF`],
  ['an answer that is late', SERVICE, { dial: () => ({ ...OK, delayMs: 10_000 }) }, `${POST}context deadline exceeded`],
  [
    'no authority',
    { service: SERVICE.service },
    {},
    `${POST}tls: failed to verify certificate: x509: certificate signed by unknown authority`,
  ],
])('%s fails the call', (_, config, fields, message) =>
  expect(() => call(config, caller(fields))).toThrow(new WebhookFailure(message)),
);

test('an authority that cannot be read fails before the call', () =>
  expect(() => call({ ...SERVICE, caBundle: encodeBase64('nonsense') }, caller())).toThrow(
    new UnusableWebhook('unable to load root certificates: unable to parse bytes as PEM block'),
  ));

const TYPE_META =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
test.each<[string, Partial<PodHttpAnswer>, string]>([
  ['401', { status: 401 }, 'the server has asked for the client to provide credentials'],
  ['403', { status: 403, body: 'no entry\n' }, 'no entry'],
  ['404', { status: 404 }, 'the server could not find the requested resource'],
  ['405', { status: 405 }, 'the server does not allow this method on the requested resource'],
  ['409', { status: 409 }, 'the server reported a conflict'],
  ['413', { status: 413 }, 'the server responded with the status code 413 but did not return more information'],
  ['415', { status: 415 }, 'the server was unable to respond with a content type that the client supports'],
  ['418', { status: 418 }, 'the server rejected our request for an unknown reason'],
  ['422', { status: 422 }, 'the server rejected our request due to an error in our request'],
  ['429', { status: 429 }, 'the server has received too many requests and has asked us to try again later'],
  ['500', { status: 500, body: 'boom\n' }, 'an error on the server ("boom") has prevented the request from succeeding'],
  ['502', { status: 502, body: '' }, 'an error on the server ("unknown") has prevented the request from succeeding'],
  ['503', { status: 503 }, 'the server is currently unable to handle the request'],
  [
    '504',
    { status: 504 },
    'the server was unable to return a response in the time allotted, but may still be processing the request',
  ],
  ['no body', { body: '' }, '0-length response with status code: 200 and content type: application/json'],
  [
    'a list',
    { body: '[]' },
    `couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type ${TYPE_META}`,
  ],
  [
    'no JSON',
    { body: 'hello' },
    `couldn't get version/kind; json parse error: json: cannot unmarshal string into Go value of type ${TYPE_META}`,
  ],
])('an answer of %s is a failure', (_, answer, message) =>
  expect(() => call(SERVICE, caller({ dial: () => ({ ...OK, ...answer }) }))).toThrow(new WebhookFailure(message)),
);
