import type { ClusterUse } from '@terrarium/platform';
import type { Edge, FinishedRequest, GateObserver, StartedRequest } from '../gate/observer.js';
import { Bag } from '../gate/streams/bag.js';

/** What works in a cluster uses it; to ask /v1 how it is does not. */
const USING: ReadonlySet<Edge> = new Set(['kubernetes', 'websocket', 'exec', 'graphql', 'subscription']);
/** Refused before anything was done in the cluster. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 404, 429]);

/** Tells ClusterUse which clusters are used: by requests that were not refused, and by those that are still open. */
export class ClusterUseObserver implements GateObserver {
  private readonly open = new Bag<StartedRequest>();

  constructor(private readonly use: Pick<ClusterUse, 'touch' | 'addSource'>) {
    use.addSource(() => this.listOpen());
  }

  started(request: StartedRequest): void {
    this.open.add(request);
  }

  finished({ edge, code, tenantId, clusterId }: FinishedRequest, started: StartedRequest): void {
    this.open.remove(started);
    if (clusterId !== undefined && tenantId && USING.has(edge) && !REFUSALS.has(code)) this.use.touch(clusterId);
  }

  private *listOpen(): Iterable<string> {
    for (const { edge, clusterId } of this.open) if (clusterId !== undefined && USING.has(edge)) yield clusterId;
  }
}
