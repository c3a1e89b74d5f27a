import type { Event } from '../../api/core_v1.js';
import type { Client } from '../../machinery/client.js';
import type { ClusterKeys } from '../../machinery/crypto/cluster-keys.js';
import type { Kind } from '../../machinery/kind.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { ApiError } from '../../machinery/meta/status.js';
import type { UsageSource } from '../../machinery/questions/usage.js';
import type { Random } from '../../machinery/random.js';
import type { Millis } from '../../machinery/time/time.js';
import type { Context, Etcd, EventOptions } from '../controller.js';
import { recordEvent } from '../events.js';
import { removeObject } from '../state/remove-object.js';
import type { State } from '../state/state.js';
import type { Runner } from './runner.js';

/** What one reconcile works with. */
export class ReconcileContext implements Context {
  constructor(
    private readonly runner: Runner,
    readonly now: Millis,
    readonly client: Client,
    readonly random: Random,
    readonly cause: number,
    readonly keys: ClusterKeys | undefined,
    private readonly events: Kind<Event>,
    readonly etcd: Etcd,
    readonly usage?: UsageSource,
  ) {}

  as(actor: string): Client {
    return this.runner.clientFor(actor);
  }

  event(
    object: KubeObject,
    type: 'Normal' | 'Warning',
    reason: string,
    message: string,
    options: EventOptions = {},
  ): void {
    const { client, now, events } = this;
    const source = options.source ?? this.runner.eventSource;
    try {
      recordEvent({ client, now, events, source }, object, type, reason, message, options);
    } catch (error) {
      // Recorders never retry what the server rejects: a namespace that is being terminated takes no new events.
      if (!(error instanceof ApiError)) throw error;
    }
  }
}

/** Writes that go past the API server, as those of an actor for a cause. */
export const etcdOf = (state: State, actor: string, cause: number): Etcd => ({
  put: (kind, object) => {
    const draft = { ...object, metadata: { ...object.metadata } };
    state.put(state.resourceOf(kind), draft, actor, cause);
  },
  remove: (kind, key) => removeObject(state, kind, key, actor, cause),
});
