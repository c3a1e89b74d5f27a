import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { parse } from '@terrarium/platform';
import type { z } from 'zod';

/** Validates each body and query by the schema that its decorator names: `@Body({ schema })`. Throws Refusal 400. */
@Injectable()
export class ZodValidationPipe implements PipeTransform {
  transform(value: unknown, { schema }: ArgumentMetadata): unknown {
    return schema ? parse(schema as z.ZodType, value ?? {}) : value;
  }
}
