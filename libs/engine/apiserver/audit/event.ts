import type { AuditLevel, AuditStage } from '../../kinds/terrarium/noderuntime/api-server-configuration.js';
import type { RequestInfo } from '../../machinery/requests/request-info.js';
import type { User } from '../../machinery/requests/user.js';

/** A longer event is written without its objects, as upstream's truncating backend does. */
const MAX_EVENT_CHARACTERS = 100 * 1024;

/** One request, as its events tell of it; shapes are audit.k8s.io/v1 Event's. */
export interface AuditedRequest {
  readonly level: AuditLevel;
  readonly auditID: string;
  readonly requestURI: string;
  readonly info: RequestInfo;
  /** Absent: nobody was recognized. */
  readonly user: User | undefined;
  readonly impersonated: User | undefined;
  readonly sourceIP: string;
  readonly userAgent: string | undefined;
  /** metav1.MicroTime. */
  readonly at: string;
  /** What the body adds to the reference: the name of an object that is created. */
  readonly subject: {
    readonly namespace?: string;
    readonly name?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
  };
  readonly requestObject: unknown;
  readonly annotations: Readonly<Record<string, string>>;
}

export interface AuditedResponse {
  readonly status: { readonly code: number; readonly [field: string]: unknown };
  readonly object: unknown;
}

/** One line of the log. `response`: absent at RequestReceived. Models apiserver/pkg/apis/audit/v1, and its log. */
export function formatEvent(request: AuditedRequest, stage: AuditStage, response?: AuditedResponse): string {
  const line = print(request, stage, response, true);
  return `${line.length > MAX_EVENT_CHARACTERS ? print(request, stage, response, false) : line}\n`;
}

function print(
  request: AuditedRequest,
  stage: AuditStage,
  response: AuditedResponse | undefined,
  whole: boolean,
): string {
  const { level, auditID, requestURI, info, user, impersonated, sourceIP, userAgent, at, annotations } = request;
  const shown = whole && (level === 'Request' || level === 'RequestResponse');
  const notes = whole ? annotations : { ...annotations, 'audit.k8s.io/truncated': 'true' };
  const event = {
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level,
    auditID,
    stage,
    requestURI,
    verb: info.verb,
    user: userInfo(user),
    ...(impersonated ? { impersonatedUser: userInfo(impersonated) } : {}),
    sourceIPs: [sourceIP],
    ...(userAgent ? { userAgent } : {}),
    ...(info.isResourceRequest ? { objectRef: referenceOf(info, response ? request.subject : {}) } : {}),
    ...(response ? { responseStatus: { metadata: {}, ...response.status } } : {}),
    ...(shown && response && request.requestObject !== undefined ? { requestObject: request.requestObject } : {}),
    ...(shown && level === 'RequestResponse' && response?.object !== undefined
      ? { responseObject: response.object }
      : {}),
    requestReceivedTimestamp: at,
    stageTimestamp: at,
    ...(response && Object.keys(notes).length > 0 ? { annotations: notes } : {}),
  };
  return escapeAsGo(JSON.stringify(event));
}

const userInfo = (user: User | undefined): object => {
  const { name, uid, groups, extra } = user ?? { name: '', groups: [] };
  return {
    ...(name ? { username: name } : {}),
    ...(uid ? { uid } : {}),
    ...(groups.length > 0 ? { groups } : {}),
    ...(extra && Object.keys(extra).length > 0 ? { extra } : {}),
  };
};

function referenceOf(info: RequestInfo, subject: AuditedRequest['subject']): object {
  const { resource, apiGroup, apiVersion, subresource } = info;
  const namespace = info.namespace || subject.namespace;
  const name = info.name || subject.name;
  return {
    resource,
    ...(namespace ? { namespace } : {}),
    ...(name ? { name } : {}),
    ...(subject.uid ? { uid: subject.uid } : {}),
    ...(apiGroup ? { apiGroup } : {}),
    apiVersion,
    ...(subject.resourceVersion ? { resourceVersion: subject.resourceVersion } : {}),
    ...(subresource ? { subresource } : {}),
  };
}

const ESCAPES: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/** Go's encoder writes these as escapes. */
const escapeAsGo = (json: string): string => json.replace(/[<>&\u2028\u2029]/g, (c) => ESCAPES[c]!);
