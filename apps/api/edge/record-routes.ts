import type { FastifyInstance } from 'fastify';

export interface Route {
  readonly method: string;
  readonly url: string;
}

/** Records every route that is added from now on. */
export function recordRoutes(fastify: FastifyInstance): readonly Route[] {
  const routes: Route[] = [];
  fastify.addHook('onRoute', ({ method, url }) => {
    for (const m of [method].flat()) routes.push({ method: m, url });
  });
  return routes;
}
