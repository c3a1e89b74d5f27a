import type { Client } from '../../machinery/client.js';
import type { Controller } from '../controller.js';
import type { EventSource } from '../events.js';
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
