import { z } from 'zod';

/**
 * A whole number that outgrows 32 bits: a revision, bytes. OpenAPI's int64, of GraphQL the scalar Long; exact up to
 * 2^53 - 1.
 */
export const long = () => z.int().meta({ format: 'int64' });

/** The same in a query, where all is text. */
export const longText = () => z.coerce.number().int().meta({ format: 'int64' });
