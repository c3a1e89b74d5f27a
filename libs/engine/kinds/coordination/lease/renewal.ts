import type { Lease } from '../../../api/coordination_v1.js';
import type { Reader } from '../../../machinery/client.js';
import { microTimestamp, parseTimestamp, SECOND, type Millis } from '../../../machinery/time/time.js';
import { kind as Nodes } from '../../core/node/kind.js';
import { kind as Components } from '../../terrarium/component/kind.js';
import { clockSkewOf } from '../../terrarium/fault/kind.js';
import { isKubeletRunning } from '../../terrarium/noderuntime/kind.js';

const NODES = 'kube-node-lease';
const KUBELET_EVERY = 10 * SECOND;
const LEADER_EVERY = 2 * SECOND;

/** How often the lease's holder renews it; undefined when that is nobody of ours, or it is dead. */
function renewedEvery({ metadata: { namespace, name = '' }, spec }: Lease, read: Reader): Millis | undefined {
  if (namespace === NODES) {
    const node = read.get(Nodes, { namespace: '', name });
    const alive = node?.status.conditions?.some((c) => c.type === 'Ready' && c.status !== 'Unknown');
    return alive && spec.holderIdentity === name && isKubeletRunning(read, name) ? KUBELET_EVERY : undefined;
  }
  if (namespace !== 'kube-system') return undefined;
  if (name.startsWith('apiserver-')) return KUBELET_EVERY;
  if (name !== 'kube-controller-manager' && name !== 'kube-scheduler') return undefined;
  return read.get(Components, { namespace: '', name })?.spec.enabled === false ? undefined : LEADER_EVERY;
}

/** The lease as its holder would have renewed it by now. Models component-helpers/apimachinery/lease. */
export function renewLease(lease: Lease, now: Millis, read: Reader): Lease {
  const every = lease.spec.renewTime ? renewedEvery(lease, read) : undefined;
  if (every === undefined) return lease;
  const written = parseTimestamp(lease.spec.renewTime!);
  const missed = Math.floor((now - written) / every);
  if (missed <= 0) return lease;
  const skew = lease.metadata.namespace === NODES ? clockSkewOf(read, lease.metadata.name ?? '') : 0;
  return { ...lease, spec: { ...lease.spec, renewTime: microTimestamp(written + missed * every + skew) } };
}
