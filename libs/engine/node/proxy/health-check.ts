import type { PodHttpAnswer, PodHttpRequest } from '../../machinery/requests/http.js';
import { endpointsOf } from './endpoints.js';
import type { ServiceTable } from './service-table.js';

/** kube-proxy's own, by default. */
const HEALTHZ_PORT = 10_256;
const NOT_FOUND: PodHttpAnswer = {
  status: 404,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
  body: '404 page not found\n',
};

type Answer = (request: PodHttpRequest) => PodHttpAnswer;

/**
 * What kube-proxy serves at a port of its node: its own health, or how many ready endpoints a Service with
 * externalTrafficPolicy Local has there. Undefined: nothing. Models pkg/proxy/healthcheck.
 */
export function checkHealth(services: ServiceTable, node: string, port: number): Answer | undefined {
  if (port === HEALTHZ_PORT) return ({ path }) => (isPath(path, ['/healthz', '/livez']) ? json(200, {}) : NOT_FOUND);
  const key = services.keysAt('', port).find((one) => services.ports(one)[0]?.healthCheckNodePort === port);
  return key === undefined ? undefined : () => checkService(services, key, node);
}

const isPath = (path: string, known: readonly string[]): boolean => known.includes(path.split('?')[0] ?? '');

function checkService(services: ServiceTable, key: string, node: string): PodHttpAnswer {
  const [namespace, name] = key.split('/');
  const slices = services.slicesOf(key);
  const ready = services
    .ports(key)
    .flatMap(({ portName, protocol }) => endpointsOf(slices, portName, protocol))
    .filter(({ isReady, nodeName }) => isReady && nodeName === node);
  const localEndpoints = new Set(ready.map(({ ip }) => ip)).size;
  const body = { service: { namespace, name }, localEndpoints, serviceProxyHealthy: true };
  return json(localEndpoints > 0 ? 200 : 503, body);
}

const json = (status: number, value: unknown): PodHttpAnswer => ({
  status,
  headers: { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' },
  body: JSON.stringify(value, undefined, '\t'),
});
