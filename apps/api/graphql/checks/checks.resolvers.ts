import { Args, Context, ID, Mutation, Query, Resolver, Subscription } from '@nestjs/graphql';
import { ClusterHost } from '@terrarium/host';
import { nouns, parse, Refusal } from '@terrarium/platform';
import type { RequestContext } from '../../gate/request-context.js';
import { Json } from '../json.scalar.js';
import { objectType } from '../zod-types.js';
import { ClusterChecks } from './cluster-checks.js';
import { ReportStream, type Report } from './report-stream.js';

const ReportType = objectType('CheckReport', nouns.CheckReport);
const CheckType = objectType('Check', nouns.Check);
const CHECKS = 'checks.terrarium.dev';
/** Of one cluster, in each process. */
const MAX_STREAMS = 50;
const clusterId = { type: () => ID } as const;

/** What was asked for in a cluster, and what of it was done. */
@Resolver()
export class ChecksResolvers {
  /** Subscriptions by cluster. */
  private readonly streams = new Map<string, number>();

  constructor(
    private readonly checkObjects: ClusterChecks,
    private readonly host: ClusterHost,
  ) {}

  @Query(() => ReportType, { description: 'The results of all checks, without their expressions.' })
  async checks(
    @Context('requestContext') context: RequestContext,
    @Args('clusterId', clusterId) id: string,
  ): Promise<nouns.CheckReport> {
    return this.checkObjects.report(context, id);
  }

  @Mutation(() => CheckType, { description: 'Makes a check, or lets it ask for something else from now on.' })
  async putCheck(
    @Context('requestContext') context: RequestContext,
    @Args('clusterId', clusterId) id: string,
    @Args('name', { type: () => String }) name: string,
    @Args('spec', { type: () => Json, description: 'The spec of a Check of terrarium.dev/v1alpha1.' }) spec: unknown,
  ): Promise<nouns.Check> {
    return this.checkObjects.put(context, id, name, parse(nouns.CheckSpec, spec));
  }

  @Mutation(() => Boolean, { description: 'True: there is none of this name any more.' })
  async deleteCheck(
    @Context('requestContext') context: RequestContext,
    @Args('clusterId', clusterId) id: string,
    @Args('name', { type: () => String }) name: string,
  ): Promise<boolean> {
    await this.checkObjects.delete(context, id, name);
    return true;
  }

  @Subscription(() => ReportType, {
    description: 'The results of all checks, first as they are, then whenever they are others.',
    resolve: (report: unknown) => report,
  })
  async checkResults(
    @Context('requestContext') context: RequestContext,
    @Args('clusterId', clusterId) id: string,
  ): Promise<AsyncIterableIterator<Report>> {
    const { revision } = await this.checkObjects.report(context, id);
    const open = this.streams.get(id) ?? 0;
    if (open >= MAX_STREAMS) throw new Refusal(429, 'too many subscriptions of results of this cluster');
    this.streams.set(id, open + 1);
    return ReportStream.open({
      read: () => this.checkObjects.report(context, id),
      subscribe: (onChange, onEnd) => this.subscribe(id, revision, onChange, onEnd),
    });
  }

  private async subscribe(
    id: string,
    revision: number,
    onChange: () => void,
    onEnd: (error: Error) => void,
  ): Promise<() => void> {
    try {
      const unsubscribe = await this.host.subscribe(id, revision, {
        changes: (changes) => {
          if (changes.some(({ resource }) => resource === CHECKS)) onChange();
        },
        ended: (reason) => onEnd(new Refusal(reason === 'deleted' ? 404 : 410, `the stream was closed: ${reason}`)),
      });
      return () => {
        unsubscribe();
        this.release(id);
      };
    } catch (error) {
      this.release(id);
      throw error;
    }
  }

  private release(id: string): void {
    const left = (this.streams.get(id) ?? 1) - 1;
    if (left > 0) this.streams.set(id, left);
    else this.streams.delete(id);
  }
}
