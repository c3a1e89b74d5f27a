import { expect, test } from '@jest/globals';
import type { Endpoint } from '../../../api/discovery_v1.js';
import type { KubeObject } from '../../../machinery/meta/object.js';
import { readerOf } from '../../../node/kubelet/testing.js';
import type { ApiRequest, BodyResponse, PodHttpRequest } from '../../../machinery/requests/http.js';
import type { Server } from '../../server.js';
import { findTarget, serveOutside } from './outside.js';

const ingress = (name: string, host: string, ip: string | undefined): KubeObject =>
  ({
    ...{ apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: { name, namespace: 'shop' } },
    spec: { rules: [{ host }] },
    status: { loadBalancer: ip === undefined ? {} : { ingress: [{ ip }] } },
  }) as never;
const nodeAt = (name: string, address: string): KubeObject =>
  ({
    ...{ apiVersion: 'v1', kind: 'Node', metadata: { name } },
    ...{ spec: {}, status: { addresses: [{ type: 'InternalIP', address }] } },
  }) as never;
/** A Service that keeps traffic local. */
const local = (name: string, nodePort: number): KubeObject =>
  ({
    ...{ apiVersion: 'v1', kind: 'Service', metadata: { name, namespace: 'shop' } },
    spec: { externalTrafficPolicy: 'Local', ports: [{ port: 80, protocol: 'TCP', nodePort }] },
  }) as never;
const slice = (name: string, endpoints: readonly Endpoint[]): KubeObject =>
  ({
    ...{ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice' },
    metadata: { name: `${name}-1`, namespace: 'shop', labels: { 'kubernetes.io/service-name': name } },
    endpoints,
  }) as never;
const on = (nodeName: string, conditions: Endpoint['conditions']): Endpoint => ({
  ...{ addresses: ['10.244.1.2'], nodeName, conditions },
});
const ENDING = { ready: false, serving: true, terminating: true };
const read = readerOf(
  nodeAt('worker-1', '172.18.0.3'),
  nodeAt('worker-2', '172.18.0.4'),
  local('ready', 30_090),
  slice('ready', [on('worker-1', { ready: false }), on('worker-2', { ready: true })]),
  local('ending', 30_091),
  slice('ending', [on('worker-2', ENDING)]),
  local('empty', 30_092),
  {
    ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'door', namespace: 'shop' } },
    spec: { clusterIP: '10.96.0.7', clusterIPs: ['10.96.0.7'], ports: [{ port: 80, nodePort: 30_080 }] },
  } as never,
  {
    ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'lb', namespace: 'shop' } },
    spec: { clusterIP: '10.96.0.8', clusterIPs: ['10.96.0.8'], ports: [{ port: 80, nodePort: 30_081 }] },
    status: { loadBalancer: { ingress: [{ ip: '172.18.255.200' }] } },
  } as never,
  ingress('balanced', 'a.test', '172.18.255.200'),
  ingress('by-port', 'b.test', '10.96.0.7'),
  ingress('wild', '*.c.test', '172.18.255.201'),
  ingress('waiting', 'd.test', undefined),
);

test.each([
  ['30080', '172.18.0.3:30080 as 172.18.0.3:30080'],
  ['30090', '172.18.0.4:30090 as 172.18.0.4:30090'],
  ['30091', '172.18.0.4:30091 as 172.18.0.4:30091'],
  ['30092', '172.18.0.3:30092 as 172.18.0.3:30092'],
  ['172.18.0.3:30090', '172.18.0.3:30090 as 172.18.0.3:30090'],
  ['172.18.255.200', '172.18.0.3:30081 as 172.18.255.200'],
  ['172.18.0.3:31000', '172.18.0.3:31000 as 172.18.0.3:31000'],
  ['a.test', '172.18.0.3:30081 as a.test'],
  ['A.test', '172.18.0.3:30081 as A.test'],
  ['b.test', '172.18.0.3:30080 as b.test'],
  ['x.c.test', '172.18.255.201:80 as x.c.test'],
  ['https:x.c.test', '172.18.255.201:443 as x.c.test'],
  ['x.c.test:443', '172.18.255.201:443 as x.c.test:443'],
  ['https:30080', '172.18.0.3:30080 as 172.18.0.3:30080'],
  ['x\r\ny.c.test', 'nothing'],
  ['d.test', 'nothing'],
  ['e.test', 'nothing'],
  ['0', 'nothing'],
  ['a.test:99999', 'nothing'],
  ['', 'nothing'],
])('%j from outside is %s', (where, expected) => {
  const found = findTarget(read, where);
  expect(found ? `${found.address}:${found.port} as ${found.host}` : 'nothing').toBe(expected);
});

