import type { ApiEffect, EtcdEffect } from '../faults/index.js';
import { activeEffects } from '../kinds/terrarium/fault/active.js';
import type { Reader } from '../machinery/client.js';
import { ApiError, TextError } from '../machinery/meta/status.js';
import { hash32 } from '../machinery/random.js';
import type { RequestInfo } from '../machinery/requests/request-info.js';
import { SECOND, type Millis } from '../machinery/time/time.js';
import type { User } from '../machinery/requests/user.js';
import { isOwnPath } from './response/refused.js';

/** What etcd's server waits for a request: 5 s and twice the election's time-out. */
const ETCD_TIMEOUT: Millis = 7 * SECOND;
/** What a request may take. */
const REQUEST_TIMEOUT: Millis = 60 * SECOND;
/** A host waits no longer for one request. */
const MAX_WAIT: Millis = 30 * SECOND;
const WRITES: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

/** What a request is, for the faults that concern it. */
export interface FaultedRequest {
  readonly info: RequestInfo;
  readonly user: User | undefined;
  /** Of the query. */
  readonly resourceVersion: string;
  readonly now: Millis;
  /** How many requests there were before: it tells two at one moment apart. */
  readonly count: number;
}

/** How long a request has to wait before it goes on. Throws the error that active faults answer it with. */
export function meetFaults(read: Reader, request: FaultedRequest): Millis {
  const api = activeEffects(read, 'api');
  const etcd = activeEffects(read, 'etcd');
  if ((api.length === 0 && etcd.length === 0) || isOwnPath(request.info.path)) return 0;
  const own = api.filter((effect) => concerns(effect, request));
  for (const effect of own) refuse(effect);
  const waits = own.reduce((sum, { latencyMs = 0 }) => sum + latencyMs, 0);
  if (waits >= REQUEST_TIMEOUT)
    throw new ApiError(504, 'Timeout', 'Timeout: request did not complete within the allotted timeout', {});
  return Math.min(MAX_WAIT, waits + etcd.reduce((sum, effect) => sum + askEtcd(effect, request), 0));
}

function concerns(effect: ApiEffect, request: FaultedRequest): boolean {
  const { verbs, resources, users, percent = 100, seed } = effect;
  const { info, user, now, count } = request;
  if (verbs && !verbs.includes(info.verb)) return false;
  if (resources && !resources.includes(info.resource)) return false;
  if (users && !users.includes(user?.name ?? '')) return false;
  return percent >= 100 || (hash32(`${seed}/${info.path}/${now}`, count) / 2 ** 32) * 100 < percent;
}

function refuse({ fault, code = 500 }: ApiEffect): void {
  if (fault === 'overload')
    throw new TextError(429, 'TooManyRequests', 'Too many requests, please try again later.', { retryAfterSeconds: 1 });
  if (fault === 'error') throw new TextError(code, 'InternalError', STATUS_TEXTS[code] ?? 'Internal Server Error');
}

/** What an API server in trouble, or a load balancer before it, answers: clients put it into words of their own. */
const STATUS_TEXTS: Readonly<Record<number, string>> = {
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

/** What stands in etcd alone: writes, and reads that have to be of now. The watch cache answers the others. */
function askEtcd(effect: EtcdEffect, { info, resourceVersion }: FaultedRequest): Millis {
  if (!info.isResourceRequest || info.verb === 'watch') return 0;
  const isWrite = WRITES.has(info.verb);
  if (effect.fault === 'member' || (!isWrite && resourceVersion === '0')) return 0;
  if (effect.fault === 'quorum') throw new ApiError(500, '', 'etcdserver: request timed out');
  const latency = effect.latencyMs ?? 0;
  if (!isWrite) return 0;
  if (latency >= ETCD_TIMEOUT) throw new ApiError(500, '', 'etcdserver: request timed out');
  return latency;
}
