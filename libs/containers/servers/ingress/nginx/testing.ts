import type { KubeObject, Start } from '@terrarium/engine';
import type { Ingress } from '../../../../engine/api/networking_v1.js';
import { NOW, readerOf, STAMP } from '../../../../engine/node/kubelet/testing.js';
import type { Look, Outcome, ProxyRequest, Step } from '../../proxy/proxy.js';
import { finishRequest, takeRequest } from './take.js';

const service = (name: string): KubeObject =>
  ({
    ...{ apiVersion: 'v1', kind: 'Service', metadata: { name, namespace: 'shop' } },
    spec: { clusterIP: '10.96.0.1', ports: [{ name: 'http', port: 80 }] },
  }) as never;
const slice = (name: string, ip: string): KubeObject =>
  ({
    ...{ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice' },
    metadata: { name: `${name}-1`, namespace: 'shop', labels: { 'kubernetes.io/service-name': name } },
    endpoints: [{ addresses: [ip], conditions: { ready: true } }],
    ports: [{ name: 'http', port: 8080 }],
  }) as never;
const nginxClass = {
  ...{ apiVersion: 'networking.k8s.io/v1', kind: 'IngressClass', metadata: { name: 'nginx' } },
  spec: { controller: 'k8s.io/ingress-nginx' },
} as never;

export interface Rule {
  readonly host?: string;
  readonly path?: string;
  readonly type?: string;
  readonly to?: string;
}

/** An Ingress of the class nginx in the namespace shop. */
export function ingress(
  name: string,
  rules: readonly Rule[],
  annotations: Record<string, string> = {},
  spec = {},
): Ingress {
  const prefixed = Object.entries(annotations).map(([key, value]) => [`nginx.ingress.kubernetes.io/${key}`, value]);
  return {
    ...{ apiVersion: 'networking.k8s.io/v1', kind: 'Ingress' },
    metadata: { name, namespace: 'shop', creationTimestamp: STAMP, annotations: Object.fromEntries(prefixed) },
    spec: {
      ingressClassName: 'nginx',
      rules: rules.map(({ host, path = '/', type = 'Prefix', to = 'web' }) => ({
        ...(host !== undefined && { host }),
        http: { paths: [{ path, pathType: type, backend: { service: { name: to, port: { number: 80 } } } }] },
      })),
      ...spec,
    },
    status: {},
  };
}

/** Services web, api and idle, of which the last one has no endpoints. */
export const shop = (...ingresses: readonly (Ingress | KubeObject)[]): Look => ({
  ...{ now: NOW, memory: {}, active: [], random: () => 0.5 },
  read: readerOf(
    ...[nginxClass, service('web'), service('api'), service('idle')],
    ...[slice('web', '10.244.1.1'), slice('api', '10.244.1.2')],
    ...ingresses,
  ),
});

export const START = { argv: ['/nginx-ingress-controller'], seed: 'a', at: NOW, container: {} } as unknown as Start;

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
  takeRequest(START, requestTo(url, fields), look);

/** What comes after another server's answer, or its failure. */
export function after(look: Look, url: string, step: Step, outcome: Outcome, fields: Partial<ProxyRequest> = {}): Step {
  if (!('forward' in step)) throw new Error('an answer');
  return finishRequest(START, requestTo(url, fields), step.forward, outcome, look);
}

/** '10.244.1.1:8080 /path', or '404 LOCATION'. */
export function tell(step: Step): string {
  if ('forward' in step) return `${step.forward.address}:${step.forward.port} ${step.forward.path}`;
  const { status, headers } = step.answer;
  return [String(status), headers?.['location']].filter(Boolean).join(' ');
}
