import type { ApiRequest } from '../../machinery/requests/http.js';
import { isPathSegmentName } from '../../machinery/meta/validation.js';
import type { RequestInfo } from '../../machinery/requests/request-info.js';
import type { Query } from '../../machinery/requests/query.js';
import { unescapePath } from '../../machinery/requests/unescape.js';

export type { RequestInfo };

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
function splitPath(path: string): string[] {
  const text = unescapePath(path);
  const segments: string[] = [];
  for (let start = 0; start < text.length;) {
    const slash = text.indexOf('/', start);
    const end = slash < 0 ? text.length : slash;
    if (end > start) segments.push(text.slice(start, end));
    start = end + 1;
  }
  return segments;
}

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
