import { z } from 'zod';
import { long } from '../long.js';
import { userName } from '../identity/access-nouns.js';
import { durationSchema } from '../duration.js';

/** Tenants and their limits: one schema a noun, as in nouns.ts. */

const MAX_COUNT = 2_000_000_000;
const count = z.int().min(0).max(MAX_COUNT);
const bytes = long().min(0);
const instant = z.string().meta({ description: 'RFC 3339.' });

export const Limits = z
  .object({
    clusters: count.meta({ description: 'How many clusters may exist at once.' }),
    nodes: count.meta({ description: 'How many nodes they may have together at their creation.' }),
    bytes: bytes.meta({ description: 'Stored bytes of all clusters together.' }),
    clusterBytes: bytes.meta({ description: 'Stored bytes of one cluster.' }),
    requestsPerSecond: count.min(1).optional().meta({ description: 'Of all clusters together; by default no limit.' }),
  })
  .meta({ id: 'Limits' });

export const LimitsPatch = z
  .strictObject({
    clusters: count,
    nodes: count,
    bytes,
    clusterBytes: bytes,
    requestsPerSecond: count.min(1).nullable().meta({ description: 'null: no limit.' }),
  })
  .partial()
  .meta({ id: 'LimitsPatch' });

export const Used = z.object({ clusters: z.int(), nodes: z.int(), bytes: long() }).meta({ id: 'Used' });

export const Usage = z.object({ limits: Limits, used: Used }).meta({ id: 'Usage' });

export const NewTenant = z
  .strictObject({
    name: userName.meta({ description: 'Unique.' }),
    user: userName.default('admin').meta({ description: 'The first user, whose key manages.' }),
    limits: LimitsPatch.default({}),
  })
  .meta({ id: 'NewTenant' });

export const Tenant = z
  .object({
    id: z.string(),
    name: z.string(),
    suspended: z.boolean().meta({ description: 'Its requests are refused, and its clusters stand still.' }),
    limits: Limits,
    createdAt: instant,
  })
  .meta({ id: 'Tenant' });

export const TenantWithUsage = Tenant.extend({ used: Used }).meta({ id: 'TenantWithUsage' });

export const CreatedTenant = Tenant.extend({
  key: z.string().meta({ description: 'Of its first user; shown this once.' }),
}).meta({ id: 'CreatedTenant' });

export const TenantKey = z
  .object({ key: z.string().meta({ description: 'Of a user of the tenant, to manage it; shown this once.' }) })
  .meta({ id: 'TenantKey' });

export const TenantList = z
  .object({ items: z.array(Tenant), nextCursor: z.string().optional() })
  .meta({ id: 'TenantList' });

export const NewTokenSecret = z
  .strictObject({
    previousFor: durationSchema('0s', '366d')
      .default(366 * 24 * 60 * 60_000)
      .meta({ description: 'How long tokens of the secrets before are valid yet; by default as long as any of them.' }),
  })
  .meta({ id: 'NewTokenSecret' });

export const TokenSecret = z
  .object({
    id: z.string().meta({ description: 'Stands in every token that it signs.' }),
    previousUntil: instant,
  })
  .meta({ id: 'TokenSecret' });

export type Limits = z.infer<typeof Limits>;
export type LimitsPatch = z.infer<typeof LimitsPatch>;
export type Used = z.infer<typeof Used>;
export type Usage = z.infer<typeof Usage>;
export type NewTenant = z.infer<typeof NewTenant>;
export type Tenant = z.infer<typeof Tenant>;
export type TenantWithUsage = z.infer<typeof TenantWithUsage>;
export type CreatedTenant = z.infer<typeof CreatedTenant>;
export type TenantKey = z.infer<typeof TenantKey>;
export type TenantList = z.infer<typeof TenantList>;
export type NewTokenSecret = z.infer<typeof NewTokenSecret>;
export type TokenSecret = z.infer<typeof TokenSecret>;
