import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Endpoints, Pod, Service } from '../../api/core_v1.js';
import type { EndpointSlice } from '../../api/discovery_v1.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { findServicePort, podBackends, resolveEndpoint } from './backends.js';
import { State } from './state.js';

let state: State;
const put = (resource: string, kind: string, name: string, fields: object): KubeObject =>
  state.put(resource, { apiVersion: 'v1', kind, metadata: { name, namespace: 'shop' }, ...fields } as never, 'test', 0);
const pod = (name: string, podIP: string): Pod => put('pods', 'Pod', name, { spec: {}, status: { podIP } }) as Pod;
const service = (spec: object): Service => put('services', 'Service', 'web', { spec }) as Service;
const slice = (name: string, fields: Partial<EndpointSlice>): KubeObject =>
  put('endpointslices.discovery.k8s.io', 'EndpointSlice', name, {
    metadata: { name, namespace: 'shop', labels: { 'kubernetes.io/service-name': 'web' } },
    ...fields,
  });
const ref = (name: string) => ({ kind: 'Pod', name, namespace: 'shop' });

beforeEach(() => {
  state = new State({ now: 0 });
});

describe('resolveEndpoint', () => {
  const HTTPS = { ports: [{ name: 'https', port: 443 }] };
  const resolve = (port = 443) => resolveEndpoint(state, 'shop', 'web', port);

  test('is the first endpoint that is not unready, in the first slice with the port', () => {
    service(HTTPS);
    const b = pod('b', '10.0.0.2');
    slice('1', { ports: [{ name: 'http', port: 80 }], endpoints: [{ addresses: ['10.0.0.9'] }] });
    slice('2', {
      ports: [{ name: 'https', port: 8443 }],
      endpoints: [
        { addresses: ['10.0.0.1'], conditions: { ready: false } },
        { addresses: ['10.0.0.2'], targetRef: ref('b') },
      ],
    });
    expect(resolve()).toEqual({ ip: '10.0.0.2', port: 8443, pod: b });
  });

  test('may stand outside the cluster', () => {
    service({ ports: [{ port: 443 }], type: 'NodePort' });
    slice('1', { ports: [{ name: '', port: 8443 }], endpoints: [{ addresses: ['192.0.2.1'] }] });
    expect(resolve()).toEqual({ ip: '192.0.2.1', port: 8443, pod: undefined });
  });

  test("ignores other Services' slices", () => {
    service(HTTPS);
    put('endpointslices.discovery.k8s.io', 'EndpointSlice', 'x', {
      ports: HTTPS.ports,
      endpoints: [{ addresses: ['10.0.0.1'] }],
    });
    expect(resolve()).toEqual({ error: 'no endpoints available for service "web"' });
  });

  test.each<[object | undefined, number, string]>([
    [undefined, 443, 'service "web" not found'],
    [{ type: 'ExternalName' }, 443, 'unsupported service type "ExternalName"'],
    [HTTPS, 80, 'no service port 80 found for service "web"'],
    [HTTPS, 443, 'no endpoints available for service "web"'],
  ])('%j at %i: %s', (spec, port, error) => {
    if (spec) service(spec);
    expect(resolve(port)).toEqual({ error });
  });
});

describe('podBackends', () => {
  const backends = (subsets: Endpoints['subsets'], port: string): unknown =>
    podBackends(state, put('endpoints', 'Endpoints', 'web', { subsets }) as Endpoints, port);

  test('are all pods of the first subset that has some for the port', () => {
    const [a, b] = [pod('a', '10.0.0.1'), pod('b', '10.0.0.2')];
    const subsets = [
      { ports: [{ name: 'other', port: 1 }], addresses: [{ ip: '10.0.0.1', targetRef: ref('a') }] },
      { ports: [{ name: 'http', port: 2 }], addresses: [{ ip: '192.0.2.1' }] },
      {
        ports: [{ name: 'http', port: 3 }],
        addresses: [
          { ip: '10.0.0.1', targetRef: ref('a') },
          { ip: '10.0.0.2', targetRef: { kind: 'Pod', name: 'b' } },
        ],
      },
      { ports: [{ name: 'http', port: 4 }], addresses: [{ ip: '10.0.0.1', targetRef: ref('a') }] },
    ];
    expect(backends(subsets, 'http')).toEqual([
      { ip: '10.0.0.1', port: 3, pod: a },
      { ip: '10.0.0.2', port: 3, pod: b },
    ]);
  });

  test.each([
    ['a pod that has got another address', { ip: '10.0.0.9', targetRef: ref('a') }],
    ['a pod that does not exist', { ip: '10.0.0.1', targetRef: ref('none') }],
    ['an address that is no pod', { ip: '10.0.0.1' }],
    ['an address of another kind', { ip: '10.0.0.1', targetRef: { kind: 'Node', name: 'a' } }],
  ])('leave out %s', (_, address) => {
    pod('a', '10.0.0.1');
    expect(backends([{ ports: [{ port: 80 }], addresses: [address] }], '')).toEqual([]);
  });
});

test('findServicePort looks for the number', () => {
  const { spec } = service({
    ports: [
      { name: 'a', port: 80 },
      { name: 'b', port: 81 },
    ],
  });
  expect(findServicePort({ spec } as Service, 81)?.name).toBe('b');
  expect(findServicePort({ spec } as Service, 82)).toBeUndefined();
});
