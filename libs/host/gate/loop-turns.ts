import { FlowQueue } from './flow-queue.js';
import { SHARE_POLL_MS, type ThreadShare } from './thread-share.js';

/**
 * Lets one piece of work begin in each iteration of the event loop, tenants by turns. Work that needs only this
 * process's thread (an introspection of GraphQL, a run of a command) would else run one behind the other, however few
 * of them hold a seat, before the loop reads a neighbour's request.
 */
export class LoopTurns {
  private readonly waiting = new FlowQueue<() => void>();
  private isScheduled = false;

  constructor(private readonly share: Pick<ThreadShare, 'waitOf'>) {}

  /** Resolves when the tenant's work may begin. */
  next(tenantId: string): Promise<void> {
    return new Promise((start) => {
      this.waiting.push([tenantId], start);
      if (!this.isScheduled) this.schedule();
    });
  }

  private schedule(): void {
    this.isScheduled = true;
    setImmediate(() => this.startNext());
  }

  private startNext(): void {
    const start = this.waiting.shift((tenantId) => this.share.waitOf(tenantId) === 0);
    start?.();
    if (!start && this.waiting.size > 0) return void setTimeout(() => this.startNext(), SHARE_POLL_MS).unref();
    this.isScheduled = false;
    if (this.waiting.size > 0) this.schedule();
  }
}
