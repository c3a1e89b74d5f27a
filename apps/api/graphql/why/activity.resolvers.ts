import { Args, Context, Field, Float, ID, Int, ObjectType, Resolver, Subscription } from '@nestjs/graphql';
import { Activity, ActivityStream, type ActivityBatch } from '@terrarium/host';
import { Refusal } from '@terrarium/platform';
import type { RequestContext } from '../../gate/request-context.js';
import { KubeObjects } from '../objects/kube-objects.js';

/** Of one cluster, in each process. */
const MAX_STREAMS = 20;

@ObjectType('Reconcile', { description: 'One run of one controller for one object.' })
export class ReconcileType {
  @Field(() => String, { description: "'deployment', 'scheduler', 'kubelet'." }) controller!: string;
  @Field(() => String) namespace!: string;
  @Field(() => String) name!: string;
  @Field(() => Float, { description: 'When it began: virtual ms since the epoch.' }) at!: number;
  @Field(() => Float, { description: 'Real ms.' }) duration!: number;
  @Field(() => Int, { description: 'Keys that waited behind it in the controller’s queue.' }) queued!: number;
  @Field(() => Int, { description: 'Changes that it made.' }) writes!: number;
  @Field(() => String, { description: 'ok, requeue or error.' }) outcome!: string;
  @Field(() => Float, { nullable: true, description: 'Virtual ms until it runs again by itself.' })
  requeueAfter?: number;
}

@ObjectType('Activity', { description: 'What controllers did since the event before.' })
export class ActivityType {
  @Field(() => [ReconcileType]) reconciles!: ReconcileType[];
  @Field(() => Int, { description: 'Reconciles that were too many to be told.' }) dropped!: number;
}

/** The work of a cluster's controllers, as it happens. */
@Resolver()
export class ActivityResolvers {
  /** Subscriptions by cluster. */
  private readonly streams = new Map<string, number>();

  constructor(
    private readonly kubeObjects: KubeObjects,
    private readonly activities: Activity,
  ) {}

  @Subscription(() => ActivityType, {
    description: 'Who may create Timelines in the cluster is told what its controllers do, while they do it.',
    resolve: (event: unknown) => event,
  })
  async activity(
    @Context('requestContext') context: RequestContext,
    @Args('clusterId', { type: () => ID }) clusterId: string,
  ): Promise<AsyncIterableIterator<ActivityBatch>> {
    await this.kubeObjects.mustBeAllowed(context, clusterId, 'timelines');
    const open = this.streams.get(clusterId) ?? 0;
    if (open >= MAX_STREAMS) throw new Refusal(429, 'too many subscriptions of activity of this cluster');
    this.streams.set(clusterId, open + 1);
    return new ActivityStream((listener) => {
      const unsubscribe = this.activities.subscribe(clusterId, listener);
      return () => {
        unsubscribe();
        this.release(clusterId);
      };
    });
  }

  private release(clusterId: string): void {
    const left = (this.streams.get(clusterId) ?? 1) - 1;
    if (left > 0) this.streams.set(clusterId, left);
    else this.streams.delete(clusterId);
  }
}
