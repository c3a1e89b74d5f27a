import type { FastifyInstance } from 'fastify';
import { hasClusterRoot, type ClusterRoots } from './cluster-url.js';

type ConstraintStrategy = Parameters<FastifyInstance['addConstraintStrategy']>[0];
type Handlers = ReturnType<ConstraintStrategy['storage']>;

/** Routes with this constraint (`true`) serve the roots of clusters; all others serve every other host. */
export const CLUSTER_ROOT = 'clusterRoot';

/** Keeps the platform's routes, such as /healthz or /v1, out of the roots of clusters. */
export const clusterRootConstraint = (roots: ClusterRoots): ConstraintStrategy => ({
  name: CLUSTER_ROOT,
  mustMatchWhenDerived: true,
  deriveConstraint: (request) => hasClusterRoot(request as never, roots) || undefined,
  storage: (): Handlers => {
    const handlers = new Map<unknown, NonNullable<ReturnType<Handlers['get']>>>();
    return { get: (value) => handlers.get(value) ?? null, set: (value, handler) => void handlers.set(value, handler) };
  },
});
