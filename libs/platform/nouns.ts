import { DEFAULT_NAMES, parseVersion, RELEASES } from '@terrarium/engine';
import { z } from 'zod';

import { durationSchema } from './duration.js';
import { Labels, LabelsPatch } from './clusters/labels.js';
import { long } from './long.js';

export * from './identity/access-nouns.js';
export * from './access/kubeconfig-nouns.js';
export * from './access/link-nouns.js';
export * from './tenants/tenant-nouns.js';
export * from './clusters/check-nouns.js';
export * from './checks/check-webhook-nouns.js';
export * from './clusters/fault-nouns.js';
export * from './clusters/clock-nouns.js';
export * from './clusters/flow-nouns.js';
export * from './clusters/trace-nouns.js';
export * from './clusters/why-nouns.js';
export * from './snapshots/history-nouns.js';
export * from './labs/lab-nouns.js';
export * from './observability/load-nouns.js';

/** One schema a product noun: its type, its validation, its GraphQL type and its OpenAPI text all come from here. */

const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const QUANTITY = /^[0-9]+(\.[0-9]+)?(m|[kMGTPE]|[KMGTPE]i)?$/;
const MAX_NODES = 200;
const MAX_SUBDOMAIN = 253;
const VERSIONS = RELEASES.map(({ gitVersion }) => gitVersion);
const MAX_BATCH = 200;
const MAX_NAME = 63;
const MAX_PAGE = 500;

const name = z
  .string()
  .min(1)
  .max(MAX_NAME)
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
    name: name.optional().meta({ description: 'The nodes are called after it, and numbered; by default worker.' }),
    names: z
      .array(name)
      .min(1)
      .max(MAX_NODES)
      .optional()
      .meta({ description: 'In place of a name: what each node is called.' }),
    count: z
      .int()
      .min(1)
      .max(MAX_NODES)
      .optional()
      .meta({ description: 'By default 1, or as many as there are names.' }),
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
  .refine(({ name, names }) => name === undefined || names === undefined, {
    path: ['names'],
    error: 'must not be given with a name',
  })
  .refine(({ count, names }) => count === undefined || names === undefined || count === names.length, {
    path: ['names'],
    error: 'must be as many as count says',
  })
  .meta({ id: 'NodeGroup' });

/** The least is what the last use is known to, and some time to notice. */
const ttl = durationSchema('1s', '3650d');
const idleTimeout = durationSchema('30s', '3650d');

/** How many nodes a group has. */
export const nodeCount = ({ count, names }: { readonly count?: number; readonly names?: readonly string[] }): number =>
  count ?? names?.length ?? 1;

const groups = z
  .array(NodeGroup)
  .max(50)
  .refine(
    (list) => list.reduce((sum, group) => sum + nodeCount(group), 0) <= MAX_NODES,
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
    controlPlane: name
      .default(DEFAULT_NAMES.controlPlane)
      .meta({ description: "The name of the control plane's node, such as controlplane." }),
    controlPlaneTaint: z.boolean().default(true).meta({
      description: 'Whether the control plane’s node keeps other pods off; false for a cluster of one node.',
    }),
    storageClass: z
      .string()
      .min(1)
      .max(MAX_SUBDOMAIN)
      .refine((text) => text.split('.').every((label) => LABEL.test(label)), {
        error: 'must be labels of lower-case letters, digits and dashes, separated by dots',
      })
      .default(DEFAULT_NAMES.storageClass)
      .meta({ description: 'The name of the default StorageClass.' }),
    version: z
      .string()
      .refine((text) => parseVersion(text) !== undefined, { error: `must be one of ${VERSIONS.join(', ')}` })
      .default(DEFAULT_NAMES.version)
      .meta({ description: 'The release of Kubernetes that the cluster shows.' }),
    ipFamilies: z
      .array(z.enum(['IPv4', 'IPv6']))
      .min(1)
      .max(2)
      .refine((families) => families[0] === 'IPv4' && families[1] !== 'IPv4', {
        error: 'must be ["IPv4"], or ["IPv4", "IPv6"] for dual stack',
      })
      .optional()
      .meta({
        description:
          'The families of addresses that nodes, pods and Services have: ["IPv4", "IPv6"] for dual stack. By default IPv4 alone.',
      }),
    seed: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .meta({ description: 'Names, uids and jitter come from it; random by default.' }),
    labels: Labels.default({}).meta({ description: 'To find clusters by, in Kubernetes’ syntax.' }),
    ttl: ttl.optional().meta({ description: 'The cluster is deleted so long after its creation; by default never.' }),
    idleTimeout: idleTimeout
      .optional()
      .meta({ description: 'The cluster is deleted when it was not used for so long; by default never.' }),
  })
  .meta({ id: 'NewCluster' });

