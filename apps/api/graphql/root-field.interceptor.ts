import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { GqlExecutionContext } from '@nestjs/graphql';
import { allows, Clusters, Refusal, unauthenticated, unknownCluster, type Principal } from '@terrarium/platform';
import { OperationTypeNode, type GraphQLResolveInfo } from 'graphql';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { callerOf } from '../gate/current-caller.js';
import { Gate } from '../gate/gate.js';
import type { GraphQLContext } from './graphql-context.js';

/** The arguments by which fields name a cluster: as a product, and as the place of objects. */
interface ClusterArguments {
  readonly id?: string;
  readonly clusterId?: string;
}

/**
 * Every root field of GraphQL passes here: a field that nobody has thought of is refused to tokens, takes its turn, and
 * sees no `clusterId` but the caller's own. Bound for the whole application, so that a resolver cannot forget it.
 */
@Injectable()
export class RootFieldInterceptor implements NestInterceptor {
  constructor(
    private readonly gate: Gate,
    private readonly clusters: Clusters,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType<string>() !== 'graphql') return next.handle();
    const field = GqlExecutionContext.create(context);
    const { requestContext } = field.getContext<GraphQLContext>();
    const { operation } = field.getInfo<GraphQLResolveInfo>();
    const cluster = field.getArgs<ClusterArguments>();
    authorizeField(requestContext.principal, operation.operation, cluster);
    requestContext.clusterId ??= cluster.clusterId ?? cluster.id;
    if (operation.operation === OperationTypeNode.SUBSCRIPTION) this.gate.startStream(requestContext, undefined);
    const run = async (): Promise<unknown> => {
      const { clusterId } = cluster;
      if (clusterId !== undefined) await this.clusters.mustOwn(callerOf(requestContext.principal!), clusterId);
      return lastValueFrom(next.handle());
    };
    return from(this.gate.runField(requestContext, run));
  }
}

/**
 * Throws Refusal 401: no valid key or token; 403: its scope does not suffice; for a token, 403 when the field changes
 * clusters themselves or names none, and 404 when it names another one.
 */
export function authorizeField(
  principal: Principal | undefined,
  operation: OperationTypeNode,
  { id, clusterId }: ClusterArguments,
): void {
  if (!principal) throw unauthenticated();
  const isMutation = operation === OperationTypeNode.MUTATION;
  const action = isMutation ? 'write' : 'read';
  if (!allows(principal.scope, action))
    throw new Refusal(403, `the scope "${principal.scope}" of this ${principal.kind} does not allow to ${action}`);
  if (principal.kind !== 'token') return;
  const named = clusterId ?? (isMutation ? undefined : id);
  if (named === undefined) throw new Refusal(403, 'a token is for the inside of one cluster only: use a key');
  if (named !== principal.clusterId) throw unknownCluster(named);
}
