import { Injectable } from '@nestjs/common';
import { ClusterHost, type Frame } from '@terrarium/host';
import { Refusal, type Caller, userOf } from '@terrarium/platform';
import type { ApiRequest } from '@terrarium/engine';
import { Gate } from '../../gate/gate.js';
import type { RequestContext } from '../../gate/request-context.js';
import { TABLE_TYPE, type Table as KubeTable } from './kube-table.js';
import { pathOf, queryOf, type TableSelection } from './selection.js';
import { TableFeed, type TableSource } from './table-feed.js';
import { TableStream } from './table-stream.js';

/** Different Tables of one cluster that are followed at once, in each process. */
const MAX_FEEDS = 100;
/** Rows of one. */
const MAX_ROWS = 50_000;

/** The feeds of this process: one for each Table, however many look at it. Who may look is asked before. */
@Injectable()
export class TableFeeds {
  /** By cluster, then by selection. */
  private readonly feeds = new Map<string, Map<string, Promise<TableFeed>>>();

  constructor(
    private readonly host: ClusterHost,
    private readonly gate: Gate,
  ) {}

  /** Rejects with Refusal: 404 for an unknown resource, 400 for a bad selector, 429 for too many Tables. */
  async open(context: RequestContext, clusterId: string, selection: TableSelection): Promise<TableStream> {
    const key = `${pathOf(selection)}?${queryOf(selection)}`;
    for (;;) {
      const feed = await this.feedOf(context, clusterId, key, selection);
      // It was stopped while it was waited for: the one who had it open has left.
      if (!this.feeds.get(clusterId)?.has(key)) continue;
      return new TableStream(feed, () => this.release(clusterId, key, feed));
    }
  }

  private feedOf(
    context: RequestContext,
    clusterId: string,
    key: string,
    selection: TableSelection,
  ): Promise<TableFeed> {
    let feeds = this.feeds.get(clusterId);
    if (!feeds) this.feeds.set(clusterId, (feeds = new Map()));
    const known = feeds.get(key);
    if (known) return known;
    if (feeds.size >= MAX_FEEDS) throw new Refusal(429, 'too many different tables of this cluster are looked at');
    const feed = new TableFeed(this.sourceOf(context, clusterId, selection));
    const started = this.gate
      .turn(context, 0, () => feed.start())
      .then(() => feed)
      .catch((error: unknown) => {
        this.forget(clusterId, key);
        throw error;
      });
    feeds.set(key, started);
    return started;
  }

  private release(clusterId: string, key: string, feed: TableFeed): void {
    if (feed.size > 0) return;
    feed.stop();
    this.forget(clusterId, key);
  }

  private forget(clusterId: string, key: string): void {
    const feeds = this.feeds.get(clusterId);
    feeds?.delete(key);
    if (feeds?.size === 0) this.feeds.delete(clusterId);
  }

  /** Reads as the cluster's administrator, once for all. What reading takes counts for the cluster's tenant. */
  private sourceOf({ tenantId }: RequestContext, clusterId: string, selection: TableSelection): TableSource {
    const path = pathOf(selection);
    const user = userOf({ scope: 'read' } satisfies Pick<Caller, 'scope'>);
    const request = (query: string): ApiRequest => ({
      method: 'GET',
      path,
      query,
      headers: { accept: TABLE_TYPE },
      body: undefined,
      user,
    });
    const charge = <T>(work: () => T): T => {
      const startedAt = performance.now();
      const done = work();
      this.gate.recordCost({ tenantId }, performance.now() - startedAt);
      return done;
    };
    return {
      list: async () => {
        const response = await this.host.request(clusterId, request(queryOf(selection, { limit: MAX_ROWS })));
        if (response.type !== 'body') throw new Refusal(400, 'this is a stream');
        const table = charge(() => JSON.parse(textOf(response.body)) as KubeTable & { message?: string });
        if (response.status >= 400) throw new Refusal(response.status, table.message ?? 'the cluster refused');
        if (table.metadata.continue)
          throw new Refusal(400, `there are more than ${MAX_ROWS} rows: choose a namespace, or a selector`);
        return { table, now: (await this.host.past.present(clusterId)).now };
      },
      watch: async (revision) => {
        const query = queryOf(selection, { watch: true, resourceVersion: revision, allowWatchBookmarks: true });
        const response = await this.host.request(clusterId, request(query));
        if (response.type === 'body') {
          const { message } = JSON.parse(textOf(response.body)) as { message?: string };
          throw new Refusal(response.status, message ?? 'the cluster refused');
        }
        if (response.type !== 'watch') throw new Refusal(400, 'this is no watch');
        const stream = await this.host.watch(clusterId, response);
        return {
          end: () => stream.end(),
          async *[Symbol.asyncIterator]() {
            for await (const frame of stream) yield textOf(frame);
          },
        };
      },
    };
  }
}

const textOf = (frame: Frame): string => (typeof frame === 'string' ? frame : Buffer.from(frame).toString('utf8'));
