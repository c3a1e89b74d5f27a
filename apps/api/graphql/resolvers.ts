import { Args, Context, Float, ID, Int, Mutation, Query, Resolver, Subscription } from '@nestjs/graphql';
import { ClusterHost } from '@terrarium/host';
import { ClusterPauses, Clusters, nouns, parse, Refusal, type Caller } from '@terrarium/platform';
import { CurrentCaller } from '../gate/current-caller.js';
import type { RequestContext } from '../gate/request-context.js';
import { ChangeStream } from './streams/change-stream.js';
import { FlowStream } from './streams/flow-stream.js';
import { Json } from './json.scalar.js';
import { KubeObjects } from './objects/kube-objects.js';
import { ClusterReads } from './tables/cluster-reads.js';
import { groupOf } from './tables/selection.js';
import { Change, ClusterType, FlowReadingType, NewClusterInput, ObjectList, TraceType } from './types.js';

/** Of one cluster, in each process. */
const MAX_FLOW_STREAMS = 20;
const optional = { nullable: true } as const;
const text = { type: () => String } as const;
const optionalText = { type: () => String, nullable: true } as const;

/** Clusters as a product, and the objects inside them. */
@Resolver()
export class Resolvers {
  /** Subscriptions of flows, by cluster. */
  private readonly flowStreams = new Map<string, number>();

  constructor(
    private readonly clusters: Clusters,
    private readonly pauses: ClusterPauses,
    private readonly kubeObjects: KubeObjects,
    private readonly host: ClusterHost,
    private readonly reads: ClusterReads,
  ) {}

