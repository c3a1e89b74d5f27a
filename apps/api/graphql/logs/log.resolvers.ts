import { Args, Context, ID, Int, Resolver, Subscription } from '@nestjs/graphql';
import { ApiError } from '@terrarium/engine';
import { Refusal } from '@terrarium/platform';
import type { RequestContext } from '../../gate/request-context.js';
import { ClusterReads } from '../tables/cluster-reads.js';
import { LogStream, type LogSource } from './log-stream.js';
import { LogBatchType, LogSourceInput } from './types.js';

/** Containers of one subscription; subscriptions of one cluster, in each process. */
const MAX_SOURCES = 50;
const MAX_STREAMS = 200;
const DEFAULT_TAIL = 1_000;
const NAME = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;

/** Logs of containers. */
@Resolver()
export class LogResolvers {
  /** Subscriptions by cluster. */
  private readonly streams = new Map<string, number>();

  constructor(private readonly reads: ClusterReads) {}

  @Subscription(() => LogBatchType, {
    description: `The logs of up to ${MAX_SOURCES} containers as one, by time; it ends with the last of them.`,
    resolve: (event: unknown) => event,
  })
  async logs(
    @Context('requestContext') context: RequestContext,
    @Args('clusterId', { type: () => ID }) clusterId: string,
    @Args('sources', { type: () => [LogSourceInput] }) sources: LogSourceInput[],
    @Args('follow', { type: () => Boolean, nullable: true, description: 'By default.' }) follow?: boolean,
    @Args('previous', { type: () => Boolean, nullable: true }) previous?: boolean,
    @Args('tailLines', { type: () => Int, nullable: true, description: `Of each; ${DEFAULT_TAIL}.` })
    tailLines?: number,
    @Args('sinceSeconds', { type: () => Int, nullable: true }) sinceSeconds?: number,
    @Args('at', { type: () => String, nullable: true, description: 'A moment of the past.' }) at?: string,
  ): Promise<LogStream> {
    if (sources.length === 0 || sources.length > MAX_SOURCES)
      throw new Refusal(400, `sources: between 1 and ${MAX_SOURCES} containers`);
    const query = new URLSearchParams({ timestamps: 'true', tailLines: String(tailLines ?? DEFAULT_TAIL) });
    if ((follow ?? true) && !previous && !at) query.set('follow', 'true');
    if (previous) query.set('previous', 'true');
    if (sinceSeconds) query.set('sinceSeconds', String(sinceSeconds));
    const requests = sources.map((source) => requestOf(source, query));
    const stream = new LogStream(this.count(clusterId));
    for (const [i, request] of requests.entries())
      stream.add(i, await this.open(context, clusterId, { ...request, at: at || undefined }));
    return stream;
  }

  /** A log that cannot be read does not keep the others from being read. */
  private async open(
    context: RequestContext,
    clusterId: string,
    request: Parameters<ClusterReads['log']>[2],
  ): Promise<LogSource | { readonly reason: string }> {
    try {
      const log = await this.reads.log(context, clusterId, request);
      if (typeof log === 'string') return wholeLog(log);
      return {
        end: () => log.end(),
        async *[Symbol.asyncIterator]() {
          for await (const frame of log) yield typeof frame === 'string' ? frame : Buffer.from(frame).toString('utf8');
        },
      };
    } catch (error) {
      // The subscriber is told why; what nobody has foreseen ends the subscription.
      if (error instanceof Refusal || error instanceof ApiError) return { reason: error.message };
      throw error;
    }
  }

  /** Throws Refusal 429. Returns what ends the count. */
  private count(clusterId: string): () => void {
    const open = this.streams.get(clusterId) ?? 0;
    if (open >= MAX_STREAMS) throw new Refusal(429, 'too many subscriptions of logs of this cluster');
    this.streams.set(clusterId, open + 1);
    return () => {
      const left = (this.streams.get(clusterId) ?? 1) - 1;
      if (left > 0) this.streams.set(clusterId, left);
      else this.streams.delete(clusterId);
    };
  }
}

function requestOf({ namespace, pod, container }: LogSourceInput, shared: URLSearchParams) {
  for (const name of [namespace, pod, ...(container ? [container] : [])])
    if (!NAME.test(name)) throw new Refusal(400, `${JSON.stringify(name.slice(0, 64))} is not a name`);
  const query = new URLSearchParams(shared);
  if (container) query.set('container', container);
  return { path: `/api/v1/namespaces/${namespace}/pods/${pod}/log`, query: query.toString() };
}

const wholeLog = (text: string): LogSource => ({
  end: () => undefined,
  async *[Symbol.asyncIterator]() {
    yield text;
  },
});
