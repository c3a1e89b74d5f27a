import { Args, Context, ID, Query, Resolver } from '@nestjs/graphql';
import { nouns, parse } from '@terrarium/platform';
import type { RequestContext } from '../../gate/request-context.js';
import { Json } from '../json.scalar.js';
import { inputType, objectType } from '../zod-types.js';
import { Questions } from './questions.js';

const WhyType = objectType('Why', nouns.Why);
const TimelineType = objectType('Timeline', nouns.Timeline);
const TimelineFilter = inputType('TimelineFilter', nouns.TimelineQuery);

/** Why something in a cluster is as it is, and who did what. */
@Resolver()
export class WhyResolvers {
  constructor(private readonly questions: Questions) {}

  @Query(() => WhyType, { description: 'The plain reason, and the changes that led to it. `spec`: that of a Why.' })
  async why(
    @Context('requestContext') context: RequestContext,
    @Args('clusterId', { type: () => ID }) clusterId: string,
    @Args('spec', { type: () => Json }) spec: unknown,
  ): Promise<nouns.Why> {
    return this.questions.why(context, clusterId, parse(nouns.WhySpec, spec));
  }

  @Query(() => TimelineType, { description: 'Who did what in a cluster, when, and because of what; newest first.' })
  async timeline(
    @Context('requestContext') context: RequestContext,
    @Args('clusterId', { type: () => ID }) clusterId: string,
    @Args('filter', { type: () => TimelineFilter, nullable: true }) filter?: object,
  ): Promise<nouns.Timeline> {
    const given = Object.entries(filter ?? {}).filter(([, value]) => value !== null);
    return this.questions.timeline(context, clusterId, parse(nouns.TimelineQuery, Object.fromEntries(given)));
  }
}
