import { Args, Context, ID, Int, Mutation, Query, Resolver, Subscription } from '@nestjs/graphql';
import { nouns, parse } from '@terrarium/platform';
import type { RequestContext } from '../../gate/request-context.js';
import { inputType, objectType } from '../zod-types.js';
import { AdvanceStream } from './advance-stream.js';
import { ClusterClocks } from './cluster-clocks.js';

const ClockType = objectType('Clock', nouns.Clock);
const AdvanceType = objectType('Advance', nouns.Advance);
const ClockPatchInput = inputType('ClockPatch', nouns.ClockPatch);
const NewAdvanceInput = inputType('NewAdvance', nouns.NewAdvance);
const clusterId = { type: () => ID } as const;

/** How the time of a cluster runs. */
@Resolver()
export class ClockResolvers {
  constructor(private readonly clocks: ClusterClocks) {}

  @Query(() => ClockType, { description: 'How a cluster’s time runs, and what lets it go on.' })
  async clock(
    @Context('requestContext') context: RequestContext,
    @Args('clusterId', clusterId) id: string,
  ): Promise<nouns.Clock> {
    return this.clocks.read(context, id);
  }

  @Mutation(() => ClockType)
  async updateClock(
    @Context('requestContext') context: RequestContext,
    @Args('clusterId', clusterId) id: string,
    @Args('patch', { type: () => ClockPatchInput }) patch: unknown,
  ): Promise<nouns.Clock> {
    return this.clocks.update(context, id, parse(nouns.ClockPatch, given(patch)));
  }

  @Mutation(() => AdvanceType, { description: 'Lets time go on by a duration, to a time, or until a condition holds.' })
  async advanceClock(
    @Context('requestContext') context: RequestContext,
    @Args('clusterId', clusterId) id: string,
    @Args('advance', { type: () => NewAdvanceInput }) advance: unknown,
  ): Promise<nouns.Advance> {
    return this.clocks.advance(context, id, parse(nouns.NewAdvance, given(advance)));
  }

  @Mutation(() => AdvanceType, { description: 'Runs reconciles one at a time, and tells what they did.' })
  async stepClock(
    @Context('requestContext') context: RequestContext,
    @Args('clusterId', clusterId) id: string,
    @Args('steps', { type: () => Int, nullable: true }) steps?: number,
  ): Promise<nouns.Advance> {
    return this.clocks.step(context, id, parse(nouns.NewSteps, { steps: steps ?? undefined }));
  }

  @Subscription(() => AdvanceType, {
    name: 'advance',
    description: 'An Advance as it goes on, until it is over.',
    resolve: (event: unknown) => event,
  })
  async advanceLive(
    @Context('requestContext') context: RequestContext,
    @Args('clusterId', clusterId) id: string,
    @Args('name', { type: () => String }) name: string,
  ): Promise<AdvanceStream> {
    await this.clocks.find(context, id, name);
    return new AdvanceStream(() => this.clocks.find(context, id, name));
  }
}

/** GraphQL gives null for what was left out. */
const given = (input: unknown): object =>
  Object.fromEntries(Object.entries(input as object).filter(([, value]) => value !== null && value !== undefined));
