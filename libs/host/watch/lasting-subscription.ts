import type { LoadedCluster } from '../clusters/loaded-cluster.js';
import type { ChangeHistory } from '../log/change-history.js';
import type { EndReason, Listener } from './broadcaster.js';
import type { Parking } from './parking.js';
import { subscribe } from './subscription.js';

/** Makes the listener for a copy of the cluster; undefined when it is not to go on. */
export type ListenTo<L extends Listener> = (cluster: LoadedCluster, fromRevision: number) => L | Promise<L | undefined>;

export interface SubscriptionParts {
  readonly history: ChangeHistory;
  readonly parking: Parking;
}

/** A listener that has had what was past, and the copy of the cluster that it listens to. */
interface Live<L extends Listener> {
  readonly cluster: LoadedCluster;
  readonly listener: L;
  leave(): void;
}

/** A subscription that outlives the copies of its cluster: while the cluster is not in memory it is parked. */
export class LastingSubscription<L extends Listener> {
  private current: Live<L> | undefined;
  private unpark: () => void = () => undefined;
  private isOver = false;

  constructor(
    private readonly parts: SubscriptionParts,
    private readonly listenTo: ListenTo<L>,
    /** Called when the listener cannot go on; with the error, when it is for one. */
    private readonly onEnd: (reason: EndReason, error?: unknown) => void,
  ) {}

  /** Undefined while past changes are delivered, and while the cluster is not in memory: nothing of it is kept then. */
  get live(): Live<L> | undefined {
    return this.current;
  }

  /** Resolves when the listener has had what was past. Rejects with the store's errors. */
  async join(cluster: LoadedCluster, fromRevision: number): Promise<void> {
    const listener = await this.listenTo(cluster, fromRevision);
    if (this.isOver) return;
    if (!listener) return this.onEnd('closed');
    const lasting = { ...listener, isOver: () => this.isOver, park: () => this.park(cluster) };
    const leave = await subscribe(this.parts.history, cluster, fromRevision, lasting);
    if (this.isOver) leave();
    else this.current = { cluster, listener, leave };
  }

  end(): void {
    this.isOver = true;
    this.unpark();
    this.current?.leave();
    this.current = undefined;
  }

  private park({ row, head }: LoadedCluster): void {
    this.current = undefined;
    this.unpark = this.parts.parking.add(row.id, {
      revision: head,
      resume: (cluster) => void this.join(cluster, head).catch((error: unknown) => this.onEnd('closed', error)),
      end: (reason) => this.onEnd(reason),
    });
  }
}
