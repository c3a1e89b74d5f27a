import type { ListenConnection } from '@terrarium/store';

const CHANNEL = 'terrarium_cluster_life';

/** Gets the id of a cluster that has begun, changed as a product or ended; undefined: any of them may have. */
export type LifeListener = (clusterId: string | undefined) => void;

/**
 * Tells of a tenant's clusters as they begin, are renamed, labelled, paused, halted, extended, and end, in whatever
 * process. A trigger of the log's table announces it; this process listens from its first subscriber on.
 */
export class ClusterLife {
  private readonly listeners = new Map<string, Set<LifeListener>>();
  private isListening = false;

  constructor(private readonly connection: Pick<ListenConnection, 'listen'>) {}

  /** Returns what ends the subscription. */
  subscribe(tenantId: string, listener: LifeListener): () => void {
    this.listen();
    const ofTenant = this.listeners.get(tenantId) ?? new Set();
    this.listeners.set(tenantId, ofTenant.add(listener));
    return () => {
      ofTenant.delete(listener);
      if (ofTenant.size === 0 && this.listeners.get(tenantId) === ofTenant) this.listeners.delete(tenantId);
    };
  }

  private listen(): void {
    if (this.isListening) return;
    this.isListening = true;
    this.connection.listen({
      name: CHANNEL,
      onNotification: (payload) => {
        const space = payload.indexOf(' ');
        this.tell(payload.slice(0, space), payload.slice(space + 1));
      },
      // Before the first connection nothing was heard of either.
      onConnected: () => {
        for (const tenantId of this.listeners.keys()) this.tell(tenantId, undefined);
      },
    });
  }

  private tell(tenantId: string, clusterId: string | undefined): void {
    for (const listener of this.listeners.get(tenantId) ?? []) listener(clusterId);
  }
}
