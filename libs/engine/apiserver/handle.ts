import type { ApiRequest, ApiResponse, BodyResponse } from '../machinery/http.js';
import { ALL_VERBS, type Kind, type Verb } from '../machinery/kind.js';
import { ApiError, badRequest, methodNotAllowed, notAcceptable, notFound } from '../machinery/meta/status.js';
import type { Millis } from '../machinery/time/time.js';
import { act } from './verbs/action.js';
import { authorizeRequest } from './request/authorize.js';
import type { Call } from './call.js';
import { connect } from './connect/connect.js';
import { documentResponse } from './response/documents.js';
import { identify, type IdentifiedRequest } from './request/identify.js';
import { list } from './verbs/list.js';
import { logs } from './connect/logs.js';
import { create, get, remove, removeCollection, update } from './verbs/mutate.js';
import { errorFormat, negotiate } from './request/negotiate.js';
import { patch } from './verbs/patch.js';
import { isBuiltIn } from './response/print.js';
import { Query } from './request/query.js';
import { isPrettyError, statusResponse, withWarnings } from './response/respond.js';
import { route, type Route } from './request/route.js';
import { scale } from './verbs/scale.js';
import type { Server } from './server.js';
import { watch } from './verbs/watch.js';

/** As Go's limit on a request's line and headers. */
const MAX_URL_LENGTH = 1024 * 1024;

/**
 * One request to one cluster's API server: identify, authorize, route, negotiate, decode, act, print. Every mistake of
 * the client is
 * a Status with a 4xx; anything else is a fault of ours, thrown for the host to log and to answer with a 500.
 */
export function handle(server: Server, request: ApiRequest, now: Millis): ApiResponse {
  const response = answered(server, request, now);
  server.requests?.add(request, response.status);
  return response;
}

function answered(server: Server, request: ApiRequest, now: Millis): ApiResponse {
  try {
    return dispatch(server, request, now);
  } catch (error) {
    if (error instanceof ApiError) return refusal(error, request);
    throw error;
  }
}

const refusal = (error: ApiError, request: ApiRequest): BodyResponse =>
  statusResponse(error, errorFormat(request.headers['accept']), isPrettyError(request));

function dispatch(server: Server, asked: ApiRequest, now: Millis): ApiResponse {
  if (asked.path.length + asked.query.length > MAX_URL_LENGTH)
    throw new ApiError(414, 'RequestURITooLong', 'the request URL is too long');
  const request = identify(server, asked, now);
  authorizeRequest(request.user, request, server.state);
  const query = new Query(request.query);
  const found = route(server.registry, request.path);
  if (found.type === 'unknownResource')
    throw new ApiError(404, 'NotFound', 'the server could not find the requested resource', {});
  if (found.type === 'missing') throw notFound(found.kind, found.name);
  if (found.type === 'other') {
    if (request.method !== 'GET' && isRouted(found.segments)) throw methodNotAllowed();
    return documentResponse(server, request, query, found.segments);
  }
  return dispatchResource(server, request, query, found, now);
}

function dispatchResource(
  server: Server,
  request: IdentifiedRequest,
  query: Query,
  found: Extract<Route, { type: 'resource' }>,
  now: Millis,
): ApiResponse {
  const { kind, namespace, name, subresource } = found;
  if (name === '.' || name === '..')
    throw badRequest(`Name parameter invalid: ${JSON.stringify(name)}: may not be '${name}'`);
  if (kind.subresources?.connects?.[subresource]) return connect(server, request, query, found, now);
  const verb = verbOf(request.method, name, found.watch || (name === '' && query.flag('watch')));
  if (kind.evaluate && name)
    throw new ApiError(404, 'NotFound', 'the server could not find the requested resource', {});
  if (!verb || !allows(found, verb)) throw methodNotAllowed();
  const whole = subresource === '' || subresource === 'status';
  const routed = isBuiltIn(kind) ? { collection: name === '' } : undefined;
  const output = negotiate(request.headers['accept'], {
    protobuf: isBuiltIn(kind) && whole,
    convertible: whole && !kind.evaluate,
    watch: verb === 'watch',
    routed,
  });
  if (output.ofList !== undefined && verb !== 'watch') checkShape(kind, output.ofList, verb);
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
    if (error instanceof ApiError && call.warnings.length > 0) return withWarnings(call, refusal(error, request));
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

/** Documents that upstream's router serves, for GET alone; to its other handlers all methods are one. */
const isRouted = ([first, , version]: readonly string[]): boolean =>
  first === 'api' || first === 'version' || (first === 'apis' && version !== undefined);

/** Models requestinfo's verbs. */
function verbOf(method: string, name: string, watching: boolean): Verb | undefined {
  switch (method) {
    case 'GET':
      return watching ? 'watch' : name ? 'get' : 'list';
    case 'POST':
      return 'create';
    case 'PUT':
      return name ? 'update' : undefined;
    case 'PATCH':
      return name ? 'patch' : undefined;
    case 'DELETE':
      return name ? 'delete' : 'deletecollection';
    default:
      return undefined;
  }
}

function allows({ kind, namespace, name, subresource }: Extract<Route, { type: 'resource' }>, verb: Verb): boolean {
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
      return remove(call);
    case 'deletecollection':
      return removeCollection(call);
  }
}

function dispatchSubresource(call: Call, verb: Verb): ApiResponse {
  if (call.subresource === 'log') return logs(call);
  if (call.subresource === 'scale') return scale(call, verb as 'get' | 'update' | 'patch');
  return act(call, verb as 'get' | 'create' | 'update' | 'patch' | 'delete');
}
