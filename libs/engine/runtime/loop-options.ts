import type { Event } from '../api/core_v1.js';
import type { Client } from '../machinery/client.js';
import type { ClusterKeys } from '../machinery/crypto/cluster-keys.js';
import type { Kind } from '../machinery/kind.js';
import type { Key } from '../machinery/meta/object.js';
import type { UsageSource } from '../machinery/questions/usage.js';
import type { Millis } from '../machinery/time/time.js';
import type { ComponentName, Controller } from './controller.js';
import type { State } from './state/state.js';

/** 'requeue': the controller asked to run again later. */
export type ReconcileOutcome = 'ok' | 'requeue' | 'error';

/** Measures reconciles: the engine itself has no clock. */
export interface ReconcileObserver {
  /** `queued`: keys that wait behind this one; `at`: virtual time. */
  started(controller: string, key: Key, queued: number, at: Millis): void;
  /** `changes`: how many it has made; `requeueAfter`: virtual ms until it runs again by itself. */
  finished(controller: string, outcome: ReconcileOutcome, changes: number, requeueAfter: Millis | undefined): void;
}

export interface LoopOptions {
  readonly state: State;
  /** In the order in which each round runs them. */
  readonly controllers: readonly Controller[];
  readonly events: Kind<Event>;
  readonly seed: string;
  readonly keys?: ClusterKeys;
  /** What kubelets tell of their pods' use. */
  readonly usage?: UsageSource;
  /** A client that writes as this actor; `cause()` is called at each write. */
  clientFor(actor: string, cause: () => number): Client;
  isEnabled(component: ComponentName, controller: string): boolean;
  /** Errors that reconciles ended with: for diagnostics, they are retried with back-off. */
  onError?(controller: string, key: Key, error: unknown): void;
  readonly observer?: ReconcileObserver;
  /** After each reconcile: what follows from its writes at once is part of them. */
  settle?(): void;
  /** Nothing is left to do at this moment: time goes on, unless this writes something. */
  rest?(): void;
}

export interface Progress {
  /** Nothing left to do before the given time. */
  readonly settled: boolean;
  /** When the next timer is due; undefined when there is none. */
  readonly nextWake: Millis | undefined;
}

/** A source's delay, a controller's own wish or back-off, or a limit of rates. */
export type WakeReason = 'delay' | 'requeue' | 'rate';

/** A key that a controller is to see after a delay. */
export interface WaitingKey {
  readonly controller: string;
  readonly key: Key;
  readonly cause: number;
  readonly due: Millis;
}

/** A key that is reconciled next, unless something happens before. */
export interface Upcoming {
  readonly controller: Controller;
  readonly key: Key;
  readonly cause: number;
  readonly at: Millis;
  readonly why: 'change' | WakeReason;
  readonly queued: number;
  readonly isLoaded?: boolean;
}

/** A reconcile that has run. */
export interface Reconciled {
  readonly controller: Controller;
  readonly key: Key;
  readonly cause: number;
  readonly isLoaded: boolean;
  readonly outcome: ReconcileOutcome;
  readonly error?: unknown;
}
