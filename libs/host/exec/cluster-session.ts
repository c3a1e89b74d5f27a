import {
  ApiError,
  podNameOf,
  type AppliedChange,
  type SessionInput,
  type SessionPosition,
  type SessionReference,
} from '@terrarium/engine';
import type { LoadedClusters } from '../clusters/loaded-clusters.js';
import type { FairQueue } from '../gate/fair-queue.js';
import type { LoopTurns } from '../gate/loop-turns.js';
import type { RequestBatcher } from '../gate/request-batcher.js';
import type { HostContext } from '../host-context.js';
import { LastingSubscription, type SubscriptionParts } from '../watch/lasting-subscription.js';
import { MAX_TIMER_MS } from '../watch/timers.js';
import type { SessionLink, SessionListener, SessionReading } from './session-link.js';

export interface ClusterSessionParts {
  readonly context: Pick<HostContext, 'now' | 'onError'>;
  readonly clusters: Pick<LoadedClusters, 'take' | 'use'>;
  readonly requests: Pick<RequestBatcher, 'runSession'>;
  readonly subscriptions: SubscriptionParts;
  readonly fairQueue: Pick<FairQueue, 'acquire' | 'release' | 'recordCost'>;
  readonly loopTurns: Pick<LoopTurns, 'next'>;
}

/**
 * A session's way to its cluster: an input takes a turn as a request of its tenant does, and a reading stands between
 * two runs of the engine, so that nothing is read that is not stored. Works on any copy of the cluster.
 */
export class ClusterSession implements SessionLink {
  constructor(
    private readonly parts: ClusterSessionParts,
    private readonly id: string,
    private readonly session: SessionReference,
  ) {}

  async input(input: SessionInput): Promise<number> {
    const { clusters, requests } = this.parts;
    const answer = await clusters.use(this.id, (cluster) =>
      inTurn(this.parts, cluster.row.tenantId, input.stdin?.length ?? 0, () =>
        requests.runSession(cluster, { type: 'input', session: this.session, input }),
      ),
    );
    if (answer.type !== 'taken') throw unexpectedAnswer();
    return answer.bytes;
  }

  read(position: SessionPosition): Promise<SessionReading> {
    const { clusters, loopTurns, fairQueue, context } = this.parts;
    return clusters.use(this.id, async (cluster) => {
      const { tenantId } = cluster.row;
      await loopTurns.next(tenantId);
      return cluster.serial.run(() => {
        const { engine } = cluster;
        const startedAt = performance.now();
        const output = engine.readSession(this.session, position, engine.virtualNow(context.now()));
        fairQueue.recordCost(tenantId, 1, performance.now() - startedAt);
        const at = output.wakeAt === undefined ? undefined : engine.realTimeOf(output.wakeAt, context.now());
        const wakeInMs = at === undefined ? undefined : Math.min(Math.max(1, at - context.now()), MAX_TIMER_MS);
        return { output, wakeInMs };
      });
    });
  }

  async listen(listener: SessionListener): Promise<() => void> {
    const { subscriptions, clusters, context } = this.parts;
    const { namespace, pod } = this.session;
    const isOfPod = (change: AppliedChange): boolean =>
      change.namespace === namespace && podNameOf(change.name) === pod;
    const subscription = new LastingSubscription(
      subscriptions,
      () => ({
        changes: (changes) => {
          if (changes.some(isOfPod)) listener.changed();
        },
        ended: () => listener.ended(),
      }),
      (_reason, error) => {
        if (error !== undefined) context.onError(error, this.id);
        listener.ended();
      },
    );
    const cluster = await clusters.take(this.id);
    await subscription.join(cluster, cluster.head);
    return () => subscription.end();
  }
}

/** Runs work in a seat of its tenant. Rejects with ApiError 429. */
export async function inTurn<T>(
  { fairQueue }: Pick<ClusterSessionParts, 'fairQueue'>,
  tenantId: string,
  bytes: number,
  work: () => Promise<T>,
): Promise<T> {
  await fairQueue.acquire(tenantId, bytes);
  try {
    return await work();
  } finally {
    fairQueue.release(tenantId);
  }
}

export const unexpectedAnswer = (): ApiError =>
  new ApiError(500, 'InternalError', 'the cluster answers something else');
