import type { Kind } from '../../machinery/kind.js';
import type { Registry } from '../../runtime/registry.js';
import { own } from '../../machinery/meta/object.js';
import { isBuiltIn } from '../response/print.js';
import { segmentsOf } from './query.js';

/** What a path names. */
export type Route =
  | {
      readonly type: 'resource';
      readonly kind: Kind;
      readonly namespace: string;
      readonly name: string;
      readonly subresource: string;
      readonly watch: boolean;
      /** Behind a proxy: '/a/b', decoded and clean; '' when the path ends before. */ readonly tail: string;
    }
  /** A path below a served version that names no resource: answered with a Status. */
  | { readonly type: 'unknownResource' }
  /** A custom kind without that subresource. */
  | { readonly type: 'missing'; readonly kind: Kind; readonly name: string }
  | { readonly type: 'other'; readonly segments: readonly string[] };

const UNKNOWN: Route = { type: 'unknownResource' };
const NAMESPACE_SUBRESOURCES = new Set(['status', 'finalize']);

/** Models apiserver/pkg/endpoints/request/requestinfo.go. */
export function route(registry: Registry, path: string): Route {
  if (hasEmptySegment(path)) return /^\/apis?\//.test(path) ? UNKNOWN : { type: 'other', segments: ['', path] };
  const segments = segmentsOf(path);
  const [group, version, rest] =
    segments[0] === 'api'
      ? ['', segments[1], segments.slice(2)]
      : segments[0] === 'apis'
        ? [segments[1] ?? '', segments[2], segments.slice(3)]
        : ['', undefined, []];
  if (version === undefined || rest.length === 0) return { type: 'other', segments };
  const watch = rest[0] === 'watch' && rest.length > 1;
  const found = resourceRoute(registry, group, version, watch ? rest.slice(1) : rest, watch, path.endsWith('/'));
  return found === UNKNOWN && !isBuiltInGroup(registry, group) ? { type: 'other', segments: ['', path] } : found;
}

function resourceRoute(
  registry: Registry,
  group: string,
  version: string,
  rest: readonly string[],
  watch: boolean,
  slash: boolean,
): Route {
  const inNamespace =
    rest[0] === 'namespaces' &&
    rest.length >= 3 &&
    !(group === '' && rest.length === 3 && NAMESPACE_SUBRESOURCES.has(rest[2]!));
  const [plural, name = '', subresource = '', ...more] = inNamespace ? rest.slice(2) : rest;
  const kind = registry.resource(group, version, plural!);
  if (!kind || kind.internal || (more.length > 0 && subresource !== 'proxy')) return UNKNOWN;
  const namespaced = kind.scope === 'Namespaced';
  if (inNamespace !== namespaced && (inNamespace || name !== '')) return UNKNOWN;
  if (subresource && !hasSubresource(kind, subresource))
    return isBuiltIn(kind) ? UNKNOWN : { type: 'missing', kind, name };
  return {
    type: 'resource',
    kind,
    namespace: inNamespace ? rest[1]! : '',
    name,
    subresource,
    watch,
    tail: subresource === 'proxy' ? tailOf(more, slash) : '',
  };
}

/** Models apimachinery/pkg/util/net JoinPreservingTrailingSlash. */
function tailOf(segments: readonly string[], slash: boolean): string {
  const clean: string[] = [];
  for (const segment of segments.join('/').split('/')) {
    if (segment === '..') clean.pop();
    else if (segment !== '' && segment !== '.') clean.push(segment);
  }
  const path = clean.length > 0 ? `/${clean.join('/')}` : '';
  return slash ? `${path}/` : path;
}

/** What is behind a proxy may be anything. */
const hasEmptySegment = (path: string): boolean => path.includes('//') && path.split('/proxy/', 1)[0]!.includes('//');

const isBuiltInGroup = (registry: Registry, group: string): boolean =>
  registry.all().some((k) => k.group === group && !k.internal && isBuiltIn(k));

const hasSubresource = (kind: Kind, name: string): boolean => {
  const { status, scale, actions, connects } = kind.subresources ?? {};
  return (
    (name === 'status' && status === true) ||
    (name === 'scale' && scale !== undefined) ||
    (name === 'log' && kind.group === '' && kind.kind === 'Pod') ||
    own(actions, name) !== undefined ||
    own(connects, name) !== undefined
  );
};
