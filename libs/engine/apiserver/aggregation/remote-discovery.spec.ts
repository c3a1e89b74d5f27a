import { beforeEach, expect, test } from '@jest/globals';
import type { PodHttpAnswer, PodHttpRequest } from '../../machinery/requests/http.js';
import { TestServer } from '../testing.js';
import { MAX_ASKED } from './remote-services.js';

const RESOURCES = [
  { name: 'flunders', singularName: 'flunder', namespaced: true, kind: 'Flunder', verbs: ['get', 'list'] },
  { name: 'flunders/status', singularName: '', namespaced: true, kind: 'Flunder', verbs: ['get'] },
  { name: 'broken' },
];
const OPENAPI = { paths: { 'apis/x.io/v1': { serverRelativeURL: '/openapi/v3/apis/x.io/v1?hash=1' }, other: {} } };
const SERVED: Readonly<Record<string, unknown>> = {
  '/apis/x.io/v1': { resources: RESOURCES },
  '/openapi/v3': OPENAPI,
  '/openapi/v3/apis/x.io/v1': { openapi: '3.0.0' },
};

let server: TestServer;
let asked: PodHttpRequest[];
let serve: (request: PodHttpRequest) => PodHttpAnswer | { error: string };

beforeEach(() => {
  asked = [];
  serve = ({ path }) => ({ status: path in SERVED ? 200 : 404, body: JSON.stringify(SERVED[path]) });
  server = new TestServer(undefined, (_pod, request) => {
    asked.push(request);
    return serve(request);
  });
  server.post('/api/v1/namespaces/default/pods', {
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'c', image: 'own' }] },
  });
  server.post('/api/v1/namespaces/default/services', { metadata: { name: 's' }, spec: { ports: [{ port: 443 }] } });
  server.post('/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', {
    metadata: { name: 's', labels: { 'kubernetes.io/service-name': 's' } },
    addressType: 'IPv4',
    ports: [{ name: '', port: 8443 }],
    endpoints: [{ addresses: ['10.244.1.2'], targetRef: { kind: 'Pod', name: 'p', namespace: 'default' } }],
  });
  for (const [version, priority] of [
    ['v1beta1', 100],
    ['v1', 200],
  ] as const)
    register(version, priority);
});

function register(version: string, versionPriority: number, isAvailable = version === 'v1'): void {
  const path = '/apis/apiregistration.k8s.io/v1/apiservices';
  const { body } = server.post(path, {
    metadata: { name: `${version}.x.io` },
    spec: {
      ...{ group: 'x.io', version, groupPriorityMinimum: 100, versionPriority },
      service: { namespace: 'default', name: 's' },
    },
  });
  const status = { conditions: [{ type: 'Available', status: isAvailable ? 'True' : 'False' }] };
  server.call('PUT', `${path}/${version}.x.io/status`, { ...body, status });
}

const discover = (): any => {
  const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  return server.get('/apis', { accept }).body.items.find((one: any) => one.metadata.name === 'x.io').versions;
};

test('resources of a version are those that its Service names; what is not available is stale', () => {
  expect(discover()).toEqual([
    {
      ...{ version: 'v1', freshness: 'Current' },
      resources: [
        {
          ...{ resource: 'flunders', scope: 'Namespaced', singularResource: 'flunder', verbs: ['get', 'list'] },
          responseKind: { group: 'x.io', version: 'v1', kind: 'Flunder' },
          subresources: [
            {
              ...{ subresource: 'status', verbs: ['get'] },
              responseKind: { group: 'x.io', version: 'v1', kind: 'Flunder' },
            },
          ],
        },
      ],
    },
    { version: 'v1beta1', freshness: 'Stale' },
  ]);
  expect(asked).toMatchObject([
    { port: 8443, scheme: 'https', headers: { 'x-remote-user': 'system:kube-aggregator' } },
  ]);
});

test('the group lists the version of the highest priority first, and asks nobody', () => {
  expect(server.get('/apis/x.io').body.versions.map((one: any) => one.version)).toEqual(['v1', 'v1beta1']);
  expect(asked).toEqual([]);
});

test.each<[string, PodHttpAnswer | { error: string }]>([
  ['does not listen', { error: 'connect: connection refused' }],
  ['fails', { status: 500, body: '' }],
  ['speaks no JSON', { status: 200, body: '<html>' }],
  ['says something else', { status: 200, body: '{"resources":7}' }],
])('a Service that %s serves no resources and no OpenAPI', (_what, answer) => {
  serve = () => answer;
  expect(discover()[0].resources).toEqual([]);
  expect(server.get('/openapi/v3').body.paths['apis/x.io/v1']).toBeUndefined();
});

test('OpenAPI has the version, and its document', () => {
  const paths = server.get('/openapi/v3').body.paths;
  expect(paths).toMatchObject({ 'api/v1': {}, 'apis/x.io/v1': OPENAPI.paths['apis/x.io/v1'] });
  expect([paths.other, paths['apis/x.io/v1beta1']]).toEqual([undefined, undefined]);
  expect(server.get('/openapi/v3/apis/x.io/v1').body).toEqual({ openapi: '3.0.0' });
  expect(server.get('/openapi/v3/apis/x.io/v1beta1').status).toBe(404);
});

test('who has the index as it is gets 304, and who has an older one gets the new one', () => {
  const { headers } = server.get('/openapi/v3');
  const own = new TestServer().get('/openapi/v3').headers['etag'];
  expect(server.get('/openapi/v3', { 'if-none-match': String(own) }).status).toBe(200);
  expect(server.get('/openapi/v3', { 'if-none-match': String(headers['etag']) }).status).toBe(304);
});

test.each(['/apis', '/openapi/v3'])('%s asks so many Services and no more', (path) => {
  for (let i = 2; i < 2 * MAX_ASKED; i++) register(`v${i}`, 10, true);
  asked = [];
  const accept = path === '/apis' ? 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' : '*/*';
  expect(server.call('GET', path, undefined, { accept }).status).toBe(200);
  expect(asked.length).toBeGreaterThan(MAX_ASKED / 2);
  expect(asked.length).toBeLessThanOrEqual(MAX_ASKED);
});
