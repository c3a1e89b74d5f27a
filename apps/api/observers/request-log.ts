import type { Logger } from 'pino';
import type { FinishedRequest, GateObserver } from '../gate/observer.js';

const MAX_USER_AGENT_CHARACTERS = 120;
const FIRST_ERROR = 400;
const FIRST_SERVER_ERROR = 500;
/** Verbs of controllers' leader election: each client renews its Lease every two seconds. */
const HEARTBEAT_VERBS: ReadonlySet<string> = new Set(['get', 'update', 'patch']);

/**
 * One line for each request. It has only what is named here: no URL, header, key, token or body, since a query or a
 * path may carry a secret.
 */
export class RequestLog implements GateObserver {
  /** `errors`: only requests that the service has failed to answer. */
  constructor(
    private readonly logger: Pick<Logger, 'info' | 'warn' | 'isLevelEnabled'>,
    private readonly level: 'errors' | 'all',
  ) {}

  started(): void {
    // A request that is never finished shows in terrarium_open_requests.
  }

  finished(request: FinishedRequest): void {
    const isFailure = request.code >= FIRST_SERVER_ERROR;
    if (isFailure) return this.logger.warn(fieldsOf(request), 'request');
    const isLogged = this.level === 'all' && this.logger.isLevelEnabled('info') && !isRoutine(request);
    if (isLogged) this.logger.info(fieldsOf(request), 'request');
  }
}

/** Successes that repeat while nothing happens: probes, scrapes and heartbeats. */
function isRoutine({ edge, verb, code, resource }: FinishedRequest): boolean {
  if (code >= FIRST_ERROR) return false;
  return edge === 'open' || (resource === 'leases' && HEARTBEAT_VERBS.has(verb));
}

function fieldsOf({ edge, verb, resource, code, ms, waitMs, bytes, ...request }: FinishedRequest): object {
  return {
    edge,
    verb,
    resource,
    code,
    ms: roundMs(ms),
    waitMs: roundMs(waitMs),
    bytes,
    tenant: request.tenantId,
    cluster: request.clusterId,
    requestId: request.requestId,
    userAgent: request.userAgent?.slice(0, MAX_USER_AGENT_CHARACTERS),
  };
}

const roundMs = (ms: number): number => Math.round(ms * 10) / 10;
