import type { KubeObject } from '@terrarium/engine';
import type { Pod } from '../../../engine/api/core_v1.js';
import { NOW, readerOf, STAMP } from '../../../engine/node/kubelet/testing.js';
import type { Look, Outcome, ProxyRequest, Step } from '../proxy/proxy.js';
import { meshOf, identityOf, type Workload } from './mesh.js';

const READY = { status: 'True', type: 'Ready', lastTransitionTime: STAMP };

export const podOf = (name: string, ip: string, labels: Record<string, string> = {}): Pod =>
  ({
    ...{ apiVersion: 'v1', kind: 'Pod' },
    metadata: { name, namespace: 'shop', labels },
    spec: { serviceAccountName: name, containers: [{ name: 'c', ports: [{ containerPort: 8080 }] }] },
    status: { podIP: ip, phase: 'Running', conditions: [READY] },
  }) as never;

const service = (name: string, clusterIP: string): KubeObject =>
  ({
    ...{ apiVersion: 'v1', kind: 'Service', metadata: { name, namespace: 'shop' } },
    spec: { clusterIP, selector: { app: name }, ports: [{ name: 'http', port: 80, targetPort: 8080 }] },
  }) as never;
const slice = (name: string, ips: Record<string, string>): KubeObject =>
  ({
    ...{ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice' },
    metadata: { name: `${name}-1`, namespace: 'shop', labels: { 'kubernetes.io/service-name': name } },
    endpoints: Object.entries(ips).map(([pod, ip]) => ({
      ...{ addresses: [ip], conditions: { ready: true }, targetRef: { kind: 'Pod', name: pod } },
    })),
    ports: [{ name: 'http', port: 8080 }],
  }) as never;

export const custom = (group: string, kind: string, name: string, spec: object, namespace = 'shop'): KubeObject =>
  ({
    ...{ apiVersion: `${group}.istio.io/v1`, kind, spec },
    metadata: { name, namespace, creationTimestamp: STAMP },
  }) as never;
export const virtualService = (http: readonly object[], spec: object = {}): KubeObject =>
  custom('networking', 'VirtualService', 'web', { hosts: ['web'], http, ...spec });

/** Web has a v1 without a proxy and a v2 with one; idle has nobody. */
export const meshLook = (...objects: readonly KubeObject[]): Look => ({
  ...{ now: NOW, memory: {}, active: [], random: () => 0.5 },
  read: readerOf(
    ...[service('web', '10.96.0.1'), service('idle', '10.96.0.2')],
    slice('web', { 'web-1': '10.244.1.1', 'web-2': '10.244.1.2' }),
    podOf('web-1', '10.244.1.1', { app: 'web', version: 'v1' }),
    podOf('web-2', '10.244.1.2', { app: 'web', version: 'v2', 'security.istio.io/tlsMode': 'istio' }),
    podOf('client', '10.244.3.3', { app: 'client' }),
    ...objects,
  ),
});

export function workloadIn({ read }: Look, pod: Pod = podOf('client', '10.244.3.3', { app: 'client' })): Workload {
  const mesh = meshOf(read, 'istio-system');
  return { mesh, pod, namespace: 'shop', labels: pod.metadata.labels ?? {}, identity: identityOf(mesh, pod) };
}

export const requestTo = (url: string, fields: Partial<ProxyRequest> = {}): ProxyRequest => {
  const { host, pathname, search } = new URL(url);
  return {
    ...{ scheme: 'http', port: 15_001, method: 'GET', path: pathname + search, body: '', client: '10.244.3.3' },
    ...{ clientPort: 4_000, length: 100, at: NOW, original: { address: '10.96.0.1', port: 80 } },
    ...fields,
    headers: { host, 'x-request-id': 'id', ...fields.headers },
  } as ProxyRequest;
};

export const answered = (status: number, took = 3): Outcome => ({
  ...{ answer: { status, headers: { server: 'app' }, body: 'ok' }, took },
});

/** '10.244.1.1:8080 /path', or '503 no healthy upstream'; with a delay '7000: …'. */
export function tell(step: Step): string {
  const after = step.after ? `${step.after}: ` : '';
  if ('forward' in step)
    return `${after}${step.forward.address}:${step.forward.port} ${step.forward.path}${step.forward.isTls ? ' tls' : ''}`;
  const { status, headers = {}, body = '' } = step.answer;
  return after + [status, headers['location'], body].filter(Boolean).join(' ');
}
