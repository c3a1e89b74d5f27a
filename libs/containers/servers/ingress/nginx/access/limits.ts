import type { Ingress } from '../../../../../engine/api/networking_v1.js';
import type { Plain } from '../../../../../engine/kernel/process/program.js';
import type { Look, ProxyRequest } from '../../../proxy/proxy.js';
import { annotation, isInRanges, listOf, numberOf } from '../config/annotations.js';

/** Clients that a zone remembers. */
const MAX_CLIENTS = 2_000;
const BURST_MULTIPLIER = 5;

interface Bucket {
  readonly excess: number;
  readonly at: number;
}

/**
 * Whether a request is more than limit-rps, limit-rpm or limit-connections let a client have: 503. Models nginx's
 * limit_req (a leaky bucket, nodelay) and limit_conn.
 */
export function isTooMuch(ingress: Ingress, { client }: ProxyRequest, look: Look): boolean {
  if (isInRanges(client, [...listOf(ingress, 'limit-whitelist'), ...listOf(ingress, 'limit-allowlist')])) return false;
  const zone = `${ingress.metadata.namespace}_${ingress.metadata.name}_${ingress.metadata.uid ?? ''}`;
  const connections = numberOf(ingress, 'limit-connections') ?? 0;
  if (connections > 0 && activeOf(look, zone, client) >= connections) return true;
  const burst = numberOf(ingress, 'limit-burst-multiplier') ?? BURST_MULTIPLIER;
  const perSecond = numberOf(ingress, 'limit-rps') ?? 0;
  if (perSecond > 0 && !fill(look, `${zone}_rps ${client}`, perSecond, perSecond * burst)) return true;
  const perMinute = numberOf(ingress, 'limit-rpm') ?? 0;
  return perMinute > 0 && !fill(look, `${zone}_rpm ${client}`, perMinute / 60, perMinute * burst);
}

/** What a request's note says of its zone, so that those under way can be counted. */
export const zoneOf = (ingress: Ingress, { client }: ProxyRequest): string =>
  annotation(ingress, 'limit-connections') === undefined
    ? ''
    : `${ingress.metadata.namespace}_${ingress.metadata.name}_${ingress.metadata.uid ?? ''} ${client}`;

const activeOf = ({ active }: Look, zone: string, client: string): number =>
  active.filter((note) => (note as { zone?: string } | null)?.zone === `${zone} ${client}`).length;

/** A leaky bucket, with a name of its own. False: it runs over, and nothing is put in. */
export function fill({ memory, now }: Look, key: string, perSecond: number, burst: number): boolean {
  const buckets = (memory['buckets'] ??= {}) as Record<string, Plain>;
  const before = buckets[key] as Bucket | undefined;
  const excess = before ? Math.max(0, before.excess - (perSecond * (now - before.at)) / 1_000) + 1 : 0;
  if (excess > burst) return false;
  delete buckets[key];
  const [oldest] = Object.keys(buckets);
  if (oldest !== undefined && Object.keys(buckets).length >= MAX_CLIENTS) delete buckets[oldest];
  buckets[key] = { excess, at: now };
  return true;
}
