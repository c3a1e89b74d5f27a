import type { ApiResponse } from '../machinery/requests/http.js';
import { ALL_VERBS, isBuiltIn, type Kind, type Verb } from '../machinery/kind.js';
import { ApiError, badRequest, methodNotAllowed, notAcceptable } from '../machinery/meta/status.js';
import type { Millis } from '../machinery/time/time.js';
import type { Call } from './call.js';
import { connect } from './connect/connect.js';
import { logs } from './connect/logs.js';
import { errorResponse } from './error-response.js';
import type { IdentifiedRequest } from './request/identify.js';
import { negotiate, type Output } from './request/negotiate.js';
import { requireReadable } from './request/readable.js';
import type { Query } from '../machinery/requests/query.js';
import type { ResourceRoute } from './request/route.js';
import { withWarnings } from './response/writers.js';
import type { Server } from './server.js';
import { handleAction } from './verbs/action.js';
import { create } from './verbs/create.js';
import { deleteCollection, deleteObject } from './verbs/delete.js';
import { get } from './verbs/get.js';
import { list } from './verbs/list/list.js';
import { patch } from './verbs/patch/patch.js';
import { scale } from './verbs/scale.js';
import { update } from './verbs/update.js';
import { watch } from './verbs/list/watch.js';

/**
 * Serves a request to a resource, its objects or their subresources: negotiates the output and calls the verb's
 * handler. Throws ApiError. Models apiserver/pkg/endpoints/installer.go registerResourceHandlers.
 */
export function serveResource(
  server: Server,
  request: IdentifiedRequest,
  query: Query,
  route: ResourceRoute,
  now: Millis,
): ApiResponse {
  const { kind, namespace, name, subresource, verb } = route;
  if (name === '.' || name === '..')
    throw badRequest(`Name parameter invalid: ${JSON.stringify(name)}: may not be '${name}'`);
  if (kind.subresources?.connects?.[subresource]) return connect(server, request, query, route, now);
  if (kind.evaluate && name)
    throw new ApiError(404, 'NotFound', 'the server could not find the requested resource', {});
  if (!verb || !isAllowed(route, verb)) throw methodNotAllowed();
  const output = negotiateOutput(request, route, verb);
  requireReadable({ server, kind, namespace, name }, verb);
  const warnings = kind.deprecation ? [kind.deprecation] : [];
  const call: Call = { server, request, query, kind, namespace, name, subresource, output, now, warnings };
  try {
    return subresource && subresource !== 'status' ? dispatchSubresource(call, verb) : dispatchVerb(call, verb);
  } catch (error) {
    // An error carries the warnings that were given before it.
    if (error instanceof ApiError && warnings.length > 0) return withWarnings(warnings, errorResponse(error, request));
    throw error;
  }
}

/** Throws 406. */
function negotiateOutput(request: IdentifiedRequest, { kind, name, subresource }: ResourceRoute, verb: Verb): Output {
  const isWhole = subresource === '' || subresource === 'status';
  const output = negotiate(request.headers['accept'], {
    protobuf: isBuiltIn(kind) && isWhole,
    convertible: (isWhole || (subresource === 'scale' && isBuiltIn(kind))) && !kind.evaluate,
    watch: verb === 'watch',
    routed: isBuiltIn(kind) ? { collection: name === '' } : undefined,
  });
  if (output.isListMetadata !== undefined && verb !== 'watch') checkShape(kind, output.isListMetadata, verb);
  return output;
}

/** Throws 406 when an object is requested as the metadata of a list, or a list as the metadata of an object. */
function checkShape(kind: Kind, isListMetadata: boolean, verb: Verb): void {
  const isList = verb === 'list' || verb === 'deletecollection';
  if (isListMetadata === isList) return;
  const type = isBuiltIn(kind)
    ? `*${goPackage(kind.group)}.${kind.kind}${isList ? 'List' : ''}`
    : `*unstructured.Unstructured${isList ? 'List' : ''}`;
  throw notAcceptable(
    isList
      ? `you requested PartialObjectMetadata, but the requested object is a list (${type})`
      : `you requested PartialObjectMetadataList, but the requested object is not a list (${type})`,
  );
}

/** The package of upstream's internal types of a group. */
const goPackage = (group: string): string =>
  group === '' || group === 'events.k8s.io' ? 'core' : group.split('.')[0]!;

/** Whether the resource or the subresource is served for a verb. */
function isAllowed({ kind, namespace, name, subresource }: ResourceRoute, verb: Verb): boolean {
  if (subresource === '') {
    if (!(kind.verbs ?? ALL_VERBS).includes(verb)) return false;
    if (verb === 'create') return name === '' && (kind.scope === 'Cluster' || namespace !== '');
    return verb !== 'deletecollection' || kind.scope === 'Cluster' || namespace !== '';
  }
  if (subresource === 'status' || subresource === 'scale')
    return verb === 'get' || verb === 'update' || verb === 'patch';
  if (subresource === 'log') return verb === 'get';
  return kind.subresources?.actions?.[subresource]?.verbs.includes(verb as 'get') ?? false;
}

function dispatchVerb(call: Call, verb: Verb): ApiResponse {
  switch (verb) {
    case 'get':
      return get(call);
    case 'list':
      return list(call);
    case 'watch':
      return watch(call);
    case 'create':
      return create(call);
    case 'update':
      return update(call);
    case 'patch':
      return patch(call);
    case 'delete':
      return deleteObject(call);
    case 'deletecollection':
      return deleteCollection(call);
  }
}

function dispatchSubresource(call: Call, verb: Verb): ApiResponse {
  if (call.subresource === 'log') return logs(call);
  if (call.subresource === 'scale') return scale(call, verb as 'get' | 'update' | 'patch');
  return handleAction(call, verb as 'get' | 'create' | 'update' | 'patch' | 'delete');
}
