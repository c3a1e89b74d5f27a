import { type z } from 'zod';

/** An error that the caller can act on, with its HTTP status. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly details?: readonly string[],
  ) {
    super(message);
  }
}

export const unknownCluster = (id: string): Refusal => new Refusal(404, `there is no cluster "${id}"`);
/** A write that Prisma has refused because of a unique index. */
export const isDuplicate = (error: unknown): boolean => (error as { code?: string }).code === 'P2002';

export const unauthenticated = (): Refusal =>
  new Refusal(401, 'a valid key is needed: send "Authorization: Bearer <key>"');

/** Validates a value. Throws Refusal 400 with one line a fault, each beginning with its field. */
export function parse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const details = result.error.issues
    .slice(0, 20)
    .map((issue) => `${issue.path.length ? `${issue.path.join('.')}: ` : ''}${messageOf(issue)}`);
  throw new Refusal(400, details.join('; '), details);
}

/** A wrong key of a map is told with what is wrong about it. */
const messageOf = (issue: z.core.$ZodIssue): string =>
  issue.code === 'invalid_key' ? issue.issues.map(({ message }) => message).join(', ') : issue.message;
