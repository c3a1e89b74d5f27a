import { z } from 'zod';
import { durationSchema } from '../duration.js';
import { subjectName } from '../identity/subject.js';

const MAX_GROUPS = 20;
/** Contexts of one file. */
export const MAX_CONTEXTS = 100;
const MAX_CLUSTERS_CHARACTERS = 10_000;

/** `group=a&group=b` is a list, `group=a` a text. */
const groups = z
  .union([subjectName.transform((group) => [group]), z.array(subjectName).max(MAX_GROUPS)], {
    error: `must be ${MAX_GROUPS} names at most, of letters, digits and @._:+/-, each beginning with a letter or digit`,
  })
  .default([])
  .meta({ description: 'Groups of the user; the parameter may be repeated.' });

const fields = {
  root: z.enum(['path', 'host', 'sni']).default('path').meta({
    description:
      'How the cluster is named: by the path of the URL, by the host (<id>.<base domain>), or by the TLS server name.',
  }),
  user: subjectName.optional().meta({
    description: 'As whom the file acts in the cluster, held by RBAC; by default its administrator.',
  }),
  group: groups,
  format: z.enum(['token', 'certificate']).default('token').meta({
    description:
      "token: can be revoked; certificate: signed by the cluster's own authority, its key is in this answer only.",
  }),
  ttl: durationSchema('1m', '365d').optional().meta({
    description:
      'When the token or the certificate ends, from now; a certificate after 1d by default, and 30d at most.',
  }),
};

const GROUPS_ALONE = { path: ['group'], error: 'must not be given without a user' };
const hasUserOfGroups = ({ user, group }: { user?: string; group: readonly string[] }): boolean =>
  user !== undefined || group.length === 0;

/** A query, without an id: its fields are parameters of their own in the OpenAPI document. */
export const KubeconfigQuery = z.strictObject(fields).refine(hasUserOfGroups, GROUPS_ALONE);

export const KubeconfigsQuery = z
  .strictObject({
    ...fields,
    clusters: z
      .string()
      .max(MAX_CLUSTERS_CHARACTERS)
      .transform((text) => [...new Set(text.split(',').map((id) => id.trim()))])
      .refine((ids) => !ids.includes(''), 'must be ids, separated by commas')
      .refine((ids) => ids.length <= MAX_CONTEXTS, `must not name more than ${MAX_CONTEXTS} clusters`)
      .optional()
      .meta({ description: 'Ids, separated by commas.' }),
    labelSelector: z.string().optional().meta({ description: 'In place of clusters: those whose labels match.' }),
  })
  .refine(hasUserOfGroups, GROUPS_ALONE)
  .refine(({ clusters, labelSelector }) => (clusters === undefined) !== (labelSelector === undefined), {
    path: ['clusters'],
    error: 'give either clusters or labelSelector',
  });

export type KubeconfigQuery = z.infer<typeof KubeconfigQuery>;
export type KubeconfigsQuery = z.infer<typeof KubeconfigsQuery>;
