import { z } from 'zod';

/** One schema a product noun: its type, its validation, its GraphQL type and its OpenAPI text all come from here. */

const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const QUANTITY = /^[0-9]+(\.[0-9]+)?(m|[kMGTPE]|[KMGTPE]i)?$/;
const MAX_NODES = 200;
const MAX_PAGE = 500;

const name = z
  .string()
  .min(1)
  .max(63)
  .regex(LABEL, 'must be lower-case letters, digits and dashes, beginning and ending with a letter or digit');

export const Taint = z
  .strictObject({
    key: z.string().min(1).max(253),
    value: z.string().max(63).optional(),
    effect: z.enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute']),
  })
  .meta({ id: 'Taint' });

export const NodeGroup = z
  .strictObject({
    name: name.optional().meta({ description: 'The nodes are called after it; by default worker.' }),
    count: z.int().min(1).max(MAX_NODES).default(1),
    cpu: z
      .string()
      .regex(QUANTITY, 'must be a quantity such as 4 or 500m')
      .optional()
      .meta({ description: 'By default 4.' }),
    memory: z
      .string()
      .regex(QUANTITY, 'must be a quantity such as 8Gi')
      .optional()
      .meta({ description: 'By default 8Gi.' }),
    labels: z.record(z.string().max(317), z.string().max(63)).optional(),
    taints: z.array(Taint).max(20).optional(),
  })
  .meta({ id: 'NodeGroup' });

const groups = z
  .array(NodeGroup)
  .max(50)
  .refine(
    (list) => list.reduce((sum, g) => sum + g.count, 0) <= MAX_NODES,
    `must not add up to more than ${MAX_NODES} nodes`,
  );

export const NewCluster = z
  .strictObject({
    name: name.meta({ description: 'Unique only for you; the id names the cluster.' }),
    template: z.enum(['default']).default('default'),
    nodes: z
      .union([z.int().min(0).max(MAX_NODES), groups])
      .default(2)
      .meta({ description: 'The number of workers, or groups of them.' }),
    speed: z
      .enum(['realistic', 'instant'])
      .default('realistic')
      .meta({ description: 'Whether things inside take their time.' }),
    seed: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .meta({ description: 'Names, uids and jitter come from it; random by default.' }),
  })
  .meta({ id: 'NewCluster' });

export const Cluster = z
  .object({
    id: z.string(),
    name: z.string(),
    template: z.string(),
    speed: z.string(),
    seed: z.string(),
    nodes: z.int().meta({ description: 'Workers at its creation.' }),
    revision: z.int().meta({ description: 'Of the last change.' }),
    createdAt: z.string().meta({ description: 'RFC 3339.' }),
    state: z.enum(['running', 'halted']),
    haltedBecause: z.string().optional(),
    server: z.string().meta({ description: 'Base URL of its Kubernetes API.' }),
  })
  .meta({ id: 'Cluster' });

export const Page = z
  .strictObject({
    limit: z.coerce.number().int().min(1).max(MAX_PAGE).default(100),
    cursor: z.string().max(64).optional().meta({ description: 'nextCursor of the page before.' }),
  })
  .meta({ id: 'Page' });

export const ClusterList = z
  .object({ items: z.array(Cluster), nextCursor: z.string().optional() })
  .meta({ id: 'ClusterList' });

export const Failure = z.object({ error: z.string(), details: z.array(z.string()).optional() }).meta({ id: 'Failure' });

export type NewCluster = z.infer<typeof NewCluster>;
export type NodeGroup = z.infer<typeof NodeGroup>;
export type Cluster = z.infer<typeof Cluster>;
export type Page = z.infer<typeof Page>;
export type ClusterList = z.infer<typeof ClusterList>;
export type Failure = z.infer<typeof Failure>;
