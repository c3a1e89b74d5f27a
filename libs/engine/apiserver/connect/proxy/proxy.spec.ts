import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Endpoints, Node, Pod, Service } from '../../../api/core_v1.js';
import type { PodHttpRequest } from '../../../machinery/requests/http.js';
import { TestServer } from '../../testing.js';

const PODS = '/api/v1/namespaces/default/pods';
const SERVICES = '/api/v1/namespaces/default/services';

let server: TestServer;
let heard: (PodHttpRequest & { pod: string })[];

const stored = (kind: string, name: string, rest: object, namespace = 'default'): never =>
  ({ apiVersion: 'v1', kind, metadata: { name, ...(namespace ? { namespace } : {}) }, ...rest }) as never;
const pod = (name: string, podIP: string | undefined): Pod =>
  stored('Pod', name, {
    spec: { containers: [{ name: 'app' }, { name: 'web', ports: [{ containerPort: 8080 }] }] },
    status: { podIP },
  });
const endpoints = (name: string, subsets: Endpoints['subsets']): Endpoints => stored('Endpoints', name, { subsets });

beforeEach(() => {
  server = new TestServer();
  heard = [];
  Object.assign(server.server, {
    dial: (to: Pod, request: PodHttpRequest) => {
      heard.push({ ...request, pod: to.metadata.name! });
      if (request.port === 9) return { error: 'dial tcp 10.244.0.5:9: connect: connection refused' };
      return {
        status: request.path.startsWith('/missing') ? 404 : 200,
        headers: {
          'content-type': 'text/html',
          'x-own': '1',
          connection: 'close',
          ...(request.path.startsWith('/moved') ? { location: '/there' } : {}),
        },
        body: 'hello',
      };
    },
    kubelet: (node: Node, { path }: PodHttpRequest) => ({ status: 200, body: `${node.metadata.name} ${path}` }),
  });
  server.put('pods', pod('web', '10.244.0.5'));
  server.put('pods', pod('starting', undefined));
  server.put('pods', pod('looped', '127.0.0.1'));
  server.put(
    'nodes',
    stored('Node', 'worker', { spec: {}, status: { addresses: [{ type: 'InternalIP', address: '10.0.0.7' }] } }, ''),
  );
  server.put('services', stored('Service', 'web', { spec: { ports: [{ name: 'http', port: 80 }] } }) as Service);
  server.put(
    'endpoints',
    endpoints('web', [
      {
        addresses: [{ ip: '10.244.0.5', targetRef: { kind: 'Pod', name: 'web', namespace: 'default' } }],
        ports: [{ name: 'http', port: 8080 }],
      },
    ]),
  );
  server.put('endpoints', endpoints('empty', []));
  server.put('endpoints', endpoints('outside', [{ addresses: [{ ip: '192.168.1.1' }], ports: [{ port: 80 }] }]));
});

describe('pods/proxy', () => {
  it.each([
    ['GET', `${PODS}/web/proxy/`, 'http', 8080, '/'],
    ['GET', `${PODS}/web:81/proxy/a/?q=1&r=%20`, 'http', 81, '/a/?q=1&r=%20'],
    ['PUT', `${PODS}/https:web:8443/proxy/a%20b//../c`, 'https', 8443, '/c'],
    ['OPTIONS', `${PODS}/http:web:/proxy/x`, 'http', 8080, '/x'],
    ['GET', `${PODS}/web/proxy/100%25%3F`, 'http', 8080, '/100%25%3F'],
  ])('%s %s goes to %s port %s as %s', (method, url, scheme, port, path) => {
    expect(server.call(method, url).status).toBe(200);
    expect(heard).toMatchObject([{ pod: 'web', method, scheme, port, path }]);
  });

  it('passes on the body, the headers and the answer, but neither credentials nor what is of one connection', () => {
    const answer = server.call('POST', `${PODS}/web/proxy/missing`, 'sent', {
      authorization: 'Bearer x',
      connection: 'close',
      'content-type': 'text/plain',
      'x-mine': '2',
    });
    expect(heard[0]).toMatchObject({ body: 'sent', headers: { 'content-type': 'text/plain', 'x-mine': '2' } });
    expect(Object.keys(heard[0]!.headers)).not.toEqual(expect.arrayContaining(['authorization']));
    expect(answer).toMatchObject({
      status: 404,
      text: 'hello',
      headers: { 'content-type': 'text/html', 'x-own': '1' },
    });
    expect(answer.headers).not.toHaveProperty('connection');
  });

  it.each([
    [`${PODS}/web/proxy`, 301, 'proxy/'],
    [`${PODS}/web/proxy?x=1`, 301, 'proxy/?x=1'],
    [`${PODS}/web/proxy/moved`, 200, 'there'],
    [`${PODS}/web/proxy/moved/far/away`, 200, '../../there'],
  ])('%s leads on with %s to %s', (url, status, location) => {
    expect(server.get(url)).toMatchObject({ status, headers: { location } });
  });

  it.each([
    [`${PODS}/web:9/proxy/`, 503, 'error trying to reach service: dial tcp 10.244.0.5:9: connect: connection refused'],
    [`${PODS}/web:nope/proxy/`, 503, 'error trying to reach service: dial tcp: lookup tcp/nope: unknown port'],
    [`${PODS}/starting/proxy/`, 400, 'address not allowed'],
    [`${PODS}/looped/proxy/`, 400, 'address not allowed'],
    [`${PODS}/ftp:web:1/proxy/`, 400, 'invalid pod request "ftp:web:1"'],
    [`${PODS}/a:b:c:d/proxy/`, 400, 'invalid pod request "a:b:c:d"'],
    [`${PODS}/none/proxy/`, 404, 'pods "none" not found'],
    [`${PODS}/web/proxy/x?dryRun=All`, 400, 'dryRun is not supported'],
  ])('%s is answered %s: %s', (url, code, message) => {
    expect(server.get(url).body).toMatchObject({ code, message });
  });
});

