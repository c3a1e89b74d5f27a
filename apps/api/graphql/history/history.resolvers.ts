import { Args, ID, Int, Mutation, Query, Resolver } from '@nestjs/graphql';
import { Forks, Histories, nouns, parse, Restores, Snapshots, type Caller } from '@terrarium/platform';
import { CurrentCaller } from '../../gate/current-caller.js';
import { ClusterType } from '../types.js';
import { DiffType, HistoryType, NewForksInput, NewSnapshotInput, RestoreInput, SnapshotType } from './types.js';

const id = { type: () => ID } as const;
const optionalText = { type: () => String, nullable: true } as const;

/** Forks, snapshots and what clusters were. */
@Resolver()
export class HistoryResolvers {
  constructor(
    private readonly forks: Forks,
    private readonly allSnapshots: Snapshots,
    private readonly restores: Restores,
    private readonly histories: Histories,
  ) {}

  @Query(() => HistoryType, { description: 'Which revisions of a cluster can be read.' })
  history(@CurrentCaller() caller: Caller, @Args('id', id) clusterId: string): Promise<nouns.History> {
    return this.histories.describe(caller, clusterId);
  }

  @Query(() => [SnapshotType], { description: 'All snapshots of a cluster, by name.' })
  async snapshots(@CurrentCaller() caller: Caller, @Args('id', id) clusterId: string): Promise<nouns.Snapshot[]> {
    return (await this.allSnapshots.list(caller, clusterId)).items;
  }

  @Query(() => DiffType, { description: 'How two moments of a cluster, or two clusters, differ.' })
  diff(
    @CurrentCaller() caller: Caller,
    @Args('id', id) clusterId: string,
    @Args('from', optionalText) from?: string,
    @Args('to', optionalText) to?: string,
    @Args('cluster', optionalText) cluster?: string,
    @Args('limit', { type: () => Int, nullable: true }) limit?: number,
    @Args('cursor', optionalText) cursor?: string,
  ): Promise<nouns.Diff> {
    const given = Object.entries({ from, to, cluster, limit, cursor }).filter(([, value]) => value != null);
    return this.histories.diff(caller, clusterId, parse(nouns.DiffQuery, Object.fromEntries(given)));
  }

  @Mutation(() => [ClusterType], { description: 'Clusters that go on from a moment of this one.' })
  async forkCluster(
    @CurrentCaller() caller: Caller,
    @Args('id', id) clusterId: string,
    @Args('input', { type: () => NewForksInput }) input: unknown,
  ): Promise<nouns.Cluster[]> {
    return (await this.forks.fork(caller, clusterId, parse(nouns.NewForks, withoutNulls(input)))).items;
  }

  @Mutation(() => SnapshotType, { description: 'Keeps the present state, or one of the past, under a name.' })
  createSnapshot(
    @CurrentCaller() caller: Caller,
    @Args('id', id) clusterId: string,
    @Args('input', { type: () => NewSnapshotInput }) input: unknown,
  ): Promise<nouns.Snapshot> {
    return this.allSnapshots.create(caller, clusterId, parse(nouns.NewSnapshot, withoutNulls(input)));
  }

  @Mutation(() => Boolean)
  async deleteSnapshot(
    @CurrentCaller() caller: Caller,
    @Args('id', id) clusterId: string,
    @Args('name', { type: () => String }) name: string,
  ): Promise<boolean> {
    await this.allSnapshots.delete(caller, clusterId, name);
    return true;
  }

  @Mutation(() => ClusterType, { description: 'Puts a cluster back to a snapshot, or to its template.' })
  restoreCluster(
    @CurrentCaller() caller: Caller,
    @Args('id', id) clusterId: string,
    @Args('input', { type: () => RestoreInput }) input: unknown,
  ): Promise<nouns.Cluster> {
    return this.restores.restore(caller, clusterId, parse(nouns.Restore, withoutNulls(input)));
  }
}

/** GraphQL's null of an optional field stands for its absence. */
const withoutNulls = (input: unknown): object =>
  Object.fromEntries(Object.entries(input as object).filter(([, value]) => value !== null));
