import type { APIResource } from '../../api/meta_v1.js';
import { ALL_VERBS, defineKind, type Kind, type Verb } from '../../machinery/kind.js';
import type { PodHttpAnswer } from '../../machinery/requests/http.js';
import type { Server } from '../server.js';
import { backendOf, type RemoteService } from './remote-services.js';

/** Who asks: the aggregator itself. Models kube-aggregator/pkg/apiserver handler_discovery.go. */
const AGGREGATOR = { 'x-remote-user': 'system:kube-aggregator', 'x-remote-group': 'system:masters' };
const MAX_RESOURCES = 500;

/** A GET of a Service that serves an API group, which leaves no trace there; undefined when it does not answer well. */
export function askRemote(server: Server, service: RemoteService, path: string): PodHttpAnswer | undefined {
  const backend = backendOf(server.state, service);
  if ('error' in backend || !backend.pod) return undefined;
  const headers = { accept: 'application/json', ...AGGREGATOR };
  const request = { scheme: 'https', port: backend.port, method: 'GET', path, headers, body: '' } as const;
  const answer = server.dial?.(backend.pod, request, server.state.now);
  return answer && !('error' in answer) && answer.status === 200 ? answer : undefined;
}

/** The resources of a version that its Service names; none when it does not answer, or in other words. */
export function askResources(server: Server, service: RemoteService): readonly Kind[] {
  const { group = '', version = '' } = service.spec;
  const body = askRemote(server, service, `/apis/${group}/${version}`)?.body ?? '';
  const resources = readResources(body);
  return resources
    .filter(({ name }) => !name.includes('/'))
    .map((resource) => remoteKind(group, version, resource, resources));
}

function readResources(text: string): readonly APIResource[] {
  try {
    const { resources } = JSON.parse(text) as { readonly resources?: unknown };
    return Array.isArray(resources) ? resources.slice(0, MAX_RESOURCES).filter(isResource) : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

function isResource(value: unknown): value is APIResource {
  const { name, kind, verbs } = (value ?? {}) as Partial<APIResource>;
  return typeof name === 'string' && typeof kind === 'string' && Array.isArray(verbs);
}

/** As much of a kind as discovery prints. */
function remoteKind(group: string, version: string, resource: APIResource, all: readonly APIResource[]): Kind {
  const { name, kind, singularName = '', namespaced, shortNames, categories, verbs } = resource;
  const connects = all
    .filter((one) => one.name.startsWith(`${name}/`))
    .map((one) => [one.name.slice(name.length + 1), { kind: one.kind, verbs: one.verbs }] as const);
  return defineKind({
    ...{ group, version, kind, plural: name, singular: singularName, definition: '' },
    scope: namespaced ? 'Namespaced' : 'Cluster',
    verbs: ALL_VERBS.filter((verb: Verb) => verbs.includes(verb)),
    ...(shortNames ? { shortNames } : {}),
    ...(categories ? { categories } : {}),
    ...(connects.length > 0 ? { subresources: { connects: Object.fromEntries(connects) as never } } : {}),
  });
}