describe('services/proxy', () => {
  it.each(['web:http', 'web:80', 'http:web:http', 'https:web:80'])(
    '%s reaches the target port of a ready pod',
    (name) => {
      expect(server.get(`${SERVICES}/${name}/proxy/x`).text).toBe('hello');
      expect(heard).toMatchObject([{ pod: 'web', port: 8080, path: '/x' }]);
    },
  );

  it.each([
    ['web', 503, 'no endpoints available for service "web"'],
    ['web:81', 503, 'no service port 81 found for service "web"'],
    ['empty', 503, 'no endpoints available for service "empty"'],
    ['outside', 503, 'no endpoints available for service "outside"'],
    ['none', 404, 'endpoints "none" not found'],
    ['none:80', 404, 'services "none" not found'],
    ['x:y:z', 400, 'invalid service request "x:y:z"'],
  ])('%s is answered %s: %s', (name, code, message) => {
    expect(server.get(`${SERVICES}/${name}/proxy/`).body).toMatchObject({ code, message });
  });
});

describe('nodes/proxy', () => {
  it.each(['worker', 'worker:10250', 'https:worker:10250'])('%s reaches the kubelet', (name) => {
    expect(server.get(`/api/v1/nodes/${name}/proxy/healthz?verbose`).text).toBe('worker /healthz?verbose');
  });

  it('finds nobody at other ports', () => {
    expect(server.get('/api/v1/nodes/worker:9100/proxy/').body).toMatchObject({
      code: 503,
      message: 'error trying to reach service: dial tcp 10.0.0.7:9100: connect: connection refused',
    });
  });
});

describe('what comes back', () => {
  const answer = (own: object): void =>
    void Object.assign(server.server, { dial: () => ({ status: 200, ...own }), reach: undefined });
  const HTML = { 'content-type': 'text/html; charset=utf-8' };

  it('is a page whose links lead through the proxy', () => {
    answer({ headers: HTML, body: '<a href="/rewriteme">test</a><a href="//other/">' });
    expect(server.raw('GET', `${PODS}/web:160/proxy/`)).toMatchObject({
      body: `<a href="${PODS}/web:160/proxy/rewriteme">test</a><a href="//other/">`,
    });
  });

  it('is such a page in bytes, too', () => {
    answer({ headers: HTML, body: '', bytes: '<a href="/rewriteme">gr\xc3\xbcn</a>' });
    const { body } = server.raw('GET', `${PODS}/web:160/proxy/`) as { body: Uint8Array };
    expect(Buffer.from(body).toString()).toBe(`<a href="${PODS}/web:160/proxy/rewriteme">grün</a>`);
  });

  it('keeps cookies apart, and bytes that are no text', () => {
    answer({ headers: { 'set-cookie': 'a=1\nb=2' }, body: '\ufffd', bytes: '\xff' });
    expect(server.raw('GET', `${PODS}/web/proxy/`)).toMatchObject({
      headers: { 'set-cookie': ['a=1', 'b=2'] },
      body: Uint8Array.of(255),
    });
  });

  it('is awaited by the host when it is not there yet, or the connection is upgraded', () => {
    const session = { namespace: 'default', pod: 'web', uid: 'u', id: '1' };
    Object.assign(server.server, { reach: () => ({ session, unsent: 'x' }) });
    const response = server.raw('GET', `${PODS}/web/proxy/`, undefined, {
      upgrade: 'websocket',
      connection: 'Upgrade',
    });
    expect(response).toMatchObject({ type: 'proxied', pending: { session, unsent: 'x' }, isUpgrade: true });
  });
});
