import type { SessionLimits } from '../session-limits.js';

/** Ends a connection on which nothing is sent for long, and every connection in the end. */
export class ConnectionTimers {
  private idle: NodeJS.Timeout;
  private readonly lifetime: NodeJS.Timeout;

  constructor(
    private readonly limits: Pick<SessionLimits, 'idleMs' | 'sessionMs'>,
    private readonly end: () => void,
  ) {
    this.idle = setTimeout(end, limits.idleMs).unref();
    this.lifetime = setTimeout(end, limits.sessionMs).unref();
  }

  /** Something was sent. */
  restart(): void {
    this.idle.refresh();
  }

  stop(): void {
    clearTimeout(this.idle);
    clearTimeout(this.lifetime);
  }
}