const serve = (
  path: string,
  answer: object,
  seen: (address: string, request: PodHttpRequest) => void = () => {},
  visit?: ApiRequest['visit'],
) => {
  const enter: Server['enter'] = (address, request) => {
    seen(address, request);
    return answer as ReturnType<NonNullable<Server['enter']>>;
  };
  const headers = { authorization: 'Bearer x', accept: '*/*', host: 'service.test' };
  const request = { method: 'GET', path: `/outside/${path}`, query: 'q=1', headers, visit } as unknown as ApiRequest;
  return serveOutside({ state: read, enter } as unknown as Server, request, 0) as BodyResponse;
};

test.each([
  ['30080', '/?q=1'],
  ['30080/', '/?q=1'],
  ['30080/a%20b/c%3Fd', '/a%20b/c%3Fd?q=1'],
  ['172.18.0.3%3A30080/a', '/a?q=1'],
])('%s asks for %s, as the node is called, and without credentials', (path, expected) => {
  let seen: PodHttpRequest | undefined;
  expect(serve(path, { status: 200, body: 'web' }, (_address, request) => (seen = request)).body).toBe('web');
  expect([seen?.path, seen?.headers['host'], seen?.headers['authorization']]).toEqual([
    ...[expected, '172.18.0.3:30080'],
    undefined,
  ]);
});

test.each([
  ['30080', '/login', './30080/login'],
  ['30080/', '/login', 'login'],
  ['30080/a/b', '/login', '../login'],
  ['30080/a/b', 'http://172.18.0.3:30080/login', '../login'],
  ['a.test/a', 'http://a.test/a/', 'a/'],
  ['30080/a', 'next', 'next'],
  ['a.test/a/b', 'https://a.test/c', '../../https:a.test/c'],
  ['https:a.test/a', 'http://a.test/', '../a.test/'],
  ['https:a.test/a', 'https://a.test/b', 'b'],
  ['30080/', 'https://example.com/', 'https://example.com/'],
])('from %s a redirect to %s leads to %s', (path, location, expected) => {
  expect(serve(path, { status: 302, headers: { location } }).headers?.['location']).toBe(expected);
});

test.each([
  ['30080/', 'no answer from 172.18.0.3:30080: dial tcp: i/o timeout'],
  ['e.test/', 'nothing in the cluster is called "e.test"'],
])('%s: %s', (path, message) => {
  expect(() => serve(path, { error: 'dial tcp: i/o timeout' })).toThrow(message);
});

const VISIT = { host: 'a.test.c1.base:9', authorization: 'Basic eA==' };

test('who comes by a host of its own brings credentials for the server', () => {
  let seen: PodHttpRequest | undefined;
  serve('a.test/', { status: 200 }, (_address, request) => (seen = request), VISIT);
  expect(seen?.headers['authorization']).toBe('Basic eA==');
});

test.each([
  ['https://a.test/x', 'https://a.test.c1.base:9/x'],
  ['http://a.test/x', 'x'],
  ['/x', 'x'],
])('by a host of its own a redirect to %s leads to %s', (location, expected) => {
  const answer = serve('a.test/', { status: 302, headers: { location } }, undefined, VISIT);
  expect(answer.headers?.['location']).toBe(expected);
});

test.each([
  ['by path', undefined, ['a=b; HttpOnly', 'c=d']],
  ['by a host of its own', VISIT, ['a=b; Path=/; HttpOnly', 'c=d']],
])('cookies stay with who sets them, %s', (_case, visit, expected) => {
  const headers = { 'set-cookie': 'a=b; Path=/; Domain=base; HttpOnly\nc=d; domain=base' };
  expect(serve('a.test/', { status: 200, headers }, undefined, visit).headers?.['set-cookie']).toEqual(expected);
});

test.each([
  [{ 'x-a': 'b\r\u0000c\u007f' }, 'x-a', 'bc'],
  [{ 'x-a': 'ü' }, 'x-a', '\u00c3\u00bc'],
  [{ 'x a\n': 'b' }, 'x a\n', undefined],
])('a header %j is one line of bytes, or none', (headers, name, expected) => {
  expect(serve('a.test/', { status: 200, headers }).headers?.[name]).toBe(expected);
});

test.each([99, 101, 600, 999])('an answer with status %d is none', (status) => {
  expect(serve('a.test/', { status }).status).toBe(502);
});
