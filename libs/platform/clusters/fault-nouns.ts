import { z } from 'zod';

const MAX_NAME = 253;
const MAX_TIME = 40;

/** What is to go wrong; the cluster itself says what is missing or wrong. */
export const NewFault = z
  .strictObject({
    name: z
      .string()
      .min(1)
      .max(MAX_NAME)
      .optional()
      .meta({ description: 'Unique in its cluster; by default made of the type.' }),
    type: z.string().max(MAX_NAME).default('').meta({ description: "docs/FAULTS.md has them: 'NodeDown'." }),
    target: z.record(z.string(), z.unknown()).optional().meta({ description: 'spec.target of a Fault.' }),
    start: z
      .string()
      .max(MAX_TIME)
      .optional()
      .meta({ description: 'A duration, or a time as RFC 3339; by default now.' }),
    duration: z.string().max(MAX_TIME).optional().meta({ description: 'By default until it is ended.' }),
    seed: z.int().optional(),
    parameters: z.record(z.string(), z.unknown()).optional().meta({ description: 'Of the type.' }),
  })
  .meta({ id: 'NewFault' });
export type NewFault = z.infer<typeof NewFault>;

export const Fault = z
  .strictObject({
    name: z.string(),
    type: z.string(),
    phase: z.enum(['Pending', 'Active', 'Finished', 'Failed']),
    startsAt: z.string().optional().meta({ description: 'Virtual time, RFC 3339.' }),
    startTime: z.string().optional(),
    endsAt: z.string().optional(),
    endTime: z.string().optional(),
    targets: z.array(z.string()).meta({ description: "'node/worker-1', 'pod/shop/web-0'." }),
    message: z.string().optional(),
  })
  .meta({ id: 'Fault' });
export type Fault = z.infer<typeof Fault>;

export const FaultList = z.strictObject({ items: z.array(Fault) }).meta({ id: 'FaultList' });
export type FaultList = z.infer<typeof FaultList>;
