import type { Reader } from '../../machinery/client.js';
import { Clocks } from '../../kinds/index.js';
import type { Random } from '../../machinery/random.js';
import { SECOND, type Millis } from '../../machinery/time/time.js';

/** Bytes a node downloads and unpacks in a second. */
const PULL_BYTES_PER_SECOND = 30_000_000;

/** How long a node's operations take, by the cluster's speed profile; each call draws anew. */
export interface Delays {
  readonly instant: boolean;
  sandbox(): Millis;
  create(): Millis;
  /** By the bytes to be downloaded; a pull always asks the registry first. */
  pull(bytes: number): Millis;
  /** From one sync of a pod until the kubelet gets to the next that follows from it. */
  sync(): Millis;
  /** From a sync that has failed until the next: the network is not there, or anything else. */
  retry(failure: 'network' | 'other'): Millis;
}

/** While the network is not there a kubelet asks soon, and tells of it until its events are held back. */
const RETRY: Millis = 15 * SECOND;

const INSTANT: Delays = {
  instant: true,
  sandbox: () => 0,
  create: () => 0,
  pull: () => 0,
  sync: () => 0,
  retry: () => RETRY,
};

export function delaysFor(read: Reader, random: Random): Delays {
  const clock = read.get(Clocks, { namespace: '', name: 'clock' }) as { spec?: { speedProfile?: string } } | undefined;
  if (clock?.spec?.speedProfile === 'instant') return INSTANT;
  const between = (low: Millis, high: Millis): Millis => Math.round(low + random.next() * (high - low));
  return {
    instant: false,
    sandbox: () => between(300, 1000),
    create: () => between(100, 300),
    pull: (bytes) => between(350, 900) + Math.round((bytes / PULL_BYTES_PER_SECOND) * SECOND),
    sync: () => between(900, 1900),
    // Models pod_workers.go completeWork: backOffOnTransientErrorPeriod, backOffPeriod and their jitter.
    retry: (failure) => (failure === 'network' ? between(1_000, 1_500) : between(10_000, 15_000)),
  };
}
