import type { ServiceReference, WebhookClientConfig } from '../../api/admissionregistration_v1.js';
import type { Reader } from '../../machinery/client.js';
import { caBundleFault } from '../../machinery/crypto/x509/pem.js';
import type {
  CallOutside,
  Dial,
  OutsideAnswer,
  OutsideCall,
  PodHttpAnswer,
  PodHttpRequest,
} from '../../machinery/requests/http.js';
import { isObject, type Json, type JsonObject } from '../../machinery/meta/object.js';
import { jsonType } from '../../machinery/patch/patch.js';
import type { Millis } from '../../machinery/time/time.js';
import { UnusableWebhook, WebhookFailure } from '../../machinery/requests/webhook.js';
import { resolveEndpoint } from '../../runtime/state/backends.js';

/** The parts of the cluster that a call of a webhook needs. */
export interface Caller {
  readonly read: Reader;
  readonly dial: Dial | undefined;
  /** For webhooks that name a URL. */
  readonly outside?: CallOutside | undefined;
  readonly now: Millis;
  /** A fault keeps its answers back. */
  readonly isLate?: boolean;
}

const HTTPS_PORT = 443;
const MAX_ANSWER = 3 * 1024 * 1024;
const UNKNOWN_AUTHORITY = 'tls: failed to verify certificate: x509: certificate signed by unknown authority';
const OUTSIDE = 'calls of addresses outside the cluster are switched off here; let a Service of the cluster answer';
const TYPE_META =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/**
 * POSTs a review to a webhook and returns the JSON object that comes back. `key` names the call within its request, for
 * answers from outside. Throws WebhookFailure, OutsideWanted.
 * Models apiserver/pkg/util/webhook/client.go and client-go/rest/request.go.
 */
export function callWebhook(
  config: WebhookClientConfig,
  review: object,
  timeoutSeconds: number,
  caller: Caller,
  key: () => string,
): JsonObject {
  const authority = hasAuthority(config);
  const { host, path } = addressOf(config);
  const target = `${path}?timeout=${timeoutSeconds}s`;
  const body = JSON.stringify(review);
  const answer = caller.isLate
    ? { status: 200 }
    : config.service
      ? callService(config.service, target, body, caller)
      : callUrl(
          { key: key(), url: `https://${host}${target}`, caBundle: config.caBundle ?? '', timeoutSeconds, body },
          caller,
        );
  const failure = caller.isLate
    ? 'context deadline exceeded'
    : 'error' in answer
      ? answer.error
      : config.service && !authority
        ? UNKNOWN_AUTHORITY
        : (answer.delayMs ?? 0) >= timeoutSeconds * 1000
          ? 'context deadline exceeded'
          : undefined;
  if (failure !== undefined) throw new WebhookFailure(`Post "https://${host}${target}": ${failure}`);
  return decodeBody(answer as PodHttpAnswer);
}

/**
 * Whether the configuration trusts an authority. Pods have no certificates to verify, so that any bundle of readable
 * certificates will do. Throws UnusableWebhook for a bundle that cannot be parsed.
 */
function hasAuthority(config: WebhookClientConfig): boolean {
  const fault = caBundleFault(config.caBundle);
  if (fault) throw new UnusableWebhook(fault);
  return Boolean(config.caBundle);
}

function addressOf({ service, url }: WebhookClientConfig): { host: string; path: string } {
  if (service)
    return {
      host: `${service.name}.${service.namespace}.svc:${service.port ?? HTTPS_PORT}`,
      path: service.path || '/',
    };
  const [, host = '', path] = /^https:\/\/([^/?#]*)([^?#]*)/.exec(url ?? '') ?? [];
  return { host, path: path || '/' };
}

const callUrl = (call: OutsideCall, { outside }: Caller): OutsideAnswer =>
  outside?.(call) ?? { error: `dial tcp: lookup ${/^https:\/\/([^/:?#]*)/.exec(call.url)?.[1] ?? ''}: ${OUTSIDE}` };

function callService(
  service: ServiceReference,
  path: string,
  body: string,
  { read, dial, now }: Caller,
): OutsideAnswer {
  const backend = resolveEndpoint(read, service.namespace, service.name, service.port ?? HTTPS_PORT);
  if ('error' in backend) return backend;
  const host = `${service.name}.${service.namespace}.svc`;
  const headers = {
    host,
    accept: 'application/json, */*',
    'content-type': 'application/json',
    'user-agent': 'kube-apiserver-admission',
  };
  const request: PodHttpRequest = { scheme: 'https', port: backend.port, method: 'POST', path, headers, body };
  return (
    (backend.pod && dial?.(backend.pod, request, now)) ?? {
      error: `dial tcp ${backend.ip}:${backend.port}: connect: connection refused`,
    }
  );
}

function decodeBody({ status, headers, body = '' }: PodHttpAnswer): JsonObject {
  if (status < 200 || status > 206) throw new WebhookFailure(statusMessage(status, body));
  if (body === '')
    throw new WebhookFailure(
      `0-length response with status code: ${status} and content type: ${headers?.['content-type'] || 'application/json'}`,
    );
  const value = body.length > MAX_ANSWER ? 'too long' : parseBody(body);
  if (isObject(value)) return value;
  throw new WebhookFailure(
    `couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonType(value)} into Go value of type ${TYPE_META}`,
  );
}

/** Upstream decodes a body that is not JSON as YAML, in which most texts are strings. */
function parseBody(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/**
 * The message for an HTTP status that is not a success. Models apimachinery/pkg/api/errors NewGenericServerResponse.
 */
function statusMessage(status: number, body: string): string {
  const text = body.trim();
  switch (status) {
    case 401:
      return 'the server has asked for the client to provide credentials';
    case 403:
      return text;
    case 404:
      return 'the server could not find the requested resource';
    case 405:
      return 'the server does not allow this method on the requested resource';
    case 409:
      return 'the server reported a conflict';
    case 413:
      return `the server responded with the status code ${status} but did not return more information`;
    case 415:
      return 'the server was unable to respond with a content type that the client supports';
    case 422:
      return 'the server rejected our request due to an error in our request';
    case 429:
      return 'the server has received too many requests and has asked us to try again later';
    case 503:
      return 'the server is currently unable to handle the request';
    case 504:
      return 'the server was unable to return a response in the time allotted, but may still be processing the request';
    default:
      return status >= 500
        ? `an error on the server (${JSON.stringify(text || 'unknown')}) has prevented the request from succeeding`
        : 'the server rejected our request for an unknown reason';
  }
}
