import type { Client } from '../../machinery/client.js';
import type { Controller } from '../controller.js';
import type { EventSource } from '../events.js';
import type { Millis } from '../../machinery/time/time.js';
import { ReconcileLimits, type SavedLimits } from './reconcile-limits.js';
import { WorkQueue } from './work-queue.js';

/**
 * One controller of one cluster, with its queue, its limits and its clients. Most controllers of most clusters never
 * run: they are to cost next to nothing.
 */
export class Runner {
  readonly queue = new WorkQueue();
  /** The revision that its writes record as their cause. */
  cause = 0;
  private clients: Map<string, Client> | undefined;
  private limited: ReconcileLimits | undefined;

  constructor(
    readonly controller: Controller,
    /** What the controller's `attach` has returned. */
    readonly attached: unknown,
    private readonly newClient: (actor: string, cause: () => number) => Client,
  ) {}

  get limits(): ReconcileLimits {
    return (this.limited ??= new ReconcileLimits(this.controller));
  }

  /** Undefined when nothing limits it. */
  saveLimits(now: Millis): SavedLimits | undefined {
    return this.limited?.save(now);
  }

  restoreLimits(saved: SavedLimits | undefined): void {
    if (saved || this.limited) this.limits.restore(saved);
  }

  clientFor(actor: string): Client {
    const clients = (this.clients ??= new Map());
    let client = clients.get(actor);
    if (!client) clients.set(actor, (client = this.newClient(actor, () => this.cause)));
    return client;
  }

  get eventSource(): EventSource {
    const { name, eventSource = `${name}-controller` } = this.controller;
    return { component: eventSource };
  }
}
