import {
  Args,
  Context,
  Field,
  Float,
  ID,
  Int,
  ObjectType,
  Query,
  registerEnumType,
  Resolver,
  Subscription,
} from '@nestjs/graphql';
import { faultTypes } from '@terrarium/engine';
import { ClusterHost, parsePoint } from '@terrarium/host';
import { Clusters, Refusal, type Caller } from '@terrarium/platform';
import { CurrentCaller } from '../../gate/current-caller.js';
import type { RequestContext } from '../../gate/request-context.js';
import { Json, Labels, Long, PictureRows } from '../json.scalar.js';
import { KubeObjects } from '../objects/kube-objects.js';
import { PictureFeed, type PictureBatch } from './picture-feed.js';
import { pastPicture, PictureStream } from './picture-stream.js';

/** Of one cluster, in each process. */
const MAX_STREAMS = 500;

@ObjectType('PictureBatch', { description: 'What a picture of a cluster needs to know. docs/PICTURE.md has the rows.' })
export class PictureBatchType {
  @Field(() => Boolean, { description: 'A snapshot begins: what was told before is void.' }) begins!: boolean;
  @Field(() => Int, { description: 'Rows of the snapshot that are still to come.' }) left!: number;
  @Field(() => Long) revision!: number;
  @Field(() => Float, { description: 'Virtual ms since the epoch.' }) at!: number;
  @Field(() => [Labels], { description: 'The rows name them by their place.' }) labels!: unknown;
  @Field(() => PictureRows) rows!: unknown;
}

/** The values of an enumeration of GraphQL, each under its own name. */
function enumeration<T extends string>(name: string, values: readonly T[]): { readonly [V in T]: V } {
  const of = Object.fromEntries(values.map((value) => [value, value])) as { readonly [V in T]: V };
  registerEnumType(of, { name });
  return of;
}
const ParameterKind = enumeration('FaultParameterKind', [
  'duration',
  'percent',
  'integer',
  'choice',
  'text',
  'boolean',
]);
const FaultScope = enumeration('FaultScope', ['nodes', 'pods', 'cluster']);

@ObjectType('FaultParameter')
export class FaultParameterType {
  @Field(() => String) name!: string;
  @Field(() => String) about!: string;
  @Field(() => ParameterKind) type!: keyof typeof ParameterKind;
  @Field(() => Json, { nullable: true, description: 'Without one it has to be given.' }) default?: unknown;
  @Field(() => [String], { nullable: true, description: 'Of a choice.' }) of?: readonly string[];
  @Field(() => Float, { nullable: true }) min?: number;
  @Field(() => Float, { nullable: true }) max?: number;
}

@ObjectType('FaultType', { description: 'Something that can be made to go wrong.' })
export class FaultTypeType {
  @Field(() => String, { description: 'As spec.type names it.' }) name!: string;
  @Field(() => String) about!: string;
  @Field(() => String, { description: 'What one sees, by kubectl.' }) symptoms!: string;
  @Field(() => FaultScope, { description: 'What its target selects.' }) selects!: keyof typeof FaultScope;
  @Field(() => Boolean, { description: 'It acts on everything when nothing is selected.' }) isOptional!: boolean;
  @Field(() => Boolean, { description: 'It has another end: target.to.' }) hasPeer!: boolean;
  @Field(() => [String], { description: 'Lists of names that its target may have.' }) lists!: readonly string[];
  @Field(() => [String], { description: 'Lists of which one has to be given.' }) needs!: readonly string[];
  @Field(() => [FaultParameterType]) parameters!: FaultParameterType[];
}

/** A cluster to be looked at: all of it, small, as it changes; and what can be made to go wrong in it. */
@Resolver()
export class PictureResolvers {
  private readonly feeds = new Map<string, PictureFeed>();

  constructor(
    private readonly kubeObjects: KubeObjects,
    private readonly clusters: Clusters,
    private readonly host: ClusterHost,
  ) {}

  @Query(() => [FaultTypeType], { name: 'faultTypes', description: 'What can be made to go wrong in a cluster.' })
  async listFaultTypes(@Args('clusterId', { type: () => ID }) _clusterId: string): Promise<FaultTypeType[]> {
    return faultTypes.map(({ name, about, symptoms, selects, ...type }) => ({
      ...{ name, about, symptoms, selects },
      isOptional: type.isOptional ?? false,
      hasPeer: type.hasPeer ?? false,
      lists: type.lists ?? [],
      needs: type.needs ?? [],
      parameters: Object.entries(type.parameters ?? {}).map(([of, rule]) => ({ name: of, ...rule })),
    }));
  }

  @Subscription(() => PictureBatchType, {
    description:
      'All that a picture of the cluster shows, then what changes, at most 20 times a second. With a moment: what it ' +
      'showed then. For whoever may create Timelines in the cluster.',
    resolve: (event: unknown) => event,
  })
  async pictureChanges(
    @CurrentCaller() caller: Caller,
    @Context('requestContext') context: RequestContext,
    @Args('clusterId', { type: () => ID }) clusterId: string,
    @Args('at', { type: () => String, nullable: true, description: 'A revision, a virtual time, or -10m.' })
    at?: string,
  ): Promise<AsyncIterableIterator<PictureBatch>> {
    await this.kubeObjects.mustBeAllowed(context, clusterId, 'timelines');
    const inTurn = <T>(work: () => T): Promise<T> => this.kubeObjects.inTurn(context, work);
    if (at !== undefined && at !== null) {
      const row = await this.clusters.findRow(caller, clusterId);
      const { past } = this.host;
      const { state, now } = await past.state(row, await past.find(clusterId, parsePoint(at)));
      return pastPicture({ ...state, now }, inTurn);
    }
    const feed = this.feedOf(clusterId);
    if (feed.size >= MAX_STREAMS) throw new Refusal(429, 'too many pictures of this cluster are open');
    return PictureStream.open(feed, inTurn, () => this.release(clusterId, feed));
  }

  private feedOf(id: string): PictureFeed {
    let feed = this.feeds.get(id);
    if (!feed) {
      feed = new PictureFeed({
        revision: () => this.host.revision(id),
        subscribe: (from, listener) => this.host.subscribe(id, from, listener),
        state: () => this.host.state(id),
      });
      this.feeds.set(id, feed);
    }
    return feed;
  }

  private release(id: string, feed: PictureFeed): void {
    if (feed.size <= 1 && this.feeds.get(id) === feed) this.feeds.delete(id);
  }
}
