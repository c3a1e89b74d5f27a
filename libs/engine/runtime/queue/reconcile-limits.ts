import { SECOND, type Millis } from '../../machinery/time/time.js';
import type { ComponentName, Controller } from '../controller.js';
import { RateLimiter, type RateLimit } from './rate-limiter.js';

/** client-go's default item back-off: 5 ms doubling to 1000 s. */
const BASE_DELAY: Millis = 5;
const MAX_DELAY: Millis = 1000 * SECOND;
const MAX_DOUBLINGS = 30;

/** client-go's default bucket for all retries of one controller (DefaultTypedControllerRateLimiter). */
const RETRIES: RateLimit = { burst: 100, perSecond: 10 };
const ALL_RETRIES = '';

/** One key's reconciles, when its controller declares nothing else. */
export const DEFAULT_RATE_LIMIT: RateLimit = { burst: 100, perSecond: 10 };

/**
 * Changes that one user of a controller may make beyond the sustained rate: a rollout of 5,000 pods stays below, so
 * that it is never slowed.
 */
const WRITE_BURST = 20_000;

/**
 * In changes. One that changes nothing costs, too: thousands of pods that no node has room for are tried again and
 * again.
 */
const COST_OF_RECONCILE = 0.1;

/** The queries per second of upstream's clients (--kube-api-qps, kubeAPIQPS, clientConnection.qps), for changes. */
const WRITES_PER_SECOND: Readonly<Record<ComponentName, number>> = {
  'kube-controller-manager': 20,
  'cloud-controller-manager': 20,
  'kube-scheduler': 50,
  kubelet: 50,
  'kube-proxy': 5,
  // What the API server does on its own has no client there; it keeps up with what the others write.
  terrarium: 200,
};

/** A key that may not be reconciled yet. */
export interface Wait {
  /** What it waits for: keys that wait for the same are woken together. */
  readonly name: string;
  /** Whole ms. */
  readonly delay: Millis;
}

type Buckets = readonly (readonly [string, Millis])[];

/** What limits a controller at a moment, as plain data. */
export interface SavedLimits {
  readonly keys: Buckets;
  readonly writes: Buckets;
  readonly retries: Buckets;
  /** By key, how often in a row it has failed. */
  readonly failures: readonly (readonly [string, number])[];
}

const NO_LIMITS: SavedLimits = { keys: [], writes: [], retries: [], failures: [] };

/**
 * The rates at which one controller works, in virtual time: they end the fights of controllers with each other, with
 * admission or with themselves, which on a real cluster the network slows down. See docs/decisions/0013. Models
 * client-go/util/workqueue/default_rate_limiters.go and client-go/util/flowcontrol.
 */
export class ReconcileLimits {
  private readonly keys: RateLimiter;
  private readonly writes: RateLimiter;
  private readonly retries = new RateLimiter(RETRIES);
  private readonly writesPerSecond: number;
  /** By key, how often in a row it has failed. */
  private readonly failures = new Map<string, number>();

  constructor({ component, rateLimit = DEFAULT_RATE_LIMIT }: Pick<Controller, 'component' | 'rateLimit'>) {
    this.keys = new RateLimiter(rateLimit);
    this.writesPerSecond = WRITES_PER_SECOND[component];
    this.writes = new RateLimiter({ burst: WRITE_BURST, perSecond: this.writesPerSecond });
  }

  /**
   * Undefined when the key may be reconciled now. A user who has no writes left waits until it has those of a second.
   */
  waitOf(key: string, actor: string, now: Millis): Wait | undefined {
    if (this.writes.delay(actor, now) > 0)
      return { name: `writes of ${actor}`, delay: this.writes.delay(actor, now, this.writesPerSecond) };
    const delay = this.keys.delay(key, now);
    return delay > 0 ? { name: `key ${key}`, delay } : undefined;
  }

  /** Charges a reconcile of the key and the changes it has made. */
  charge(key: string, actor: string, now: Millis, changes: number): void {
    this.keys.take(key, now);
    this.writes.take(actor, now, changes + COST_OF_RECONCILE);
  }

  /** Counts a failure of this key; returns how long to wait before the next attempt. */
  backOff(key: string, now: Millis): Millis {
    const failures = this.failures.get(key) ?? 0;
    this.failures.set(key, failures + 1);
    const delay = Math.min(BASE_DELAY * 2 ** Math.min(failures, MAX_DOUBLINGS), MAX_DELAY);
    const turn = this.retries.delay(ALL_RETRIES, now);
    this.retries.take(ALL_RETRIES, now);
    return Math.max(delay, turn);
  }

  /** Forgets the failures of a key that has been reconciled. */
  forget(key: string): void {
    this.failures.delete(key);
  }

  /** Undefined when nothing limits it. */
  save(now: Millis): SavedLimits | undefined {
    const saved = {
      keys: this.keys.save(now),
      writes: this.writes.save(now),
      retries: this.retries.save(now),
      failures: [...this.failures],
    };
    return Object.values(saved).every((list) => list.length === 0) ? undefined : saved;
  }

  restore(saved: SavedLimits = NO_LIMITS): void {
    this.keys.restore(saved.keys);
    this.writes.restore(saved.writes);
    this.retries.restore(saved.retries);
    this.failures.clear();
    for (const [key, count] of saved.failures) this.failures.set(key, count);
  }

  commit(): void {
    for (const limiter of [this.keys, this.writes, this.retries]) limiter.commit();
  }

  rollback(): void {
    for (const limiter of [this.keys, this.writes, this.retries]) limiter.rollback();
  }
}
