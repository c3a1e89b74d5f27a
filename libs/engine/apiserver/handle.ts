import type { ApiRequest, ApiResponse, BodyResponse } from '../machinery/http.js';
import { ALL_VERBS, isBuiltIn, type Kind, type Verb } from '../machinery/kind.js';
import { ApiError, badRequest, methodNotAllowed, notAcceptable, notFound } from '../machinery/meta/status.js';
import type { Millis } from '../machinery/time/time.js';
import { handleAction } from './verbs/action.js';
import { authorizeRequest } from './request/authorize.js';
import type { Call } from './call.js';
import { connect } from './connect/connect.js';
import { nonResourceResponse } from './response/nonresource.js';
import { identify, type IdentifiedRequest } from './request/identify.js';
import { list } from './verbs/list.js';
import { logs } from './connect/logs.js';
import { create } from './verbs/create.js';
import { deleteCollection, deleteObject } from './verbs/delete.js';
import { get } from './verbs/get.js';
import { update } from './verbs/update.js';
import { errorFormat, negotiate } from './request/negotiate.js';
import { patch } from './verbs/patch.js';
import { Query } from './request/query.js';
import { newRequestInfo, type RequestInfo } from './request/requestinfo.js';
import { findRoute, type ResourceRoute } from './request/route.js';
import { isPrettyUnparsed, notFoundPage, statusResponse, withWarnings } from './response/writers.js';
import { scale } from './verbs/scale.js';
import type { Server } from './server.js';
import { watch } from './verbs/watch.js';

/** As Go's limit on a request's line and headers. */
const MAX_URL_LENGTH = 1024 * 1024;

/**
 * Serves one request to one cluster's API server: parse, identify, authorize, route, negotiate, decode, act, print. A
 * client's mistake is answered with a Status of 4xx; any other error is a fault of the engine, thrown for the host to
 * log and to answer with 500.
 */
export function handle(server: Server, request: ApiRequest, now: Millis): ApiResponse {
  return answerErrors(request, () => {
    checkLength(request);
    const query = new Query(request.query);
    const info = newRequestInfo(request, query);
    const response = answerErrors(request, () => dispatch(server, request, query, info, now));
    server.requests?.add(request, info, response.status);
    return response;
  });
}

function answerErrors(request: ApiRequest, serve: () => ApiResponse): ApiResponse {
  try {
    return serve();
  } catch (error) {
    if (error instanceof ApiError) return errorResponse(error, request);
    throw error;
  }
}

function checkLength({ path, query }: ApiRequest): void {
  if (path.length + query.length > MAX_URL_LENGTH)
    throw new ApiError(414, 'RequestURITooLong', 'the request URL is too long');
}

const errorResponse = (error: ApiError, request: ApiRequest): BodyResponse =>
  statusResponse(error, errorFormat(request.headers['accept']), isPrettyUnparsed(request));

function dispatch(server: Server, original: ApiRequest, query: Query, info: RequestInfo, now: Millis): ApiResponse {
  const request = identify(server, original, info, now);
  authorizeRequest(request.user, info, server.state);
  const route = findRoute(server.registry, info, request.method);
  switch (route.type) {
    case 'resource':
      return dispatchResource(server, request, query, route, now);
    case 'nonResource':
      if (request.method !== 'GET' && isReadOnly(info)) throw methodNotAllowed();
      return nonResourceResponse(server, request, query, info);
    case 'notFound':
      return notFoundPage();
    case 'unknownSubresource':
      throw notFound(route.kind, route.name);
    case 'unknownResource':
      throw new ApiError(404, 'NotFound', 'the server could not find the requested resource', {});
  }
}

function dispatchResource(
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
  if (!verb || !allows(route, verb)) throw methodNotAllowed();
  const whole = subresource === '' || subresource === 'status';
  const routed = isBuiltIn(kind) ? { collection: name === '' } : undefined;
  const output = negotiate(request.headers['accept'], {
    protobuf: isBuiltIn(kind) && whole,
    convertible: whole && !kind.evaluate,
    watch: verb === 'watch',
    routed,
  });
  if (output.isListMetadata !== undefined && verb !== 'watch') checkShape(kind, output.isListMetadata, verb);
  const call: Call = {
    server,
    request,
    query,
    kind,
    namespace,
    name,
    subresource,
    output,
    now,
    warnings: kind.deprecation ? [kind.deprecation] : [],
  };
  try {
    return subresource && subresource !== 'status' ? dispatchSubresource(call, verb) : dispatchVerb(call, verb);
  } catch (error) {
    // What was warned of is said beside the refusal too.
    if (error instanceof ApiError && call.warnings.length > 0)
      return withWarnings(call.warnings, errorResponse(error, request));
    throw error;
  }
}

/** The metadata of a list is not that of an object. */
function checkShape(kind: Kind, ofList: boolean, verb: Verb): void {
  const isList = verb === 'list' || verb === 'deletecollection';
  if (ofList === isList) return;
  const type = isBuiltIn(kind)
    ? `*${goPackage(kind.group)}.${kind.kind}${isList ? 'List' : ''}`
    : `*unstructured.Unstructured${isList ? 'List' : ''}`;
  throw notAcceptable(
    isList
      ? `you requested PartialObjectMetadata, but the requested object is a list (${type})`
      : `you requested PartialObjectMetadataList, but the requested object is not a list (${type})`,
  );
}

/** Where upstream keeps a group's internal types. */
const goPackage = (group: string): string =>
  group === '' || group === 'events.k8s.io' ? 'core' : group.split('.')[0]!;

/** Non-resource paths that upstream's router serves take GET alone; its other handlers do not look at the method. */
const isReadOnly = ({ parts: [first, , version] }: RequestInfo): boolean =>
  first === 'api' || first === 'version' || (first === 'apis' && version !== undefined);

function allows({ kind, namespace, name, subresource }: ResourceRoute, verb: Verb): boolean {
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
