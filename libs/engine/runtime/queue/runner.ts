import type { Event } from '../../api/core_v1.js';
import type { Client } from '../../machinery/client.js';
import type { ClusterKeys } from '../../machinery/crypto/cluster-keys.js';
import type { Kind } from '../../machinery/kind.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { ApiError } from '../../machinery/meta/status.js';
import type { UsageSource } from '../../machinery/questions/usage.js';
import type { Random } from '../../machinery/random.js';
import type { Millis } from '../../machinery/time/time.js';
import type { Context, Controller, Etcd, EventOptions } from '../controller.js';
import { recordEvent, type EventSource } from '../events.js';
import { ReconcileLimits } from './reconcile-limits.js';
import { WorkQueue } from './work-queue.js';

/** One controller of one cluster, with its queue and its clients. */
export class Runner {
  readonly queue = new WorkQueue();
  readonly limits: ReconcileLimits;
  /** The revision that its writes record as their cause. */
  cause = 0;
  private readonly clients = new Map<string, Client>();

  constructor(
    readonly controller: Controller,
    /** What the controller's `attach` has returned. */
    readonly attached: unknown,
    private readonly newClient: (actor: string, cause: () => number) => Client,
  ) {
    this.limits = new ReconcileLimits(controller);
  }

  clientFor(actor: string): Client {
    let client = this.clients.get(actor);
    if (!client) this.clients.set(actor, (client = this.newClient(actor, () => this.cause)));
    return client;
  }

  get eventSource(): EventSource {
    const { name, eventSource = `${name}-controller` } = this.controller;
    return { component: eventSource };
  }
}

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
