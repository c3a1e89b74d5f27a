import { parsePoint } from '@terrarium/host';
import { z } from 'zod';
import { long } from '../long.js';
import { Labels } from '../clusters/labels.js';
import { durationSchema } from '../duration.js';

const NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const MAX_FORKS = 200;
const MAX_NAME = 63;
const MAX_CHANGED = 500;

const name = z
  .string()
  .min(1)
  .max(MAX_NAME)
  .regex(NAME, 'must be lower-case letters, digits and dashes, beginning and ending with a letter or digit');

const isMoment = (text: string): boolean => {
  try {
    parsePoint(text);
    return true;
  } catch {
    // The validation of the request says so.
    return false;
  }
};

/** A moment of a cluster's past, as behind the @ of its address. */
export const Moment = z
  .string()
  .max(MAX_NAME)
  .refine(isMoment, { error: 'must be a revision, a time (2006-01-02T15:04:05Z), or how long ago (-10m)' })
  .meta({ description: 'A revision, a virtual time (RFC 3339), or how long ago (-10m).' });

export const NewForks = z
  .strictObject({
    name: name.optional().meta({ description: 'By default as the cluster that is forked; the id names the fork.' }),
    at: Moment.optional().meta({
      description: 'The moment to go on from: a revision, a time, or -10m; by default now.',
    }),
    snapshot: name.optional().meta({ description: 'In place of a moment: the name of a snapshot.' }),
    count: z
      .int()
      .min(1)
      .max(MAX_FORKS)
      .default(1)
      .meta({ description: 'Of several, the names end with -1, -2 and so on.' }),
    seed: z.string().min(1).max(64).optional().meta({ description: 'By default as in the cluster that is forked.' }),
    labels: Labels.default({}).meta({ description: 'To find clusters by.' }),
    ttl: durationSchema('1s', '3650d').optional().meta({ description: 'It is deleted so long after its creation.' }),
    idleTimeout: durationSchema('30s', '3650d')
      .optional()
      .meta({ description: 'It is deleted when it was not used for so long.' }),
  })
  .refine(({ at, snapshot }) => at === undefined || snapshot === undefined, {
    path: ['snapshot'],
    error: 'must not be given with a moment',
  })
  .refine(({ name: base, count }) => count === 1 || `${base ?? ''}-${count}`.length <= MAX_NAME, {
    path: ['name'],
    error: 'is too long to be numbered',
  })
  .meta({ id: 'NewForks' });

export const NewSnapshot = z
  .strictObject({
    name: name.optional().meta({ description: 'Unique in its cluster; by default r and the revision.' }),
    at: Moment.optional().meta({ description: 'A moment of the past: a revision, a time, or -10m; by default now.' }),
  })
  .meta({ id: 'NewSnapshot' });

export const Snapshot = z
  .object({
    name: z.string(),
    revision: long(),
    time: z.string().meta({ description: 'RFC 3339: the virtual time of the state.' }),
    createdAt: z.string().meta({ description: 'RFC 3339.' }),
    bytes: long(),
  })
  .meta({ id: 'Snapshot' });

export const SnapshotList = z.object({ items: z.array(Snapshot) }).meta({ id: 'SnapshotList' });

export const Restore = z
  .strictObject({
    snapshot: name.optional().meta({ description: 'The name of a snapshot of this cluster.' }),
    template: z.boolean().optional().meta({ description: 'In place of it: as the cluster was when it was new.' }),
  })
  .meta({ id: 'Restore' });

export const History = z
  .object({
    oldest: long().meta({ description: 'The first revision that can be read.' }),
    latest: long().meta({ description: 'The last revision.' }),
    time: z.string().meta({ description: 'RFC 3339: the virtual time of the cluster.' }),
    from: z
      .string()
      .optional()
      .meta({ description: 'RFC 3339: the virtual time of the oldest change that is retained.' }),
    begun: long().optional().meta({ description: 'The revision at which the cluster was last put back.' }),
  })
  .meta({ id: 'History' });

export const DiffQuery = z.strictObject({
  from: Moment.optional().meta({ description: 'By default the oldest that can be read.' }),
  to: Moment.optional().meta({ description: 'By default now.' }),
  cluster: z
    .string()
    .max(64)
    .optional()
    .meta({ description: 'Another of your clusters, of which `to` is a moment: a fork, or what was forked.' }),
  limit: z.coerce.number().int().min(1).max(MAX_CHANGED).default(100),
  cursor: z.string().max(2_048).optional().meta({ description: 'nextCursor of the page before.' }),
});

export const FieldChange = z
  .object({
    op: z.enum(['add', 'remove', 'replace']),
    path: z.string().meta({ description: 'A JSON pointer.' }),
    from: z.unknown().optional(),
    to: z.unknown().optional(),
  })
  .meta({ id: 'FieldChange' });

export const ObjectDifference = z
  .object({
    type: z.enum(['added', 'removed', 'changed']),
    resource: z.string().meta({ description: 'deployments.apps' }),
    namespace: z.string(),
    name: z.string(),
    changes: z.array(FieldChange).meta({ description: 'Of an object that is in both; without managed fields.' }),
    truncated: z.boolean().meta({ description: 'There are more changes, or values that are too long to be shown.' }),
  })
  .meta({ id: 'ObjectDifference' });

export const Diff = z
  .object({
    from: long().meta({ description: 'A revision.' }),
    to: long().meta({ description: 'A revision.' }),
    items: z.array(ObjectDifference),
    nextCursor: z.string().optional(),
  })
  .meta({ id: 'Diff' });

export const ExportQuery = z.strictObject({ at: Moment.optional() });

export const ImportQuery = z.strictObject({
  name: name.optional().meta({ description: 'By default as the cluster of the file was called.' }),
});

export type NewForks = z.infer<typeof NewForks>;
export type NewSnapshot = z.infer<typeof NewSnapshot>;
export type Snapshot = z.infer<typeof Snapshot>;
export type SnapshotList = z.infer<typeof SnapshotList>;
export type Restore = z.infer<typeof Restore>;
export type History = z.infer<typeof History>;
export type DiffQuery = z.infer<typeof DiffQuery>;
export type FieldChange = z.infer<typeof FieldChange>;
export type ObjectDifference = z.infer<typeof ObjectDifference>;
export type Diff = z.infer<typeof Diff>;
export type ExportQuery = z.infer<typeof ExportQuery>;
export type ImportQuery = z.infer<typeof ImportQuery>;
