import { type Access, makeAccess } from '../../machinery/auth.js';
import type { ApiRequest } from '../../machinery/http.js';
import { isPathSegmentName } from '../../machinery/meta/validation.js';
import { Query, segmentsOf } from './query.js';
import { own } from '../../machinery/meta/object.js';

const VERBS: Readonly<Record<string, string>> = {
  POST: 'create',
  GET: 'get',
  HEAD: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};
const NAMESPACE_SUBRESOURCES = new Set(['status', 'finalize']);

/** What a request asks to be allowed, from its URL alone. Models apiserver/pkg/endpoints/request/requestinfo.go. */
export function accessOf(request: Pick<ApiRequest, 'method' | 'path' | 'query'>): Access {
  const segments = segmentsOf(request.path);
  const core = segments[0] === 'api';
  const least = core ? 3 : 4;
  if ((!core && segments[0] !== 'apis') || segments.length < least)
    return makeAccess(request.method.toLowerCase(), { path: request.path });
  const group = core ? '' : segments[1]!;
  let rest = segments.slice(least - 1);
  let verb = own(VERBS, request.method) ?? '';
  if ((rest[0] === 'watch' || rest[0] === 'proxy') && rest.length > 1) [verb, rest] = [rest[0], rest.slice(1)];
  let namespace = '';
  if (rest[0] === 'namespaces' && rest.length > 1) {
    namespace = rest[1]!;
    if (rest.length > 2 && !NAMESPACE_SUBRESOURCES.has(rest[2]!)) rest = rest.slice(2);
  }
  const [resource = '', name = '', subresource = ''] = rest;
  const query = new Query(request.query);
  const fieldSelector = query.text('fieldSelector');
  if (name === '' && verb === 'get') verb = query.flag('watch') ? 'watch' : 'list';
  if (name === '' && verb === 'delete') verb = 'deletecollection';
  const collection = verb === 'list' || verb === 'watch' || verb === 'deletecollection';
  return {
    verb,
    group,
    resource,
    subresource,
    namespace,
    name: name || (collection ? selectedName(fieldSelector) : ''),
    ...(fieldSelector ? { fieldSelector } : {}),
  };
}

/** The one object that a field selector names. */
function selectedName(fieldSelector: string): string {
  const name = /(?:^|,)metadata\.name==?([^,]+)/.exec(fieldSelector)?.[1] ?? '';
  return isPathSegmentName(name).length === 0 ? name : '';
}
