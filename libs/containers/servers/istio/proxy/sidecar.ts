import type { LogLine, Start } from '@terrarium/engine';
import type { AnswerParts } from '../../../../engine/node/cni/http-bytes.js';
import type { Look, Opened, Proxy, Step } from '../../proxy/proxy.js';
import { workloadOf, type Workload } from '../mesh.js';
import { ADMIN_PORT, AGENT_PORT, answerOwn, HEALTH_PORT, METRICS_PORT, versionOf } from './admin.js';
import { finish } from './finish.js';
import { gatewayHello, gatewayPasses, isTls, serversAt, takeAtGateway } from './gateway.js';
import { finishInbound, INBOUND_PORT, openInbound, takeInbound } from './inbound.js';
import { openOutbound, OUTBOUND_PORT, takeOutbound } from './outbound.js';

export const READY_MS = 900;
export const OWN_PORTS = [HEALTH_PORT, AGENT_PORT, METRICS_PORT, ADMIN_PORT];
/** Ports that Gateways are usually at, where the container declares none. */
const GATEWAY_PORTS = [80, 443, 8_080, 8_443];

const BAD: AnswerParts = { status: 400, headers: { connection: 'close' }, body: '', isLowerCase: true };
/** Its pod is gone. */
const GONE: Step = { answer: { status: 503, body: '', isLowerCase: true } };

function stepOf(start: Start, look: Look, take: (workload: Workload) => Step): Step {
  const workload = workloadOf(look.read, start);
  return workload ? take(workload) : GONE;
}

const common = (start: Start): Pick<Proxy, 'ownPorts' | 'readyAfterMs' | 'lines' | 'refuse' | 'serve'> => ({
  ownPorts: OWN_PORTS,
  readyAfterMs: READY_MS,
  lines: () => startLines(start),
  refuse: () => BAD,
  serve(request, look) {
    const workload = workloadOf(look.read, start);
    return answerOwn(start, request, workload && { workload, look });
  },
});

/** The proxy beside an application: what comes in and what goes out is led to it. */
export function sidecarProxy(start: Start): Proxy {
  return {
    ...common(start),
    ports: [OUTBOUND_PORT, INBOUND_PORT],
    tlsPorts: [],
    hello: () => undefined,
    open(met, look): Opened {
      const workload = workloadOf(look.read, start);
      if (!workload) return 'close';
      return met.port === INBOUND_PORT ? openInbound(workload, met, look) : openOutbound(workload, met, look);
    },
    take: (request, look) =>
      stepOf(start, look, (workload) =>
        request.port === INBOUND_PORT ? takeInbound(workload, request, look) : takeOutbound(workload, request, look),
      ),
    finish: (request, forward, outcome, look) =>
      stepOf(start, look, (workload) =>
        request.port === INBOUND_PORT
          ? finishInbound(workload, request, forward, outcome, look)
          : finish(workload, request, forward, outcome, look),
      ),
  };
}

export const gatewayPorts = ({ container }: Start): number[] => {
  const declared = (container.ports ?? []).map((port) => port.containerPort);
  return [...new Set([...declared, ...GATEWAY_PORTS])].filter((port) => !OWN_PORTS.includes(port));
};

/** The proxy of a gateway: what its Gateways serve. */
export function gatewayProxy(start: Start): Proxy {
  const of = <T>(look: Look, read: (workload: Workload) => T): T | undefined => {
    const workload = workloadOf(look.read, start);
    return workload && read(workload);
  };
  return {
    ...common(start),
    ports: gatewayPorts(start),
    tlsPorts: [],
    // A port that no Gateway serves has no listener.
    open: ({ port }, look) => (of(look, (own) => serversAt(look.read, own, port).length > 0) ? 'default' : 'close'),
    speaksTls: (port, look) => of(look, (own) => serversAt(look.read, own, port).some(isTls)) === true,
    hello: (name, look) => of(look, (own) => gatewayHello(own, look.port, name.toLowerCase(), look)),
    passes: (port, name, look) => of(look, (own) => gatewayPasses(own, port, name.toLowerCase(), look)),
    take: (request, look) => stepOf(start, look, (workload) => takeAtGateway(workload, request, look)),
    finish: (request, forward, outcome, look) =>
      stepOf(start, look, (workload) => finish(workload, request, forward, outcome, look)),
  };
}

function startLines(start: Start): readonly LogLine[] {
  const { at, argv, pod, env } = start;
  const line = (after: number, words: string): LogLine => ({
    ...{ at: after, text: `${new Date(at + after).toISOString().slice(0, 23)}000Z\tinfo\t${words}` },
  });
  const type = argv.includes('router') ? 'router' : 'sidecar';
  const domain = `${pod.namespace}.svc.cluster.local`;
  const discovery = env['CA_ADDR'] ?? 'istiod.istio-system.svc:15012';
  return [
    line(10, `Version ${versionOf(start)}-Clean`),
    line(12, `Proxy role\tips=[${pod.ip}] type=${type} id=${pod.name}.${pod.namespace} domain=${domain}`),
    line(40, 'platform detected is None'),
    line(60, `CA Endpoint ${discovery}, provider Citadel`),
    line(80, `Using CA ${discovery} cert with certs: var/run/secrets/istio/root-cert.pem`),
    line(120, 'Starting proxy agent'),
    line(300, `Pilot SAN: [${discovery.split(':', 1)[0]}]`),
    line(420, `connected to upstream XDS server[1]: ${discovery}\tid=1`),
    line(READY_MS, 'Readiness succeeded in 890.12ms'),
    line(READY_MS, 'Envoy proxy is ready'),
  ];
}
