import type { KubeObject } from '@terrarium/engine';
import { NOW, readerOf, STAMP } from '../../../engine/node/kubelet/testing.js';
import type { Look, ProxyRequest, Step } from '../proxy/proxy.js';
import { wire } from './attach.js';
import { GROUP, Gateways, type Gateway, type Listener, type Route, type RouteKind, type Rule } from './resources.js';
import { takeRequest } from './serve.js';

const service = (name: string, namespace = 'shop'): KubeObject =>
  ({
    ...{ apiVersion: 'v1', kind: 'Service', metadata: { name, namespace } },
    spec: { clusterIP: '10.96.0.1', ports: [{ name: 'http', port: 80 }] },
  }) as never;
const slice = (name: string, ip: string, namespace = 'shop'): KubeObject =>
  ({
    ...{ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice' },
    metadata: { name: `${name}-1`, namespace, labels: { 'kubernetes.io/service-name': name } },
    endpoints: [{ addresses: [ip], conditions: { ready: true } }],
    ports: [{ name: 'http', port: 8080 }],
  }) as never;
const namespace = (name: string, labels: Record<string, string>): KubeObject => ({
  ...{ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } },
});

export const gateway = (...listeners: readonly Partial<Listener>[]): Gateway => ({
  ...{ apiVersion: `${GROUP}/v1`, kind: 'Gateway' },
  metadata: { name: 'main', namespace: 'shop', generation: 2 },
  spec: {
    gatewayClassName: 'nginx',
    listeners: listeners.map((one, index) => ({ name: `l${index}`, port: 80, protocol: 'HTTP', ...one })),
  },
});

export const route = (rules: readonly Rule[], spec: object = {}, metadata: object = {}, kind = 'HTTPRoute'): Route => ({
  ...{ apiVersion: `${GROUP}/v1`, kind },
  metadata: { name: 'route', namespace: 'shop', creationTimestamp: STAMP, generation: 3, ...metadata },
  spec: { parentRefs: [{ name: 'main' }], rules, ...spec },
});

export const grant = (kind: RouteKind | 'Gateway', to: 'Service' | 'Secret', name?: string): KubeObject =>
  ({
    ...{ apiVersion: `${GROUP}/v1beta1`, kind: 'ReferenceGrant', metadata: { name: 'grant', namespace: 'other' } },
    spec: {
      from: [{ group: GROUP, kind, namespace: 'shop' }],
      to: [{ group: '', kind: to, ...(name === undefined ? {} : { name }) }],
    },
  }) as never;

export const to = (name: string, more: object = {}): NonNullable<Rule['backendRefs']>[number] => ({
  ...{ name, port: 80 },
  ...more,
});

/** Services web, api and idle, of which the last one has no endpoints, and one in another namespace. */
export const shop = (...objects: readonly KubeObject[]): Look => ({
  ...{ now: NOW, memory: {}, active: [], random: () => 0.5 },
  read: readerOf(
    ...[namespace('shop', {}), namespace('other', { team: 'other' })],
    ...[service('web'), service('api'), service('idle'), service('far', 'other')],
    ...[slice('web', '10.244.1.1'), slice('api', '10.244.1.2'), slice('far', '10.244.1.3', 'other')],
    ...objects,
  ),
});

export function requestTo(url: string, fields: Partial<ProxyRequest> = {}): ProxyRequest {
  const { protocol, host, pathname, search } = new URL(url);
  const scheme = protocol === 'https:' ? 'https' : 'http';
  return {
    ...{ scheme, port: scheme === 'https' ? 443 : 80, method: 'GET', path: pathname + search, body: '' },
    ...{ client: '10.244.3.3', clientPort: 4_000, length: 100, at: NOW },
    ...fields,
    headers: { host, ...fields.headers },
  };
}

export const ask = (look: Look, url: string, fields: Partial<ProxyRequest> = {}): Step =>
  takeRequest(
    look.read.list(Gateways).map((one) => wire(look.read, one)),
    requestTo(url, fields),
    look,
  );

/** '10.244.1.1:8080 /path', or '404 LOCATION'. */
export function tell(step: Step): string {
  if ('forward' in step) return `${step.forward.address}:${step.forward.port} ${step.forward.path}`;
  const { status, headers } = step.answer;
  return [String(status), headers?.['location']].filter(Boolean).join(' ');
}
