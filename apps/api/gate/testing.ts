import { FairQueue, LIMITS, LoopTurns, Metrics, ThreadShare, type TenantLimits } from '@terrarium/host';
import { Gate, type GateOptions } from './gate.js';

export const UNLIMITED: TenantLimits = {
  suspended: false,
  clusters: Infinity,
  nodes: Infinity,
  bytes: Infinity,
  clusterBytes: Infinity,
};

/** What a gate needs of a host. */
export function testHost(): GateOptions['host'] {
  const metrics = new Metrics();
  const threadShare = new ThreadShare(LIMITS);
  const fairQueue = new FairQueue(LIMITS, metrics, threadShare);
  return { fairQueue, loopTurns: new LoopTurns(threadShare), threadShare, metrics };
}

/** A gate that lets every tenant in. */
export const testGate = (host: GateOptions['host'] = testHost(), options: Partial<GateOptions> = {}): Gate =>
  new Gate({ host, tenantLimits: () => UNLIMITED, observers: [], onError: () => undefined, ...options });
