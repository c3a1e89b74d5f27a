import { ApiError, type AppliedChange, type CommandResult, type ExecResponse } from '@terrarium/engine';
import type { LoadedCluster } from '../clusters/loaded-cluster.js';
import type { FairQueue } from '../gate/fair-queue.js';
import type { LoopTurns } from '../gate/loop-turns.js';
import type { ChangeHistory } from '../log/change-history.js';
import type { EndReason, Listener } from '../watch/broadcaster.js';
import { subscribe } from '../watch/subscription.js';
import type { RunnableCommand, SessionEnd } from './command-stream.js';
import { isContainerRunning, type CommandTarget } from './command-target.js';
import { SESSION_LIMITS, type SessionLimits } from './session-limits.js';

interface SessionTurns {
  readonly fairQueue: Pick<FairQueue, 'acquire' | 'release' | 'recordCost'>;
  readonly loopTurns: Pick<LoopTurns, 'next'>;
}

/**
 * One command in a container, from its upgrade to its end. Each run of it takes a turn as a request of its tenant does,
 * and stands between two runs of the cluster's engine, so that it reads nothing that is not stored.
 */
export class CommandSession implements RunnableCommand {
  readonly limits: SessionLimits;
  private workBytes = 0;
  private totalRunMs = 0;
  private ending: SessionEnd | undefined;
  private onEnding: ((end: SessionEnd) => void) | undefined;
  private unsubscribe: () => void = () => undefined;
  private readonly leaving = new AbortController();

  private constructor(
    readonly response: ExecResponse,
    private readonly cluster: Pick<LoadedCluster, 'row' | 'serial'>,
    private readonly turns: SessionTurns,
    limits: Partial<SessionLimits>,
  ) {
    this.limits = { ...SESSION_LIMITS, ...limits };
  }

  static async open(
    { history, ...turns }: SessionTurns & { readonly history: ChangeHistory },
    cluster: LoadedCluster,
    target: CommandTarget,
    response: ExecResponse,
    limits: Partial<SessionLimits> = {},
  ): Promise<CommandSession> {
    const session = new CommandSession(response, cluster, turns, limits);
    session.unsubscribe = await subscribe(history, cluster, cluster.head, session.listenerOf(target));
    if (session.ending !== undefined) session.unsubscribe();
    return session;
  }

  /**
   * Rejects with ApiError 429 (too many requests wait), 413 (the session has used up its work) and 504 (its time), and
   * when the client has left.
   */
  async run(input: string): Promise<CommandResult> {
    const { tenantId } = this.cluster.row;
    const { workBytes, totalRunMs } = this.limits;
    this.workBytes += input.length;
    if (this.workBytes > workBytes) throw workExceeded(workBytes);
    if (this.totalRunMs > totalRunMs) throw timedOut();
    const { fairQueue, loopTurns } = this.turns;
    await fairQueue.acquire(tenantId, input.length, () => this.leaving.signal);
    try {
      await loopTurns.next(tenantId);
      return await this.cluster.serial.run(() => this.runNow(input));
    } finally {
      fairQueue.release(tenantId);
    }
  }

  onEnd(listener: (end: SessionEnd) => void): void {
    this.onEnding = listener;
    if (this.ending !== undefined) listener(this.ending);
  }

  close(): void {
    this.unsubscribe();
    this.leaving.abort(new Error('the client has left'));
  }

  private runNow(input: string): CommandResult {
    const { tenantId } = this.cluster.row;
    if (this.leaving.signal.aborted) throw this.leaving.signal.reason as Error;
    const startedAt = performance.now();
    const result = this.response.run(input);
    const ms = performance.now() - startedAt;
    this.turns.fairQueue.recordCost(tenantId, 1, ms);
    this.totalRunMs += ms;
    this.workBytes += result.output.length;
    if (ms > this.limits.runMs) throw timedOut();
    return result;
  }

  private listenerOf(target: CommandTarget): Listener {
    const isEnd = (change: AppliedChange): boolean =>
      change.resource === 'pods' &&
      change.namespace === target.namespace &&
      change.name === target.pod &&
      (change.type !== 'put' || !isContainerRunning(change.object, target.container));
    return {
      changes: (changes) => {
        if (changes.some(isEnd)) this.end('killed');
      },
      ended: (_reason: EndReason) => this.end('closed'),
      // What the command has read is in this copy of the cluster, and a session must not keep it in memory.
      park: () => this.end('closed'),
    };
  }

  private end(end: SessionEnd): void {
    if (this.ending !== undefined) return;
    this.ending = end;
    this.unsubscribe();
    this.onEnding?.(end);
  }
}

const workExceeded = (limit: number): ApiError =>
  new ApiError(
    413,
    'RequestEntityTooLarge',
    `the commands of this session have read and written ${limit} bytes: begin a new session`,
  );

/** Upstream's words (apiserver/pkg/server/filters/timeout.go). */
const timedOut = (): ApiError =>
  new ApiError(504, 'Timeout', 'Timeout: request did not complete within the allotted timeout');
