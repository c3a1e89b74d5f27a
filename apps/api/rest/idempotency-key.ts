import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { parse } from '@terrarium/platform';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';

const MAX_CHARACTERS = 255;
const Headers = z.object({
  'Idempotency-Key': z
    .string()
    .regex(/^[!-~]*$/, 'must be visible ASCII characters')
    .min(1)
    .max(MAX_CHARACTERS)
    .optional(),
});

/** The header Idempotency-Key. Throws Refusal 400. */
export function idempotencyKeyOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  return parse(Headers, { 'Idempotency-Key': headers['idempotency-key'] })['Idempotency-Key'];
}

export const IdempotencyKey = createParamDecorator((_: unknown, context: ExecutionContext): string | undefined =>
  idempotencyKeyOf(context.switchToHttp().getRequest<FastifyRequest>()),
);
