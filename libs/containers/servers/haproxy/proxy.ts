import type { PodHttpAnswer, PodHttpRequest, Start } from '@terrarium/engine';
import type { ServerHello } from '../../../engine/node/cni/tls.js';
import { flag } from '../../programs/task.js';
import { helloOfHost, helloOfSecret } from '../ingress/certificates.js';
import type { Look, Proxy } from '../proxy/proxy.js';
import { configOf } from './annotations.js';
import { page } from './pages.js';
import { finishRequest, servedIngresses, takeRequest } from './serve.js';

const HEALTH_PORT = 1_042;
const STATS_PORT = 1_024;
export const OWN_PORTS = [HEALTH_PORT, STATS_PORT];
export const READY_MS = 1_500;

export const portsOf = (start: Start): [http: number, https: number] => [
  Number(flag(start, 'http-bind-port', '8080')),
  Number(flag(start, 'https-bind-port', '8443')),
];

/** HAProxy with the configuration that its controller writes from the Ingresses of the moment. */
export function haproxyProxy(start: Start): Proxy {
  const [http, https] = portsOf(start);
  return {
    ...{ ports: [http, https], ownPorts: OWN_PORTS, tlsPorts: [https], readyAfterMs: READY_MS },
    hello: (serverName, look) => helloFor(start, serverName.toLowerCase(), look),
    take: (request, look) => takeRequest(start, request, look),
    finish: (request, forward, outcome, look) => finishRequest(request, forward, outcome, look),
    serve: (request) => serveOwn(request),
    lines: () => [{ at: 0, text: 'HAProxy Ingress Controller' }],
    refuse: () => page(400),
  };
}

/** Of an Ingress's TLS, else what the ConfigMap says; without either the connection breaks off. */
function helloFor(start: Start, host: string, { read }: Look): ServerHello | undefined {
  for (const ingress of servedIngresses(read, start)) {
    const found = helloOfHost(read, ingress, host)?.hello;
    if (found) return found;
  }
  const [namespace = '', name] = (configOf(read, start)['ssl-certificate'] ?? '').split('/');
  return name === undefined ? undefined : helloOfSecret(read, namespace, name);
}

/** Its health and its statistics. */
export function serveOwn({ port, path }: PodHttpRequest): PodHttpAnswer {
  const html = { 'cache-control': 'no-cache', 'content-type': 'text/html' };
  if (port === HEALTH_PORT && path === '/healthz')
    return { status: 200, headers: html, body: '<html><body><h1>200 OK</h1>\nService ready.\n</body></html>\n' };
  const { status, headers, body } = page(503);
  return { status, headers: headers as Record<string, string>, body: body ?? '' };
}
