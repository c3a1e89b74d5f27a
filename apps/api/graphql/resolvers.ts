import { Args, Context, Float, ID, Int, Mutation, Query, Resolver, Subscription } from '@nestjs/graphql';
import { ClusterHost } from '@terrarium/host';
import { Clusters, Identity, noKey, nouns, parse, Refusal, type Caller } from '@terrarium/platform';
import { ChangeStream } from './change-stream.js';
import { Json } from './json.scalar.js';
import { KubeObjects } from './kube-objects.js';
import { Change, ClusterListType, ClusterType, NewClusterInput, ObjectList } from './types.js';

/** What every operation knows of its request. */
export interface GraphQLContext {
  readonly authorization?: string;
}

const optional = { nullable: true } as const;
const ref = [{ type: () => String }, { type: () => String, nullable: true }] as const;

/** Clusters as a product, and the objects inside them. */
@Resolver()
export class Resolvers {
  constructor(
    private readonly identity: Identity,
    private readonly clusters: Clusters,
    private readonly objectsOf: KubeObjects,
    private readonly host: ClusterHost,
  ) {}

  @Query(() => ClusterListType, { name: 'clusters' })
  async listClusters(
    @Context() context: GraphQLContext,
    @Args('limit', { type: () => Int, ...optional }) limit?: number,
    @Args('cursor', { type: () => String, ...optional }) cursor?: string,
  ): Promise<nouns.ClusterList> {
    return this.clusters.list(
      await this.caller(context),
      parse(nouns.Page, { limit: limit ?? undefined, cursor: cursor ?? undefined }),
    );
  }

  @Query(() => ClusterType, { name: 'cluster', description: 'Fails with NOT_FOUND for a cluster that is not yours.' })
  async getCluster(
    @Context() context: GraphQLContext,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<nouns.Cluster> {
    return this.clusters.get(await this.caller(context), id);
  }

  @Query(() => ObjectList)
  async objects(
    @Context() context: GraphQLContext,
    @Args('clusterId', { type: () => ID }) clusterId: string,
    @Args('apiVersion', ref[0]) apiVersion: string,
    @Args('kind', ref[0]) kind: string,
    @Args('namespace', ref[1]) namespace?: string,
    @Args('labelSelector', ref[1]) labelSelector?: string,
    @Args('fieldSelector', ref[1]) fieldSelector?: string,
    @Args('limit', { type: () => Int, ...optional }) limit?: number,
    @Args('continue', ref[1]) continueFrom?: string,
  ): Promise<ObjectList> {
    await this.own(context, clusterId);
    return this.objectsOf.list({
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
    @Context() context: GraphQLContext,
    @Args('clusterId', { type: () => ID }) clusterId: string,
    @Args('apiVersion', ref[0]) apiVersion: string,
    @Args('kind', ref[0]) kind: string,
    @Args('name', ref[0]) name: string,
    @Args('namespace', ref[1]) namespace?: string,
  ): Promise<unknown> {
    await this.own(context, clusterId);
    return this.objectsOf.get({ clusterId, apiVersion, kind, namespace }, name);
  }

  @Mutation(() => ClusterType)
  async createCluster(
    @Context() context: GraphQLContext,
    @Args('input', { type: () => NewClusterInput }) input: unknown,
  ): Promise<nouns.Cluster> {
    const caller = await this.caller(context);
    return this.clusters.create(caller, parse(nouns.NewCluster, { ...(input as object) }));
  }

  @Mutation(() => Boolean)
  async deleteCluster(
    @Context() context: GraphQLContext,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<boolean> {
    await this.clusters.delete(await this.caller(context), id);
    return true;
  }

  @Mutation(() => [Json], {
    description: 'YAML or JSON text, an object or a list of them; created or patched as kubectl apply does.',
  })
  async apply(
    @Context() context: GraphQLContext,
    @Args('clusterId', { type: () => ID }) clusterId: string,
    @Args('manifest', { type: () => Json }) manifest: unknown,
    @Args('namespace', { ...ref[1], defaultValue: 'default' }) namespace?: string,
  ): Promise<unknown[]> {
    await this.own(context, clusterId);
    return this.objectsOf.apply(clusterId, manifest, namespace);
  }

  @Mutation(() => Json, { description: 'What the API server answers: the object, or a Status.' })
  async deleteObject(
    @Context() context: GraphQLContext,
    @Args('clusterId', { type: () => ID }) clusterId: string,
    @Args('apiVersion', ref[0]) apiVersion: string,
    @Args('kind', ref[0]) kind: string,
    @Args('name', ref[0]) name: string,
    @Args('namespace', ref[1]) namespace?: string,
    @Args('propagationPolicy', ref[1]) propagationPolicy?: string,
  ): Promise<unknown> {
    await this.own(context, clusterId);
    return this.objectsOf.delete({ clusterId, apiVersion, kind, namespace }, name, propagationPolicy);
  }

  /** From the present, or from after a revision seen before. */
  @Subscription(() => Change, { resolve: (event: unknown) => event })
  async changes(
    @Context() context: GraphQLContext,
    @Args('clusterId', { type: () => ID }) clusterId: string,
    @Args('apiVersion', ref[1]) apiVersion?: string,
    @Args('kind', ref[1]) kind?: string,
    @Args('namespace', ref[1]) namespace?: string,
    @Args('labelSelector', ref[1]) labelSelector?: string,
    @Args('fromRevision', { type: () => Float, ...optional }) fromRevision?: number,
  ): Promise<ChangeStream> {
    await this.own(context, clusterId);
    if (fromRevision !== undefined && fromRevision !== null && !Number.isSafeInteger(fromRevision))
      throw new Refusal(400, 'fromRevision must be a whole number');
    const from = fromRevision ?? (await this.host.revision(clusterId));
    return ChangeStream.open(this.host, clusterId, from, {
      apiVersion: apiVersion ?? undefined,
      kind: kind ?? undefined,
      namespace: namespace ?? undefined,
      labelSelector: labelSelector ?? undefined,
    });
  }

  private async own(context: GraphQLContext, clusterId: string): Promise<void> {
    await this.objectsOf.mustOwn(await this.caller(context), clusterId);
  }

  private caller({ authorization }: GraphQLContext): Promise<Caller> {
    if (!authorization) throw noKey();
    return this.identity.caller(authorization);
  }
}
