import type { RequestContext } from '../gate/request-context.js';

/** What every operation knows of its request. */
export interface GraphQLContext {
  readonly requestContext: RequestContext;
}