  @Query(() => ClusterType, { name: 'cluster', description: 'Fails with NOT_FOUND for a cluster that is not yours.' })
  async getCluster(
    @CurrentCaller() caller: Caller,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<nouns.Cluster> {
    return this.clusters.get(caller, id);
  }

  @Query(() => ObjectList)
  async objects(
    @Context('requestContext') context: RequestContext,
    @Args('clusterId', { type: () => ID }) clusterId: string,
    @Args('apiVersion', text) apiVersion: string,
    @Args('kind', text) kind: string,
    @Args('namespace', optionalText) namespace?: string,
    @Args('labelSelector', optionalText) labelSelector?: string,
    @Args('fieldSelector', optionalText) fieldSelector?: string,
    @Args('limit', { type: () => Int, ...optional }) limit?: number,
    @Args('continue', optionalText) continueFrom?: string,
  ): Promise<ObjectList> {
    return this.kubeObjects.list(context, {
      clusterId,
      apiVersion,
      kind,
      namespace,
      labelSelector,
      fieldSelector,
      limit,
      continue: continueFrom,
    });
  }

  @Query(() => Json, { ...optional, description: 'Null when there is no such object.' })
  async object(
    @Context('requestContext') context: RequestContext,
    @Args('clusterId', { type: () => ID }) clusterId: string,
    @Args('apiVersion', text) apiVersion: string,
    @Args('kind', text) kind: string,
    @Args('name', text) name: string,
    @Args('namespace', optionalText) namespace?: string,
  ): Promise<unknown> {
    return this.kubeObjects.get(context, { clusterId, apiVersion, kind, namespace }, name);
  }

  @Query(() => TraceType, { description: 'What happens to the first packet of a connection inside a cluster.' })
  async trace(
    @Context('requestContext') context: RequestContext,
    @Args('clusterId', { type: () => ID }) clusterId: string,
    @Args('from', text) from: string,
    @Args('to', text) to: string,
    @Args('port', optionalText) port?: string,
    @Args('protocol', optionalText) protocol?: string,
  ): Promise<nouns.Trace> {
    const query = { from, to, port: port ?? undefined, protocol: protocol ?? undefined };
    return this.kubeObjects.trace(context, clusterId, parse(nouns.TraceQuery, query));
  }

  @Mutation(() => ClusterType)
  async createCluster(
    @CurrentCaller() caller: Caller,
    @Args('input', { type: () => NewClusterInput }) input: unknown,
  ): Promise<nouns.Cluster> {
    return this.clusters.create(caller, parse(nouns.NewCluster, { ...(input as object) }));
  }

  @Mutation(() => Boolean)
  async deleteCluster(@CurrentCaller() caller: Caller, @Args('id', { type: () => ID }) id: string): Promise<boolean> {
    await this.clusters.delete(caller, id);
    return true;
  }

  @Mutation(() => ClusterType, { description: 'Stops the time in a cluster; it can still be read and written.' })
  pauseCluster(@CurrentCaller() caller: Caller, @Args('id', { type: () => ID }) id: string): Promise<nouns.Cluster> {
    return this.pauses.pause(caller, id);
  }

  @Mutation(() => ClusterType, { description: 'Lets the time in a paused cluster go on.' })
  resumeCluster(@CurrentCaller() caller: Caller, @Args('id', { type: () => ID }) id: string): Promise<nouns.Cluster> {
    return this.pauses.resume(caller, id);
  }

  @Mutation(() => [Json], {
    description: 'YAML or JSON text, an object or a list of them; created or patched as kubectl apply does.',
  })
  async apply(
    @Context('requestContext') context: RequestContext,
    @Args('clusterId', { type: () => ID }) clusterId: string,
    @Args('manifest', { type: () => Json }) manifest: unknown,
    @Args('namespace', { ...optionalText, defaultValue: 'default' }) namespace?: string,
  ): Promise<unknown[]> {
    return this.kubeObjects.apply(context, clusterId, manifest, namespace);
  }

  @Mutation(() => Json, { description: 'What the API server answers: the object, or a Status.' })
  async deleteObject(
    @Context('requestContext') context: RequestContext,
    @Args('clusterId', { type: () => ID }) clusterId: string,
    @Args('apiVersion', text) apiVersion: string,
    @Args('kind', text) kind: string,
    @Args('name', text) name: string,
    @Args('namespace', optionalText) namespace?: string,
    @Args('propagationPolicy', optionalText) propagationPolicy?: string,
  ): Promise<unknown> {
    return this.kubeObjects.delete(context, { clusterId, apiVersion, kind, namespace }, name, propagationPolicy);
  }

  @Query(() => FlowReadingType, { description: 'Who talked to whom lately inside a cluster.' })
  async flows(
    @Context('requestContext') context: RequestContext,
    @Args('clusterId', { type: () => ID }) clusterId: string,
    @Args('since', optionalText) since?: string,
    @Args('limit', { type: () => Int, ...optional }) limit?: number,
  ): Promise<nouns.FlowReading> {
    const query = { since: since ?? undefined, limit: limit ?? undefined };
    return this.kubeObjects.flows(context, clusterId, parse(nouns.FlowQuery, query));
  }

  @Subscription(() => FlowReadingType, {
    name: 'flows',
    description: 'The flows of the last two minutes, then once a second those that have begun, passed bytes or ended.',
    resolve: (event: unknown) => event,
  })
  async flowsLive(
    @Context('requestContext') context: RequestContext,
    @Args('clusterId', { type: () => ID }) clusterId: string,
  ): Promise<FlowStream> {
    const open = this.flowStreams.get(clusterId) ?? 0;
    if (open >= MAX_FLOW_STREAMS) throw new Refusal(429, 'too many subscriptions of flows of this cluster');
    this.flowStreams.set(clusterId, open + 1);
    return new FlowStream(
      (limit) => this.kubeObjects.flows(context, clusterId, { limit }),
      () => this.closeFlows(clusterId),
    );
  }

  private closeFlows(clusterId: string): void {
    const left = (this.flowStreams.get(clusterId) ?? 1) - 1;
    if (left > 0) this.flowStreams.set(clusterId, left);
    else this.flowStreams.delete(clusterId);
  }

  /** From the present, or from after a revision seen before. */
  @Subscription(() => Change, { resolve: (event: unknown) => event })
  async changes(
    @Context('requestContext') context: RequestContext,
    @Args('clusterId', { type: () => ID }) clusterId: string,
    @Args('apiVersion', optionalText) apiVersion?: string,
    @Args('kind', optionalText) kind?: string,
    @Args('namespace', optionalText) namespace?: string,
    @Args('labelSelector', optionalText) labelSelector?: string,
    @Args('fromRevision', { type: () => Float, ...optional }) fromRevision?: number,
  ): Promise<ChangeStream> {
    if (fromRevision !== undefined && fromRevision !== null && !Number.isSafeInteger(fromRevision))
      throw new Refusal(400, 'fromRevision must be a whole number');
    await this.mustWatch(context, clusterId, { apiVersion, kind, namespace });
    const from = fromRevision ?? (await this.host.revision(clusterId));
    return ChangeStream.open(this.host, clusterId, from, {
      apiVersion: apiVersion ?? undefined,
      kind: kind ?? undefined,
      namespace: namespace ?? undefined,
      labelSelector: labelSelector ?? undefined,
    });
  }

  /** Throws Refusal 403 unless the user may watch the kind; whoever names none, everything. */
  private async mustWatch(
    context: RequestContext,
    clusterId: string,
    { apiVersion, kind, namespace }: { apiVersion?: string; kind?: string; namespace?: string },
  ): Promise<void> {
    const all = { verb: 'watch', group: '*', resource: '*', namespace: namespace || undefined };
    if (!apiVersion || !kind) return this.reads.mustBeAllowed(context, clusterId, all);
    const { plural } = await this.kubeObjects.findResource(context, { clusterId, apiVersion, kind });
    const named = { ...all, group: groupOf({ apiVersion }), resource: plural };
    return this.reads.mustBeAllowed(context, clusterId, named);
  }
}
