import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Clusters } from '@terrarium/platform';
import type { FastifyRequest } from 'fastify';
import { callerOf, requestContextOf } from './current-caller.js';

/**
 * Lets those routes alone run whose cluster, the `id` of their path, is the caller's. Throws Refusal 404 for another's,
 * as for one that is not there; 403 for the operator. Fields of GraphQL pass `RootFieldInterceptor`.
 */
@Injectable()
export class ClusterGuard implements CanActivate {
  constructor(private readonly clusters: Clusters) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { params } = context.switchToHttp().getRequest<FastifyRequest<{ Params: { id: string } }>>();
    await this.clusters.mustOwn(callerOf(requestContextOf(context).principal!), params.id);
    return true;
  }
}
