import { Args, Context, ID, Int, Query, Resolver, Subscription } from '@nestjs/graphql';
import type { RequestContext } from '../../gate/request-context.js';
import { ClusterReads } from './cluster-reads.js';
import { DISCOVERY_TYPE, resourcesOf, type Discovery } from './discovery.js';
import { TABLE_TYPE, type Table as KubeTable } from './kube-table.js';
import { groupOf, pathOf, queryOf, type TableSelection } from './selection.js';
import { TableFeeds } from './table-feeds.js';
import { columnsOf, rowOf } from './table-rows.js';
import type { TableStream } from './table-stream.js';
import { Resource, Table, TableBatch } from './types.js';

/** Of a page without a limit, and at most. */
const LIMIT = 500;
const MAX_LIMIT = 10_000;

const clusterIdOf = { type: () => ID } as const;
const text = { type: () => String } as const;
const optionalText = { type: () => String, nullable: true } as const;
const moment = {
  ...optionalText,
  description: 'A moment of the past: a revision, a time, or how long ago (-10m).',
} as const;

/** What a cluster serves, and its resources as the API server's own Tables. */
@Resolver()
export class TableResolvers {
  constructor(
    private readonly reads: ClusterReads,
    private readonly feeds: TableFeeds,
  ) {}

  @Query(() => [Resource], { description: 'Every resource that a cluster serves, custom ones too.' })
  async resources(
    @Context('requestContext') context: RequestContext,
    @Args('clusterId', clusterIdOf) clusterId: string,
    @Args('at', moment) at?: string,
  ): Promise<Resource[]> {
    const read = (path: string): Promise<Discovery> =>
      this.reads.read(context, clusterId, { path, accept: DISCOVERY_TYPE, at: at ?? undefined });
    return [...resourcesOf(await read('/api')), ...resourcesOf(await read('/apis'))];
  }

  @Query(() => Table, { description: 'A resource as `kubectl get` prints it, now or at a moment of the past.' })
  async table(
    @Context('requestContext') context: RequestContext,
    @Args('clusterId', clusterIdOf) clusterId: string,
    @Args('apiVersion', text) apiVersion: string,
    @Args('resource', { ...text, description: 'The plural.' }) resource: string,
    @Args('namespace', optionalText) namespace?: string,
    @Args('labelSelector', optionalText) labelSelector?: string,
    @Args('fieldSelector', optionalText) fieldSelector?: string,
    @Args('limit', { type: () => Int, nullable: true, description: `${LIMIT}, at most ${MAX_LIMIT}.` }) limit?: number,
    @Args('continue', optionalText) continueFrom?: string,
    @Args('at', moment) at?: string,
  ): Promise<Table> {
    const selection = selectionOf({ apiVersion, resource, namespace, labelSelector, fieldSelector });
    const page = { limit: Math.min(limit ?? LIMIT, MAX_LIMIT), continue: continueFrom ?? undefined };
    const table = await this.reads.read<KubeTable>(context, clusterId, {
      path: pathOf(selection),
      query: queryOf(selection, page),
      accept: TABLE_TYPE,
      at: at ?? undefined,
    });
    return {
      columns: columnsOf(table),
      rows: table.rows.map(rowOf),
      continue: table.metadata.continue || undefined,
      remaining: table.metadata.remainingItemCount,
      revision: table.metadata.resourceVersion ?? '',
    };
  }

  @Subscription(() => TableBatch, {
    description:
      'A resource as `kubectl get -w` prints it: all rows, then batches of what changes, at most 20 a second.',
    resolve: (event: unknown) => event,
  })
  async tableChanges(
    @Context('requestContext') context: RequestContext,
    @Args('clusterId', clusterIdOf) clusterId: string,
    @Args('apiVersion', text) apiVersion: string,
    @Args('resource', { ...text, description: 'The plural.' }) resource: string,
    @Args('namespace', optionalText) namespace?: string,
    @Args('labelSelector', optionalText) labelSelector?: string,
    @Args('fieldSelector', optionalText) fieldSelector?: string,
  ): Promise<TableStream> {
    const selection = selectionOf({ apiVersion, resource, namespace, labelSelector, fieldSelector });
    pathOf(selection);
    for (const verb of ['list', 'watch'])
      await this.reads.mustBeAllowed(context, clusterId, {
        verb,
        group: groupOf(selection),
        resource,
        namespace: selection.namespace,
      });
    return this.feeds.open(context, clusterId, selection);
  }
}

/** GraphQL's null stands for absence. */
const selectionOf = ({
  apiVersion,
  resource,
  namespace,
  labelSelector,
  fieldSelector,
}: TableSelection): TableSelection => ({
  apiVersion,
  resource,
  namespace: namespace || undefined,
  labelSelector: labelSelector || undefined,
  fieldSelector: fieldSelector || undefined,
});