export const NewClusterBatch = z
  .strictObject({
    items: z
      .array(
        NewCluster.extend({
          count: z
            .int()
            .min(1)
            .max(MAX_BATCH)
            .default(1)
            .meta({ description: 'Of several, the names end with -1, -2 and so on.' }),
        })
          .refine(({ name, count }) => count === 1 || `${name}-${count}`.length <= MAX_NAME, {
            path: ['name'],
            error: 'is too long to be numbered',
          })
          .meta({ id: 'NewClusters' }),
      )
      .min(1)
      .max(MAX_BATCH)
      .refine((items) => items.reduce((sum, { count }) => sum + count, 0) <= MAX_BATCH, {
        error: `must not add up to more than ${MAX_BATCH} clusters`,
      }),
  })
  .meta({ id: 'NewClusterBatch' });

export const ClusterPatch = z
  .strictObject({
    name: name.optional(),
    labels: LabelsPatch.optional().meta({ description: 'Merged with the present ones; null removes one.' }),
    ttl: ttl.nullish().meta({ description: 'From now; null: the cluster does not end.' }),
    idleTimeout: idleTimeout.nullish().meta({ description: 'null: the cluster does not end.' }),
  })
  .meta({ id: 'ClusterPatch' });

export const Cluster = z
  .object({
    id: z.string(),
    name: z.string(),
    template: z.string(),
    speed: z.string(),
    seed: z.string(),
    nodes: z.int().meta({ description: 'Workers at its creation.' }),
    version: z.string().meta({ description: 'The release of Kubernetes that it shows.' }),
    labels: z.record(z.string(), z.string()),
    revision: long().meta({ description: 'Of the last change.' }),
    bytes: long().meta({ description: 'Stored bytes of its own.' }),
    createdAt: z.string().meta({ description: 'RFC 3339.' }),
    lastUsedAt: z.string().meta({ description: 'RFC 3339, to ten seconds.' }),
    expiresAt: z.string().optional().meta({ description: 'RFC 3339: when it is deleted.' }),
    idleTimeout: z.string().optional().meta({ description: 'It is deleted when it was not used for so long.' }),
    state: z.enum(['running', 'paused', 'halted']),
    haltedBecause: z
      .string()
      .optional()
      .meta({ description: 'With an id, by which the operator finds the error in the log.' }),
    forkedFrom: z
      .object({ clusterId: z.string(), revision: long() })
      .optional()
      .meta({ description: 'The cluster whose log it goes on from.' }),
    server: z.string().meta({ description: 'Base URL of its Kubernetes API.' }),
  })
  .meta({ id: 'Cluster' });

/** A query: it has no id, since its fields are parameters of their own in the OpenAPI document. */
export const Page = z.strictObject({
  limit: z.coerce.number().int().min(1).max(MAX_PAGE).default(100),
  cursor: z.string().max(64).optional().meta({ description: 'nextCursor of the page before.' }),
});

export const ClusterQuery = Page.extend({
  labelSelector: z.string().optional().meta({ description: 'As kubectl’s: course=cka,level!=1,exam in (a,b).' }),
});

/** A cluster as its operator sees it. */
export const OperatorCluster = Cluster.extend({
  tenantId: z.string(),
}).meta({ id: 'OperatorCluster' });

export const CreatedClusters = z.object({ items: z.array(Cluster) }).meta({ id: 'CreatedClusters' });

export const ClusterList = z
  .object({ items: z.array(Cluster), nextCursor: z.string().optional() })
  .meta({ id: 'ClusterList' });

export const Failure = z.object({ error: z.string(), details: z.array(z.string()).optional() }).meta({ id: 'Failure' });

export type NewCluster = z.infer<typeof NewCluster>;
export type NewClusterBatch = z.infer<typeof NewClusterBatch>;
export type ClusterPatch = z.infer<typeof ClusterPatch>;
export type ClusterQuery = z.infer<typeof ClusterQuery>;
export type OperatorCluster = z.infer<typeof OperatorCluster>;
export type CreatedClusters = z.infer<typeof CreatedClusters>;
export type NodeGroup = z.infer<typeof NodeGroup>;
export type Cluster = z.infer<typeof Cluster>;
export type Page = z.infer<typeof Page>;
export type ClusterList = z.infer<typeof ClusterList>;
export type Failure = z.infer<typeof Failure>;
