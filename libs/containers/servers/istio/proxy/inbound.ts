import { parseHello } from '../../../../engine/node/cni/tls.js';
import type { Forward, Look, Met, Opened, Outcome, ProxyRequest, Step } from '../../proxy/proxy.js';
import { Services } from '../../../../engine/kinds/index.js';
import type { Service, ServicePort } from '../../../../engine/api/core_v1.js';
import type { Workload } from '../mesh.js';
import { policiesOf, refusalOf, type Asked } from '../security/authorization.js';
import { mtlsModeOf, selects } from '../security/peer-authentication.js';
import { denied } from './answers.js';
import { finish, say } from './finish.js';
import { identityIn, meshAnswer, type MeshHello } from './hello.js';
import { protocolOf, sniff } from './protocol.js';
import { newNote, type Router } from './route.js';
import { NO_TIMEOUT, withoutHops, type Note } from './send.js';

export const INBOUND_PORT = 15_006;
const SERVER = 'istio-envoy';
/** Where the application is, as the proxy beside it reaches it. */
const APPLICATION = '127.0.0.1';
const HANDSHAKE = '\x16';

interface Named {
  readonly service: Service;
  readonly port: ServicePort;
}

/** The Service's port that leads to a port of the pod. */
function serviceFor({ read }: Look, { namespace, labels, pod }: Workload, port: number): Named | undefined {
  for (const service of read.list(Services, namespace)) {
    const { selector } = service.spec;
    if (!selector || !selects({ matchLabels: selector }, labels)) continue;
    const found = service.spec.ports?.find((one) => targetOf(one, pod.spec.containers) === port);
    if (found) return { service, port: found };
  }
  return undefined;
}

const targetOf = (
  { targetPort, port }: ServicePort,
  containers: readonly { readonly ports?: readonly { name?: string; containerPort: number }[] }[],
): number =>
  typeof targetPort === 'string'
    ? (containers.flatMap(({ ports = [] }) => ports).find(({ name }) => name === targetPort)?.containerPort ?? port)
    : (targetPort ?? port);

/**
 * A connection from outside: of the mesh, or in plain bytes where that is allowed. Who is not to be spoken to is reset,
 * since nothing was read of it.
 */
export function openInbound(workload: Workload, { original, received, client }: Met, look: Look): Opened {
  if (!original) return 'close';
  const { port } = original;
  if (received === '') return 'wait';
  const mode = mtlsModeOf(look.read, workload, port, workload.mesh);
  const protocol = protocolOf(serviceFor(look, workload, port)?.port ?? { port });
  if (!received.startsWith(HANDSHAKE)) {
    if (mode === 'STRICT') return 'close';
    return openKnown(workload, { port, client, bytes: received }, protocol, look);
  }
  const parsed = parseHello<MeshHello>(received);
  if (!parsed) return parsed === null ? 'close' : 'wait';
  const peer = identityIn(parsed.hello, client, look.read, workload.mesh);
  if (parsed.hello.alpn === 'istio' && mode !== 'DISABLE') {
    if (peer === undefined) return 'close';
    const opened = openKnown(workload, { port, client, bytes: parsed.rest, peer }, protocol, look);
    return typeof opened === 'string' ? opened : { ...opened, hello: meshAnswer(workload.identity) };
  }
  return mode === 'STRICT' ? 'close' : passIn(workload, { port, client, bytes: received }, look);
}

type Came = { readonly port: number; readonly client: string; readonly bytes: string; readonly peer?: string };

function openKnown(workload: Workload, came: Came, protocol: ReturnType<typeof protocolOf>, look: Look): Opened {
  const { bytes, peer } = came;
  const found = protocol === 'unknown' ? sniff(bytes) : protocol;
  if (found === undefined) return 'wait';
  return found === 'http' ? { http: bytes, ...(peer ? { peer } : {}) } : passIn(workload, came, look);
}

function passIn(workload: Workload, { port, client, bytes, peer }: Came, { read }: Look): Opened {
  const asked: Asked = { port, sourceIp: client, remoteIp: client, peer };
  if (refusalOf(policiesOf(read, workload, workload.mesh), asked) !== undefined) return 'close';
  return { pass: { address: APPLICATION, port }, bytes };
}

/** A request for the application. */
export function takeInbound(workload: Workload, request: ProxyRequest, look: Look): Step {
  const { original, headers, client, peer, method, path, body } = request;
  const port = original?.port ?? 0;
  const named = serviceFor(look, workload, port);
  const router: Router = {
    ...{ workload, server: SERVER, port, isGateway: false, destination: `${original?.address}:${port}` },
    say: (asked, said, own, at) => say(workload, asked, said, own, at),
  };
  const note: Note = {
    ...newNote(router, request, look),
    ...{ cluster: `inbound|${port}||`, route: 'default', left: 0 },
    serverName: peer && named ? `outbound_.${named.port.port}_._.${hostOf(named)}` : '',
  };
  const asked: Asked = {
    ...{ method, path: path.split('?', 1)[0] ?? '', host: headers['host'] ?? '', headers, port, peer },
    ...{ sourceIp: client, remoteIp: headers['x-forwarded-for']?.split(',')[0]?.trim() ?? client },
  };
  const refusal = refusalOf(policiesOf(look.read, workload, workload.mesh), asked);
  if (refusal !== undefined) return say(workload, request, denied(refusal), { ...note, cluster: '' }, look);
  const { 'x-forwarded-client-cert': _cert, ...sent } = withoutHops(headers);
  return {
    forward: {
      ...{ address: APPLICATION, port, isTls: false, method, path, body, timeout: NO_TIMEOUT },
      headers: {
        ...sent,
        ...{ 'x-forwarded-proto': headers['x-forwarded-proto'] ?? 'http', 'x-request-id': note.requestId },
        ...(peer === undefined ? {} : { 'x-forwarded-client-cert': shownBy(workload, peer) }),
      },
      note: { ...note, upstream: `${original?.address}:${port}` },
    },
  };
}

const hostOf = ({ service }: Named): string =>
  `${service.metadata.name}.${service.metadata.namespace}.svc.cluster.local`;

/** Of each certificate another one; here of each identity. */
const shownBy = ({ identity }: Workload, peer: string): string =>
  `By=${identity};Hash=${hashOf(peer)};Subject="";URI=${peer}`;

function hashOf(text: string): string {
  let found = '';
  for (let round = 0; found.length < 64; round++) {
    let hash = 0x811c9dc5 ^ round;
    for (const char of text) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193) >>> 0;
    found += hash.toString(16).padStart(8, '0');
  }
  return found;
}

/** What comes of the application's answer. */
export function finishInbound(
  workload: Workload,
  request: ProxyRequest,
  forward: Forward,
  outcome: Outcome,
  look: Look,
): Step {
  const step = finish(workload, request, forward, outcome, look);
  if (!('answer' in step) || request.peer !== undefined || !('answer' in outcome)) return step;
  const named = serviceFor(look, workload, request.original?.port ?? 0);
  const operation = named ? `${hostOf(named)}:${named.port.port}/*` : ':0/*';
  const headers = { ...step.answer.headers, 'x-envoy-decorator-operation': operation };
  return { ...step, answer: { ...step.answer, headers } };
}
