import { Injectable, type PipeTransform } from '@nestjs/common';
import { parse } from '@terrarium/platform';
import type { z } from 'zod';

/** Validates a body or a query by its schema. Throws Refusal 400. */
@Injectable()
export class ZodValidationPipe<S extends z.ZodType> implements PipeTransform<unknown, z.output<S>> {
  constructor(private readonly schema: S) {}

  transform(value: unknown): z.output<S> {
    return parse(this.schema, value ?? {});
  }
}
