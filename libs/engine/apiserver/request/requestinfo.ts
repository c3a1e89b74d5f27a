import type { ApiRequest } from '../../machinery/http.js';
import { isPathSegmentName } from '../../machinery/meta/validation.js';
import type { Query } from './query.js';
import { unescapePath } from './unescape.js';

/**
 * What a request's method and URL say, parsed once: authorization, routing and metrics all read it. Models
 * apiserver/pkg/endpoints/request/requestinfo.go.
 */
export interface RequestInfo {
  /** False for discovery, health, metrics and every other path that names no API resource. */
  readonly isResourceRequest: boolean;
  /** The URL's path as the client has escaped it. */
  readonly path: string;
  /**
   * The verb of the API ('list', 'deletecollection'), '' for a method that has none. For a non-resource request the
   * method in lower case.
   */
  readonly verb: string;
  /** 'api' or 'apis'. This and the fields down to `name` are '' in a non-resource request. */
  readonly apiPrefix: string;
  /** '' for the core group. */
  readonly apiGroup: string;
  readonly apiVersion: string;
  /** The Namespace that the path goes through or ends at; '' for all and for cluster-scoped resources. */
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  /** The object's name in the path; for a collection the one name that its field selector requires. */
  readonly name: string;
  /** The decoded path from the resource on: resource, name, subresource and the rest. Otherwise the whole path. */
  readonly parts: readonly string[];
  /** Tells '/namespaces/a/namespaces/a', a resource within a Namespace, from '/namespaces/a', the Namespace itself. */
  readonly isNamespaced: boolean;
  /** The query's field selector; '' in a non-resource request. */
  readonly fieldSelector: string;
}

/** Path prefixes that are verbs. Upstream serves /watch/ still; /proxy/ is gone, but is authorized as before. */
const SPECIAL_VERBS = new Set(['watch', 'proxy']);
const SPECIAL_VERBS_WITHOUT_SUBRESOURCES = new Set(['proxy']);
/** Tell '/namespaces/a/status', a subresource, from '/namespaces/a/pods', a resource within the Namespace. */
const NAMESPACE_SUBRESOURCES = new Set(['status', 'finalize']);

/** Throws 400: a bad escape. Models RequestInfoFactory.NewRequestInfo. */
export function newRequestInfo({ method, path }: Pick<ApiRequest, 'method' | 'path'>, query: Query): RequestInfo {
  const segments = splitPath(path);
  const apiPrefix = segments[0] ?? '';
  const versionAt = apiPrefix === 'api' ? 1 : 2;
  if ((apiPrefix !== 'api' && apiPrefix !== 'apis') || segments.length < versionAt + 2)
    return nonResourceInfo(method, path, segments);

  let rest = segments.slice(versionAt + 1);
  let verb = verbOfMethod(method);
  if (rest.length > 1 && SPECIAL_VERBS.has(rest[0]!)) [verb, rest] = [rest[0]!, rest.slice(1)];

  const namespace = rest[0] === 'namespaces' ? (rest[1] ?? '') : '';
  const isNamespaced = namespace !== '' && rest.length > 2 && !NAMESPACE_SUBRESOURCES.has(rest[2]!);
  const parts = isNamespaced ? rest.slice(2) : rest;

  const [resource = '', nameInPath = '', third = ''] = parts;
  if (nameInPath === '') verb = verbOfCollection(verb, query);
  const fieldSelector = query.text('fieldSelector');
  return {
    isResourceRequest: true,
    path,
    verb,
    apiPrefix,
    apiGroup: apiPrefix === 'api' ? '' : segments[1]!,
    apiVersion: segments[versionAt]!,
    namespace,
    resource,
    subresource: SPECIAL_VERBS_WITHOUT_SUBRESOURCES.has(verb) ? '' : third,
    name: nameInPath || (isCollectionVerb(verb) ? requiredName(fieldSelector) : ''),
    parts,
    isNamespaced,
    fieldSelector,
  };
}

const nonResourceInfo = (method: string, path: string, parts: readonly string[]): RequestInfo => ({
  isResourceRequest: false,
  path,
  verb: method.toLowerCase(),
  apiPrefix: '',
  apiGroup: '',
  apiVersion: '',
  namespace: '',
  resource: '',
  subresource: '',
  name: '',
  parts,
  isNamespaced: false,
  fieldSelector: '',
});

/** Escapes are decoded before the split, as Go's URL.Path; empty segments do not count. */
const splitPath = (path: string): string[] =>
  unescapePath(path)
    .split('/')
    .filter((segment) => segment !== '');

function verbOfMethod(method: string): string {
  switch (method) {
    case 'POST':
      return 'create';
    case 'GET':
    case 'HEAD':
      return 'get';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return 'delete';
    default:
      return '';
  }
}

function verbOfCollection(verb: string, query: Query): string {
  if (verb === 'get') return query.flag('watch') ? 'watch' : 'list';
  return verb === 'delete' ? 'deletecollection' : verb;
}

const isCollectionVerb = (verb: string): boolean => verb === 'list' || verb === 'watch' || verb === 'deletecollection';

/** The one object that a field selector names, so that a role for that name allows to list or watch it. */
function requiredName(fieldSelector: string): string {
  if (fieldSelector === '') return '';
  const name = /(?:^|,)metadata\.name==?([^,]+)/.exec(fieldSelector)?.[1] ?? '';
  return isPathSegmentName(name).length === 0 ? name : '';
}
