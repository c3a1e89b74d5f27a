import type { LogLine, PodHttpAnswer, PodHttpRequest, Reader, Start } from '@terrarium/engine';
import { Pods } from '../../../engine/kinds/index.js';
import { page, PLAIN_TO_TLS } from '../../servers/ingress/nginx/pages.js';
import { helloOf } from '../../servers/gateway/listeners.js';
import { wire, type Wired } from '../../servers/gateway/attach.js';
import { GatewayClasses, Gateways, type Gateway } from '../../servers/gateway/resources.js';
import { finishRequest, listenerFor, passthrough, takeRequest } from '../../servers/gateway/serve.js';
import type { Look, Proxy } from '../../servers/proxy/proxy.js';
import { GATEWAY_LABEL } from './provision.js';
import { CONTROLLER_NAME } from './control-plane.js';

const HEALTH_PORT = 8_081;
const METRICS_PORT = 9_113;
export const READY_MS = 1_500;

/** The Gateways that an NGINX serves: the one of its pod's label; before release 2, all of the controller's. */
export function gatewaysOf(read: Reader, { pod }: Start): Gateway[] {
  const own = read.get(Pods, { namespace: pod.namespace, name: pod.name })?.metadata;
  const name = own?.labels?.[GATEWAY_LABEL] ?? own?.annotations?.[GATEWAY_LABEL];
  if (name !== undefined) {
    const found = read.get(Gateways, { namespace: pod.namespace, name });
    return found ? [found] : [];
  }
  const classes = read
    .list(GatewayClasses)
    .flatMap(({ metadata, spec }) => (spec.controllerName === CONTROLLER_NAME ? [metadata.name] : []));
  return read.list(Gateways).filter(({ spec }) => classes.includes(spec.gatewayClassName));
}

const wiredOf = (read: Reader, start: Start): Wired[] => gatewaysOf(read, start).map((gateway) => wire(read, gateway));

/** NGINX with the configuration that its agent has from the control plane. */
export function gatewayProxy(start: Start): Proxy {
  const declared = (start.container.ports ?? []).map((port) => port.containerPort);
  const isOfServer = (port: number, serverName: string, { read }: Look) => {
    const found = listenerFor(wiredOf(read, start), port, serverName.toLowerCase());
    return found && found.listener.protocol !== 'HTTP' ? found : undefined;
  };
  return {
    ports: declared.filter((port) => port !== METRICS_PORT && port !== HEALTH_PORT),
    ownPorts: [HEALTH_PORT, METRICS_PORT],
    tlsPorts: [],
    readyAfterMs: READY_MS,
    speaksTls: (port, { read }) =>
      gatewaysOf(read, start).some(({ spec }) =>
        spec.listeners.some((one) => one.port === port && (one.protocol === 'HTTPS' || one.protocol === 'TLS')),
      ),
    hello(serverName, look) {
      const found = isOfServer(look.port, serverName, look);
      return found && helloOf(look.read, found.namespace, found.listener);
    },
    passes: (port, serverName, look) => passthrough(wiredOf(look.read, start), port, serverName.toLowerCase(), look),
    take: (request, look) => takeRequest(wiredOf(look.read, start), request, look),
    finish: (request, forward, outcome, look) => finishRequest(request, forward, outcome, look),
    serve: (request) => serveOwn(request),
    lines: () => startLines(start),
    refuse: (isPlain) => (isPlain ? PLAIN_TO_TLS : page(400)),
  };
}

/** Its answers at the ports of its health and its measures. */
export function serveOwn({ port, path }: PodHttpRequest): PodHttpAnswer {
  if (port === HEALTH_PORT && path === '/readyz') return { status: 200, body: '' };
  const { status, headers, body } = page(404);
  return { status, headers: headers as Record<string, string>, body: body ?? '' };
}

function startLines({ at }: Start): readonly LogLine[] {
  const stamp = new Date(at).toISOString().slice(0, 19).replaceAll('-', '/').replace('T', ' ');
  const notice = (text: string): string => `${stamp} [notice] 1#1: ${text}`;
  return [notice('using the "epoll" event method'), notice('nginx/1.29.7'), notice('start worker processes')].map(
    (text) => ({ at: 0, text }),
  );
}
