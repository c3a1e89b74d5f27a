import { Args, Field, ID, ObjectType, Query, Resolver, Subscription, Int } from '@nestjs/graphql';
import { ClusterLife, Clusters, nouns, parse, Refusal, requireKey, type Caller } from '@terrarium/platform';
import { CurrentCaller } from '../../gate/current-caller.js';
import { ClusterListType, ClusterType } from '../types.js';
import { ClusterLifeStream } from './cluster-life-stream.js';

@ObjectType('ClusterEvent', {
  description: 'A cluster has begun, changed as a product or ended. Without an id: read the list anew.',
})
class ClusterEventType {
  @Field(() => ID, { nullable: true }) id?: string;
  @Field(() => ClusterType, { nullable: true, description: 'Null when it is gone.' }) cluster?: nouns.Cluster;
}

/** Of one tenant, in each process. */
const MAX_STREAMS = 500;

/** A tenant's clusters, found and followed. */
@Resolver()
export class ClusterLifeResolvers {
  private readonly open = new Map<string, number>();

  constructor(
    private readonly clusters: Clusters,
    private readonly life: ClusterLife,
  ) {}

  @Query(() => ClusterListType, { name: 'clusters' })
  async listClusters(
    @CurrentCaller() caller: Caller,
    @Args('limit', { type: () => Int, nullable: true }) limit?: number,
    @Args('cursor', { type: () => String, nullable: true }) cursor?: string,
    @Args('labelSelector', { type: () => String, nullable: true, description: 'As kubectl’s.' })
    labelSelector?: string,
  ): Promise<nouns.ClusterList> {
    const query = { limit: limit ?? undefined, cursor: cursor ?? undefined, labelSelector: labelSelector ?? undefined };
    return this.clusters.list(caller, parse(nouns.ClusterQuery, query));
  }

  @Subscription(() => ClusterEventType, {
    description: 'Your clusters as they begin, change as products and end; first an event without an id.',
    resolve: (event: unknown) => event,
  })
  async clusterEvents(@CurrentCaller() caller: Caller): Promise<ClusterLifeStream> {
    const { tenantId } = requireKey(caller);
    const open = this.open.get(tenantId) ?? 0;
    if (open >= MAX_STREAMS) throw new Refusal(429, 'too many subscriptions of your clusters');
    this.open.set(tenantId, open + 1);
    const subscribe: ConstructorParameters<typeof ClusterLifeStream>[0] = (listener) => {
      const leave = this.life.subscribe(tenantId, listener);
      return () => {
        leave();
        this.close(tenantId);
      };
    };
    return new ClusterLifeStream(subscribe, (id) => this.clusters.get(caller, id).catch(ignoreUnknown));
  }

  private close(tenantId: string): void {
    const left = (this.open.get(tenantId) ?? 1) - 1;
    if (left > 0) this.open.set(tenantId, left);
    else this.open.delete(tenantId);
  }
}

function ignoreUnknown(error: unknown): undefined {
  if (error instanceof Refusal && error.status === 404) return undefined;
  throw error;
}
