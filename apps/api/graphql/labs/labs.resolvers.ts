import { Args, Float, ID, Int, Mutation, Query, Resolver, Subscription } from '@nestjs/graphql';
import { ClusterHost } from '@terrarium/host';
import { Labs, LabSessions, Learners, nouns, parse, Refusal, Replays, type Caller } from '@terrarium/platform';
import { CurrentCaller } from '../../gate/current-caller.js';
import { Long } from '../json.scalar.js';
import { objectType } from '../zod-types.js';
import { LabStream } from './lab-stream.js';
import { LearnerStream } from './learner-stream.js';
import { ReplayStream } from './replay-stream.js';

const LabSummaryType = objectType('LabSummary', nouns.LabSummary);
const LearnerType = objectType('Learner', nouns.Learner);
const StartedLearnerType = objectType('StartedLearner', nouns.StartedLearner);
const LabViewType = objectType('LabView', nouns.LabView);
const VerificationType = objectType('Verification', nouns.Verification);
const EnteredStepType = objectType('EnteredStep', nouns.EnteredStep);
const SessionType = objectType('LabSession', nouns.LabSession);
const SessionActType = objectType('SessionAct', nouns.SessionAct);
const clusterId = { type: () => ID } as const;
/** Of one cluster, in each process. */
const MAX_STREAMS = 50;
const labName = { type: () => String } as const;
const optionalText = { type: () => String, nullable: true } as const;

/** Labs, and how far their learners are. */
@Resolver()
export class LabsResolvers {
  /** Subscriptions of labs by cluster. */
  private readonly streams = new Map<string, number>();

  constructor(
    private readonly allLabs: Labs,
    private readonly allLearners: Learners,
    private readonly sessions: LabSessions,
    private readonly replays: Replays,
    private readonly host: ClusterHost,
  ) {}

  @Query(() => [LabSummaryType], { description: 'Your labs, by name.' })
  async labs(@CurrentCaller() caller: Caller): Promise<nouns.LabSummary[]> {
    return (await this.allLabs.list(caller)).items;
  }

  @Query(() => [LearnerType], { description: 'How far the learners of a lab are, by name.' })
  async learners(@CurrentCaller() caller: Caller, @Args('lab', labName) lab: string): Promise<nouns.Learner[]> {
    return (await this.allLearners.list(caller, lab)).items;
  }

  @Query(() => LabViewType, { description: 'The lab of a learner’s cluster, without its solution.' })
  lab(@CurrentCaller() caller: Caller, @Args('clusterId', clusterId) id: string): Promise<nouns.LabView> {
    return this.sessions.view(caller, id);
  }

  @Query(() => SessionType, { description: 'What was done in a cluster, act by act.' })
  session(
    @CurrentCaller() caller: Caller,
    @Args('clusterId', clusterId) id: string,
    @Args('after', optionalText) after?: string,
    @Args('limit', { type: () => Int, nullable: true }) limit?: number,
  ): Promise<nouns.LabSession> {
    const query = { after: after ?? undefined, limit: limit ?? undefined };
    return this.replays.list(caller, id, parse(nouns.SessionQuery, query));
  }

  @Mutation(() => [StartedLearnerType], { description: 'Makes a cluster of the lab for each of up to 200 learners.' })
  async startLearners(
    @CurrentCaller() caller: Caller,
    @Args('lab', labName) lab: string,
    @Args('names', { type: () => [String], nullable: true }) names?: string[],
    @Args('count', { type: () => Int, nullable: true }) count?: number,
    @Args('ttl', optionalText) ttl?: string,
  ): Promise<{ name: string; clusterId: string }[]> {
    const given = Object.entries({ names, count, ttl }).filter(([, value]) => value != null);
    const learners = parse(nouns.NewLearners, Object.fromEntries(given));
    return (await this.allLearners.start(caller, lab, learners)).items;
  }

  @Mutation(() => EnteredStepType, { description: 'A step begins: its script runs in the background.' })
  enterStep(
    @CurrentCaller() caller: Caller,
    @Args('clusterId', clusterId) id: string,
    @Args('step', { type: () => String }) step: string,
  ): Promise<nouns.EnteredStep> {
    return this.sessions.enter(caller, id, step);
  }

  @Mutation(() => VerificationType, { description: 'Whether a step is done.' })
  verifyStep(
    @CurrentCaller() caller: Caller,
    @Args('clusterId', clusterId) id: string,
    @Args('step', { type: () => String }) step: string,
  ): Promise<nouns.Verification> {
    return this.sessions.verify(caller, id, step);
  }

  @Subscription(() => [LearnerType], {
    name: 'learnersLive',
    description: 'All learners of a lab at first, then those that have got further, typed something, or come and gone.',
    resolve: (event: unknown) => event,
  })
  async learnersLive(@CurrentCaller() caller: Caller, @Args('lab', labName) lab: string): Promise<LearnerStream> {
    await this.allLearners.mustKnow(caller, lab);
    return new LearnerStream(async () => (await this.allLearners.list(caller, lab)).items);
  }

  @Subscription(() => LabViewType, {
    description: 'The lab of a learner’s cluster, first as it is, then whenever a check or a step of it is another.',
    resolve: (event: unknown) => event,
  })
  async labLive(@CurrentCaller() caller: Caller, @Args('clusterId', clusterId) id: string): Promise<LabStream> {
    // Whose it is, before anything is counted.
    const first = await this.sessions.view(caller, id);
    const head = await this.sessions.headOf(caller, id);
    const open = this.streams.get(id) ?? 0;
    if (open >= MAX_STREAMS) throw new Refusal(429, 'too many subscriptions of the lab of this cluster');
    this.streams.set(id, open + 1);
    const release = (): void => {
      const left = this.streams.get(id)! - 1;
      if (left > 0) this.streams.set(id, left);
      else this.streams.delete(id);
    };
    return LabStream.open({
      first,
      read: () => this.sessions.view(caller, id),
      subscribe: (listener) => this.host.subscribe(id, head, listener),
      onCheck: () => this.sessions.expire(id),
      onEnd: release,
    });
  }

  @Subscription(() => SessionActType, {
    description: 'What was done in a cluster, at its pace or another one. Speed 0: as fast as it is read.',
    resolve: (event: unknown) => event,
  })
  async replay(
    @CurrentCaller() caller: Caller,
    @Args('clusterId', clusterId) id: string,
    @Args('speed', { type: () => Float, nullable: true }) speed?: number,
    @Args('from', { type: () => Long, nullable: true, description: 'A revision.' }) from?: number,
  ): Promise<ReplayStream> {
    const acts = await this.replays.all(caller, id);
    return new ReplayStream(
      acts.filter(({ revision }) => revision >= (from ?? 0)),
      speed ?? 1,
    );
  }
}
