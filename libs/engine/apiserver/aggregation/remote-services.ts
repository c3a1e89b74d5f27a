import type { APIService } from '../../api/apiregistration_v1.js';
import { APIServices } from '../../kinds/index.js';
import type { Reader } from '../../machinery/client.js';
import { defineKind, type Kind } from '../../machinery/kind.js';
import { METRICS_GROUP, METRICS_VERSION, isMetricsServer } from '../../machinery/questions/metrics-server.js';
import { resolveEndpoint, type Backend } from '../../runtime/state/backends.js';
import type { RequestInfo } from '../request/requestinfo.js';
import { compareVersions, type ServedGroup } from '../nonresource/served-groups.js';

/** So many Services are asked for one document; others count as if they did not answer. */
export const MAX_ASKED = 32;

/** A version of an API group that a Service of the cluster serves. */
export type RemoteService = APIService & { spec: { service: NonNullable<APIService['spec']['service']> } };

export const isRemote = (service: APIService | undefined): service is RemoteService =>
  service?.spec.service !== undefined;

/** What serves a path in the API server's stead. Models kube-aggregator/pkg/apiserver handler_proxy.go. */
export function findRemote(read: Reader, info: RequestInfo): RemoteService | undefined {
  const [group, version] = info.isResourceRequest
    ? [info.apiGroup, info.apiVersion]
    : info.parts.length === 3 && info.parts[0] === 'apis'
      ? [info.parts[1]!, info.parts[2]!]
      : ['', ''];
  if (group === '') return undefined;
  const found = read.get(APIServices, { namespace: '', name: `${version}.${group}` });
  return isRemote(found) ? found : undefined;
}

export const isAvailable = ({ status }: APIService): boolean =>
  status.conditions?.some(({ type, status: is }) => type === 'Available' && is === 'True') ?? false;

/** The process that serves it now, or upstream's error. */
export function backendOf(read: Reader, { spec: { service } }: RemoteService): Backend | { readonly error: string } {
  return resolveEndpoint(read, service.namespace ?? '', service.name ?? '', service.port ?? 443);
}

/** Whether metrics-server is behind it: what it serves is known. */
export function servesMetrics(read: Reader, service: RemoteService): boolean {
  const backend = backendOf(read, service);
  return 'pod' in backend && backend.pod !== undefined && isMetricsServer(backend.pod);
}

const metricKind = (kind: string, plural: string, scope: 'Cluster' | 'Namespaced'): Kind =>
  ({
    ...defineKind({
      ...{ group: METRICS_GROUP, version: METRICS_VERSION, kind, plural, singular: '', scope, definition: '' },
    }),
    verbs: ['get', 'list'],
    evaluate: (object: never) => object,
  }) as unknown as Kind;

export const NODE_METRICS = metricKind('NodeMetrics', 'nodes', 'Cluster');
export const POD_METRICS = metricKind('PodMetrics', 'pods', 'Namespaced');

/**
 * Groups of APIServices that Services serve, as discovery lists them: behind the cluster's own ones, the version of
 * the highest priority first. `ask` reads what a Service says that it serves, when somebody wants to know.
 */
export function remoteGroups(read: Reader, ask: (service: RemoteService) => readonly Kind[]): ServedGroup[] {
  const groups = new Map<string, ServedGroup['versions'][number][]>();
  const services = read.list(APIServices).filter(isRemote);
  services.sort((a, b) => rankOf(b) - rankOf(a) || compareVersions(versionOf(a), versionOf(b)));
  for (const [i, service] of services.entries()) {
    const { group = '' } = service.spec;
    const version = i < MAX_ASKED ? remoteVersion(read, service, ask) : staleVersion(service);
    groups.set(group, [...(groups.get(group) ?? []), version]);
  }
  return [...groups].map(([group, versions]) => ({ group, versions }));
}

const rankOf = ({ spec }: RemoteService): number => spec.versionPriority ?? 0;
const versionOf = ({ spec }: RemoteService): string => spec.version ?? '';

const staleVersion = (service: RemoteService): ServedGroup['versions'][number] => ({
  version: versionOf(service),
  kinds: [],
  isStale: true,
});

/** A Service is asked when somebody wants to know. */
class AnsweredVersion {
  private found: readonly Kind[] | undefined;

  constructor(
    readonly version: string,
    private readonly ask: () => readonly Kind[],
  ) {}

  get kinds(): readonly Kind[] {
    return (this.found ??= this.ask());
  }
}

function remoteVersion(
  read: Reader,
  service: RemoteService,
  ask: (service: RemoteService) => readonly Kind[],
): ServedGroup['versions'][number] {
  const version = versionOf(service);
  if (!isAvailable(service)) return staleVersion(service);
  return new AnsweredVersion(version, () =>
    servesMetrics(read, service) ? [NODE_METRICS, POD_METRICS] : ask(service),
  );
}
