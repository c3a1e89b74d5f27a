import { authorize } from '../../auth/authorization/authorizer.js';
import { Pods } from '../../kinds/index.js';
import type { AuditConfiguration } from '../../kinds/terrarium/noderuntime/api-server-configuration.js';
import type { Reader } from '../../machinery/client.js';
import type { ApiRequest, ApiResponse } from '../../machinery/requests/http.js';
import type { RequestInfo } from '../../machinery/requests/request-info.js';
import { ApiError } from '../../machinery/meta/status.js';
import { microTimestamp, type Millis } from '../../machinery/time/time.js';
import type { User } from '../../machinery/requests/user.js';
import { accessOf } from '../request/authorize.js';
import { authenticate } from '../request/identify.js';
import { impersonate } from '../request/impersonate.js';
import type { Server } from '../server.js';
import { requestObjectOf, responseObjectOf, subjectOf } from './bodies.js';
import { formatEvent, type AuditedRequest, type AuditedResponse } from './event.js';
import { evaluatePolicy, type AuditDecision } from './policy.js';

/** Where clients outside of the cluster seem to come from: the gateway of its nodes' network. */
const OUTSIDE = '172.18.0.1';
const POD_NAME = 'authentication.kubernetes.io/pod-name';
const LONG_RUNNING_VERBS = new Set(['watch', 'proxy']);
const LONG_RUNNING = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);
const TOO_LONG_FOR_OBJECTS = 256 * 1024;

/** The server's parts that an audit reads and writes. */
type AuditedServer = Pick<Server, 'state' | 'writer' | 'registry' | 'audit'>;

/**
 * Writes the events of a request that was answered, when the policy selects it. Models
 * apiserver/pkg/endpoints/filters/audit.go and authn_audit.go.
 */
export function auditRequest(
  server: AuditedServer,
  configuration: AuditConfiguration,
  request: ApiRequest,
  info: RequestInfo,
  response: ApiResponse,
  now: Millis,
): void {
  const { user, isRefused } = callerOf(server, request, now);
  const decision = evaluatePolicy(configuration.policy, info, user);
  if (decision.level === 'None') return;
  const audited = describe(server, decision, request, info, user, now);
  const answer = answerOf(server, decision, request, info, response);
  const lines = isRefused
    ? [formatEvent({ ...audited, annotations: {} }, 'ResponseStarted', refusal(request))]
    : stagesOf(info, response).map((stage) =>
        decision.omitStages.includes(stage)
          ? ''
          : formatEvent(audited, stage, stage === 'RequestReceived' ? undefined : answer),
      );
  const text = lines.join('');
  if (text !== '') server.audit?.(configuration, text, now);
}

/** Who is meant by a request: whom its caller impersonates. Undefined for one that was not let in. */
export function actorOf(server: AuditedServer, request: ApiRequest, info: RequestInfo, now: Millis): User | undefined {
  const { user } = callerOf(server, request, now);
  return user && actingUser(user, request, info, server.state);
}

function callerOf(
  server: AuditedServer,
  request: ApiRequest,
  now: Millis,
): { readonly user: User | undefined; readonly isRefused: boolean } {
  try {
    return { user: authenticate(server, request, now), isRefused: false };
  } catch (error) {
    if (error instanceof ApiError) return { user: undefined, isRefused: true };
    throw error;
  }
}

/** A stream's end is not the API server's to know here: it is audited when it begins. */
function stagesOf(
  { verb, subresource }: RequestInfo,
  response: ApiResponse,
): ('RequestReceived' | 'ResponseStarted' | 'ResponseComplete')[] {
  const isLong = LONG_RUNNING_VERBS.has(verb) || LONG_RUNNING.has(subresource);
  if (!isLong) return ['RequestReceived', 'ResponseComplete'];
  return response.type === 'body' && response.status >= 400
    ? ['RequestReceived', 'ResponseComplete']
    : ['RequestReceived', 'ResponseStarted', ...(response.type === 'body' ? (['ResponseComplete'] as const) : [])];
}

function describe(
  server: AuditedServer,
  { level, omitManagedFields }: AuditDecision,
  request: ApiRequest,
  info: RequestInfo,
  user: User | undefined,
  now: Millis,
): AuditedRequest {
  const { state, writer } = server;
  const acting = user && actingUser(user, request, info, state);
  const body = requestObjectOf(server.registry, request, info, omitManagedFields);
  const decision = acting && authorize(acting, accessOf(info), state);
  return {
    level,
    auditID: writer.context(user ?? { name: '', groups: [] }).random.uuid(),
    requestURI: request.query === '' ? request.path : `${request.path}?${request.query}`,
    info,
    user,
    impersonated: acting === user ? undefined : acting,
    sourceIP: sourceOf(user, state),
    userAgent: request.headers['user-agent'],
    at: microTimestamp(now),
    subject: subjectOf(body),
    requestObject: body,
    annotations: decision
      ? {
          'authorization.k8s.io/decision': decision.allowed ? 'allow' : 'forbid',
          'authorization.k8s.io/reason': decision.reason ?? '',
        }
      : {},
  };
}

function actingUser(user: User, request: ApiRequest, info: RequestInfo, read: Reader): User {
  try {
    return impersonate(user, request.headers, info, read);
  } catch (error) {
    if (error instanceof ApiError) return user;
    throw error;
  }
}

function sourceOf(user: User | undefined, read: Reader): string {
  const name = user?.extra?.[POD_NAME]?.[0];
  const namespace = user?.name.split(':')[2];
  const pod = name && namespace ? read.get(Pods, { namespace, name }) : undefined;
  return pod?.status.podIP ?? OUTSIDE;
}

function answerOf(
  server: AuditedServer,
  { level, omitManagedFields }: AuditDecision,
  request: ApiRequest,
  info: RequestInfo,
  response: ApiResponse,
): AuditedResponse {
  const isFailure = response.status >= 400;
  const wanted = isFailure || level === 'RequestResponse';
  const isShort = response.type === 'body' && response.body.length <= TOO_LONG_FOR_OBJECTS;
  const object = wanted && isShort ? responseObjectOf(server.registry, response, info, omitManagedFields) : undefined;
  if (!isFailure) return { status: { code: response.status }, object };
  const { status, message, reason, details } = (object ?? {}) as Record<string, unknown>;
  const failure = Object.entries({ status, message, reason, details }).filter(([, value]) => value !== undefined);
  return { status: { ...Object.fromEntries(failure), code: response.status }, object };
}

/** Models authn_audit.go getAuthMethods. */
function refusal({ headers, clientCertificate }: ApiRequest): AuditedResponse {
  const methods = [
    ...(headers['authorization']?.toLowerCase().startsWith('bearer ') ? ['bearer'] : []),
    ...(clientCertificate ? ['x509'] : []),
  ];
  const message =
    methods.length > 0
      ? `Authentication failed, attempted: ${methods.join(', ')}`
      : 'Authentication failed, no credentials provided';
  return { status: { status: 'Failure', message, reason: 'Unauthorized', code: 401 }, object: undefined };
}
