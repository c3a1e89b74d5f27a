import { isBuiltIn, type Kind, type Verb } from '../../machinery/kind.js';
import { own } from '../../machinery/meta/object.js';
import type { Registry } from '../../runtime/registry.js';
import type { RequestInfo } from './requestinfo.js';

/** What serves a request. */
export type Route =
  | ResourceRoute
  /** Discovery, OpenAPI, health, metrics. */
  | { readonly type: 'nonResource' }
  /** No handler has the path: 404 as a page of text. */
  | { readonly type: 'notFound' }
  /** A path below a served version that names no resource: 404 as a Status. */
  | { readonly type: 'unknownResource' }
  /** A custom kind without that subresource. */
  | { readonly type: 'unknownSubresource'; readonly kind: Kind; readonly name: string };

export interface ResourceRoute {
  readonly type: 'resource';
  readonly kind: Kind;
  /** '' for all namespaces and for cluster-scoped kinds. */
  readonly namespace: string;
  /** '' for the collection. */
  readonly name: string;
  readonly subresource: string;
  /** Undefined for a method that the path does not take. */
  readonly verb: Verb | undefined;
  /** The path behind a proxy, decoded and clean: '/a/b'; '' when the path ends before. */
  readonly tail: string;
}

const UNKNOWN_RESOURCE: Route = { type: 'unknownResource' };
const NOT_FOUND: Route = { type: 'notFound' };
const NON_RESOURCE: Route = { type: 'nonResource' };

/** Resolves a parsed URL against the kinds that are served. */
export function findRoute(registry: Registry, info: RequestInfo, method: string): Route {
  if (hasEmptySegment(info.path)) return /^\/apis?\//.test(info.path) ? UNKNOWN_RESOURCE : NOT_FOUND;
  if (!info.isResourceRequest) return NON_RESOURCE;
  const route = findResource(registry, info, method);
  return route === UNKNOWN_RESOURCE && !isBuiltInGroup(registry, info.apiGroup) ? NOT_FOUND : route;
}

function findResource(registry: Registry, info: RequestInfo, method: string): Route {
  const { apiGroup, apiVersion, isNamespaced, verb } = info;
  const [plural, name = '', subresource = '', ...more] = info.parts;
  const kind = registry.resource(apiGroup, apiVersion, plural!);
  if (!kind || kind.internal || verb === 'proxy') return UNKNOWN_RESOURCE;
  if (more.length > 0 && subresource !== 'proxy') return UNKNOWN_RESOURCE;
  // /watch/ leads to resources alone.
  if (verb === 'watch' && subresource !== '') return UNKNOWN_RESOURCE;
  if (isNamespaced !== (kind.scope === 'Namespaced') && (isNamespaced || name !== '')) return UNKNOWN_RESOURCE;
  if (subresource && !hasSubresource(kind, subresource))
    return isBuiltIn(kind) ? UNKNOWN_RESOURCE : { type: 'unknownSubresource', kind, name };
  return {
    type: 'resource',
    kind,
    namespace: isNamespaced ? info.namespace : '',
    name,
    subresource,
    verb: servedVerb(verb, method, name),
    tail: subresource === 'proxy' ? tailOf(more, info.path.endsWith('/')) : '',
  };
}

/** HEAD is authorized as GET but not served; /watch/ takes GET alone; updates and patches are of one object. */
function servedVerb(verb: string, method: string, name: string): Verb | undefined {
  if (verb === '' || method === 'HEAD' || (verb === 'watch' && method !== 'GET')) return undefined;
  if (name === '' && (verb === 'update' || verb === 'patch')) return undefined;
  return verb as Verb;
}

/** Models apimachinery/pkg/util/net JoinPreservingTrailingSlash. */
function tailOf(segments: readonly string[], endsWithSlash: boolean): string {
  const clean: string[] = [];
  for (const segment of segments) {
    if (segment === '..') clean.pop();
    else if (segment !== '.') clean.push(segment);
  }
  const path = clean.length > 0 ? `/${clean.join('/')}` : '';
  return endsWithSlash ? `${path}/` : path;
}

/** The path behind a proxy is the backend's, and may have them. */
const hasEmptySegment = (path: string): boolean => path.includes('//') && path.split('/proxy/', 1)[0]!.includes('//');

const isBuiltInGroup = (registry: Registry, group: string): boolean =>
  registry.all().some((kind) => kind.group === group && !kind.internal && isBuiltIn(kind));

function hasSubresource(kind: Kind, name: string): boolean {
  const { status, scale, actions, connects } = kind.subresources ?? {};
  return (
    (name === 'status' && status === true) ||
    (name === 'scale' && scale !== undefined) ||
    (name === 'log' && kind.group === '' && kind.kind === 'Pod') ||
    own(actions, name) !== undefined ||
    own(connects, name) !== undefined
  );
}
