import { OF_ONE_HOP } from '../../proxy/hops.js';
import type { Plain } from '../../../../engine/kernel/process/program.js';
import type { Forward, Look, ProxyRequest } from '../../proxy/proxy.js';
import type { Workload } from '../mesh.js';
import type { HeaderOperations } from '../resources.js';
import type { Cluster, Endpoint } from '../routing/clusters.js';
import { mtlsModeOf } from '../security/peer-authentication.js';
import { meshHello, type MeshHello } from './hello.js';

/** What is kept of a request while an upstream has it: plain data. */
export type Note = {
  cluster: string;
  upstream: string;
  flags: string;
  requestId: string;
  forwardedFor: string;
  route: string;
  serverName: string;
  destination: string;
  tried: number;
  left: number;
  retryOn: string;
  perTry: number;
  /** When the whole has to be over; 0 for never. */
  deadline: number;
  response: Plain;
  server: string;
};

/** The kernel gives up to connect much earlier. */
export const NO_TIMEOUT = 3_600_000;
export const withoutHops = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_ONE_HOP.has(name) || isUpgrade(name, headers)));
const isUpgrade = (name: string, headers: Readonly<Record<string, string>>): boolean =>
  name === 'connection' && headers['upgrade'] !== undefined;

/** As Envoy's UUIDs, from the machine's own chance. */
export function newRequestId({ random }: Look): string {
  const hex = (digits: number): string =>
    Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join('');
  return `${hex(8)}-${hex(4)}-4${hex(3)}-9${hex(3)}-${hex(12)}`;
}

/** An endpoint by chance, and how it is to be spoken to; undefined: there is none. */
export function pickEndpoint({ endpoints }: Cluster, { random }: Look): Endpoint | undefined {
  return endpoints[Math.floor(random() * endpoints.length)];
}

/** The name that is asked for in TLS: 'outbound_.9080_.v1_.reviews.default.svc.cluster.local'. */
const serverNameOf = ({ port, subset, host }: Pick<Cluster, 'port' | 'subset' | 'host'>): string =>
  `outbound_.${port}_.${subset || '_'}_.${host.name}`.replace('_.__.', '_._.');

/** Undefined: in plain bytes. By default as the endpoint's side wants it, where it has a proxy. */
export function greetingOf(
  cluster: Pick<Cluster, 'port' | 'subset' | 'host' | 'tls'>,
  { pod, port }: Endpoint,
  { mesh, identity }: Workload,
  { read }: Look,
): MeshHello | { readonly serverName: string } | undefined {
  const { tls, host } = cluster;
  if (tls === 'DISABLE') return undefined;
  if (tls === 'SIMPLE' || tls === 'MUTUAL') return { serverName: host.name };
  const labels = pod?.metadata.labels ?? {};
  const hasProxy = labels['security.istio.io/tlsMode'] === 'istio';
  if (tls !== 'ISTIO_MUTUAL') {
    if (!hasProxy || !mesh.autoMtls) return undefined;
    const target = { namespace: pod?.metadata.namespace ?? '', labels };
    if (mtlsModeOf(read, target, port, mesh) === 'DISABLE') return undefined;
  }
  return meshHello(serverNameOf(cluster), identity);
}

/** The request to an endpoint of a cluster; undefined: there is none. */
export function sendTo(
  cluster: Cluster,
  workload: Workload,
  asked: Pick<ProxyRequest, 'method' | 'body'> & { readonly path: string; readonly headers: Record<string, string> },
  note: Note,
  look: Look,
): Forward | undefined {
  const endpoint = pickEndpoint(cluster, look);
  if (!endpoint) return undefined;
  const hello = greetingOf(cluster, endpoint, workload, look);
  const { address, port } = endpoint;
  const left = note.deadline === 0 ? NO_TIMEOUT : Math.max(1, note.deadline - look.now);
  const own: Note = { ...note, cluster: cluster.name, upstream: `${address}:${port}` };
  return {
    ...{ address, port, isTls: hello !== undefined, ...(hello ? { hello } : {}) },
    ...{ method: asked.method, path: asked.path, body: asked.body },
    headers: { ...asked.headers, 'x-envoy-attempt-count': String(note.tried + 1) },
    timeout: note.perTry > 0 ? Math.min(note.perTry, left) : left,
    note: own,
  };
}

export const operationsIn = (note: Note): readonly (HeaderOperations | undefined)[] =>
  note.response as unknown as readonly (HeaderOperations | undefined)[];
