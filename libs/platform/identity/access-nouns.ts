import { z } from 'zod';
import { durationSchema } from '../duration.js';
import { SCOPES } from './scope.js';
import { subjectName } from './subject.js';

/** Users, keys and tokens of a tenant: one schema a noun, as in nouns.ts. */

const USER_NAME = /^[A-Za-z0-9][A-Za-z0-9@._-]*$/;
const MAX_NAME = 100;
const MAX_GROUPS = 20;

const instant = z.string().meta({ description: 'RFC 3339.' });
const listOf = <S extends z.ZodType>(item: S) => z.object({ items: z.array(item), nextCursor: z.string().optional() });

export const userName = z
  .string()
  .min(1)
  .max(MAX_NAME)
  .regex(USER_NAME, 'must be letters, digits and @._-, beginning with a letter or digit');

export const NewUser = z
  .strictObject({ name: userName.meta({ description: 'Unique for you.' }) })
  .meta({ id: 'NewUser' });

export const User = z
  .object({
    id: z.string(),
    name: z.string(),
    disabled: z.boolean().meta({ description: 'Its keys, and the tokens made with them, are refused.' }),
    createdAt: instant,
  })
  .meta({ id: 'User' });

export const UserList = listOf(User).meta({ id: 'UserList' });

export const NewKey = z
  .strictObject({
    name: z.string().min(1).max(MAX_NAME).meta({ description: 'To tell it from others.' }),
    scope: z.enum(SCOPES).default('use').meta({
      description:
        'read: reads everything of your clusters; use: also writes in them, makes and deletes them; manage: also users and keys.',
    }),
    userId: z.string().optional().meta({ description: 'Whose key it is; by default yours.' }),
    ttl: durationSchema('1m', '3650d').optional().meta({ description: 'When it ends, from now; by default never.' }),
  })
  .meta({ id: 'NewKey' });

export const Key = z
  .object({
    id: z.string(),
    name: z.string(),
    scope: z.enum(SCOPES),
    userId: z.string(),
    createdAt: instant,
    expiresAt: instant.optional(),
    lastUsedAt: instant.optional().meta({ description: 'RFC 3339, to the hour.' }),
  })
  .meta({ id: 'Key' });

export const CreatedKey = Key.extend({
  key: z.string().meta({ description: 'Shown this once; only its hash is kept.' }),
}).meta({ id: 'CreatedKey' });

export const KeyList = listOf(Key).meta({ id: 'KeyList' });

const TOKEN_SCOPES = ['read', 'use'] as const;

export const NewToken = z
  .strictObject({
    scope: z.enum(TOKEN_SCOPES).default('read'),
    ttl: durationSchema('10s', '1d')
      .default(60 * 60_000)
      .meta({ description: 'When it ends, from now; by default 1h.' }),
    user: subjectName
      .optional()
      .meta({ description: 'As whom its holder acts in the cluster, held by RBAC; by default its administrator.' }),
    groups: z.array(subjectName).max(MAX_GROUPS).default([]),
  })
  .refine(({ user, groups }) => user !== undefined || groups.length === 0, {
    path: ['groups'],
    error: 'must not be given without a user',
  })
  .meta({ id: 'NewToken' });

export const Token = z
  .object({
    id: z.string(),
    clusterId: z.string(),
    scope: z.enum(TOKEN_SCOPES),
    user: z.string().optional(),
    groups: z.array(z.string()),
    opens: z
      .string()
      .optional()
      .meta({ description: 'Of a link: the one place in the cluster that it opens; it is good for nothing else.' }),
    createdBy: z.string().meta({ description: 'Id of the user who has made it.' }),
    keyId: z.string().optional().meta({ description: 'Of the key that it was made with.' }),
    createdAt: instant,
    expiresAt: instant,
  })
  .meta({ id: 'Token' });

export const CreatedToken = Token.extend({
  token: z.string().meta({ description: 'Send it as "Authorization: Bearer <token>".' }),
}).meta({ id: 'CreatedToken' });

export const TokenList = listOf(Token).meta({ id: 'TokenList' });

export const Session = z
  .object({
    kind: z.enum(['key', 'operator']).meta({ description: 'Of which the browser does what may be done.' }),
    scope: z.enum([...SCOPES, 'operate']),
    tenantId: z.string().optional(),
    userId: z.string().optional(),
    userName: z.string().optional(),
    expiresAt: instant.optional(),
  })
  .meta({ id: 'Session' });

export const CreatedSignInLink = z
  .object({
    link: z.string().meta({ description: 'Signs one browser in: it is sent to POST /v1/session in place of a key.' }),
    expiresAt: instant,
  })
  .meta({ id: 'CreatedSignInLink' });

export type Session = z.infer<typeof Session>;
export type CreatedSignInLink = z.infer<typeof CreatedSignInLink>;
export type NewUser = z.infer<typeof NewUser>;
export type User = z.infer<typeof User>;
export type UserList = z.infer<typeof UserList>;
export type NewKey = z.infer<typeof NewKey>;
export type Key = z.infer<typeof Key>;
export type CreatedKey = z.infer<typeof CreatedKey>;
export type KeyList = z.infer<typeof KeyList>;
export type NewToken = z.infer<typeof NewToken>;
export type Token = z.infer<typeof Token>;
export type CreatedToken = z.infer<typeof CreatedToken>;
export type TokenList = z.infer<typeof TokenList>;
