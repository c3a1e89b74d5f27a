import type { LogLine, PodHttpAnswer, PodHttpRequest, Reader, Start } from '@terrarium/engine';
import type { ServerHello } from '../../../../engine/node/cni/tls.js';
import { flag } from '../../../programs/task.js';
import type { Look, Proxy } from '../../proxy/proxy.js';
import { defaultHello, fakeHello, helloOfHost } from '../certificates.js';
import { admitIngress } from './config/admission.js';
import { page, PLAIN_TO_TLS } from './pages.js';
import { ingressOfHost } from './config/plan.js';
import { finishRequest, takeRequest } from './take.js';

const HEALTH_PORT = 10_254;
const [HTTP, HTTPS] = [80, 443] as const;
export const READY_MS = 2_000;

/** The port of its admission webhook. */
export function webhookPort(start: Start): number | undefined {
  const port = Number(flag(start, 'validating-webhook').split(':').at(-1) || undefined);
  return Number.isInteger(port) ? port : undefined;
}

/** ingress-nginx's NGINX with its configuration, as its controller writes it from the Ingresses of the moment. */
export function nginxProxy(start: Start): Proxy {
  const webhook = webhookPort(start);
  const more = webhook === undefined ? [] : [webhook];
  return {
    ports: [HTTP, HTTPS],
    ownPorts: [HEALTH_PORT, ...more],
    tlsPorts: [HTTPS, ...more],
    readyAfterMs: READY_MS,
    hello: (serverName, look) => helloFor(start, serverName.toLowerCase(), look),
    take: (request, look) => takeRequest(start, request, look),
    finish: (request, forward, outcome, look) => finishRequest(start, request, forward, outcome, look),
    serve: (request, { read }) => serveOwn(request, start, read),
    lines: () => startLines(start),
    refuse: (isPlain) => (isPlain ? PLAIN_TO_TLS : page(400)),
  };
}

/** The certificate of the host's Ingress; without one that can be read, the controller's own. */
function helloFor(start: Start, host: string, look: Look): ServerHello {
  for (const ingress of host === '' ? [] : ingressOfHost(look.read, start, host)) {
    const found = helloOfHost(look.read, ingress, host)?.hello;
    if (found) return found;
  }
  const own = defaultHello(look.read, start);
  if (own) return own;
  // It is made once, when the program starts.
  look.memory['hello'] ??= { ...fakeHello(start), names: ['ingress.local'] } as never;
  return look.memory['hello'] as unknown as ServerHello;
}

/** Its answers beside what it passes on: health, and the admission webhook. */
export function serveOwn(request: PodHttpRequest, start: Start, read: Reader | undefined): PodHttpAnswer {
  if (request.port === HEALTH_PORT) return { status: 200, headers: { 'content-type': 'text/plain' }, body: 'ok' };
  if (read && request.port === webhookPort(start)) return admitIngress(request, start, read);
  const { status, headers, body } = page(404);
  return { status, headers: headers as Record<string, string>, body: body ?? '' };
}

const RULE = '-'.repeat(79);

/** Models version/version.go: what `kubectl logs` shows first. */
function startLines({ container }: Start): readonly LogLine[] {
  const tag = container.image?.split('@', 1)[0]?.split(':').at(-1) ?? '';
  const lines = [
    ...[RULE, 'NGINX Ingress controller', `  Release:       ${tag}`],
    ...['  Repository:    https://github.com/kubernetes/ingress-nginx', '', RULE, ''],
  ];
  return lines.map((text) => ({ at: 0, text }));
}
