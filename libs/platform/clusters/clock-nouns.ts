import { z } from 'zod';
import { long } from '../long.js';

const MAX_EXPRESSION = 4_096;
const MAX_STEPS = 1_000;
const span = (text: string) => z.string().max(40).optional().meta({ description: text });

/** How the time of a cluster runs. */
export const ClockPatch = z
  .strictObject({
    rate: z.number().gt(0).max(1_000_000).optional().meta({ description: 'Virtual seconds per real second.' }),
    paused: z.boolean().optional().meta({ description: 'Nothing happens while it is true.' }),
    asFastAsPossible: z.boolean().optional().meta({ description: 'Time jumps to whatever is to be done next.' }),
  })
  .meta({ id: 'ClockPatch' });
export type ClockPatch = z.infer<typeof ClockPatch>;

/** Exactly one of by, to and until; the cluster itself says what is missing or wrong. */
export const NewAdvance = z
  .strictObject({
    name: z.string().min(1).max(253).optional().meta({ description: 'Of the Advance object; by default a new one.' }),
    by: span('A duration of virtual time, such as 10m.'),
    to: span('A virtual time, such as 2026-01-31T09:00:00Z.'),
    until: z
      .string()
      .max(MAX_EXPRESSION)
      .optional()
      .meta({ description: 'A condition in CEL, over lists of objects: pods.all(p, p.status.phase == "Running").' }),
    limit: span('The most virtual time that `until` may take; by default 1h.'),
    pause: z.boolean().optional().meta({ description: 'Pauses the cluster when it is over.' }),
  })
  .meta({ id: 'NewAdvance' });
export type NewAdvance = z.infer<typeof NewAdvance>;

export const NewSteps = z
  .strictObject({
    steps: z
      .int()
      .min(0)
      .max(MAX_STEPS)
      .optional()
      .meta({ description: 'Reconciles to run, by default 1; 0 only tells what will run next.' }),
  })
  .meta({ id: 'NewSteps' });
export type NewSteps = z.infer<typeof NewSteps>;

const step = {
  controller: z.string(),
  component: z.string(),
  namespace: z.string().optional(),
  name: z.string().meta({ description: 'Of the key that is reconciled.' }),
  at: z.string().meta({ description: 'Virtual time.' }),
  cause: long().optional().meta({ description: 'The revision that led to it.' }),
};

export const NextStep = z
  .strictObject({
    ...step,
    why: z.string().meta({ description: 'change, delay, requeue or rate.' }),
    queued: z.int().meta({ description: 'Keys that wait in the controller’s queue.' }),
  })
  .meta({ id: 'NextStep' });

export const StepWrite = z
  .strictObject({
    revision: long(),
    verb: z.string(),
    resource: z.string(),
    namespace: z.string().optional(),
    name: z.string(),
  })
  .meta({ id: 'StepWrite' });

export const RanStep = z
  .strictObject({
    ...step,
    outcome: z.string().meta({ description: 'ok, requeue or error.' }),
    error: z.string().optional(),
    writes: z.array(StepWrite),
    moreWrites: z.int().optional(),
  })
  .meta({ id: 'RanStep' });

export const Advance = z
  .strictObject({
    name: z.string(),
    phase: z.enum(['Pending', 'Running', 'Succeeded', 'Failed']),
    progress: z.number().meta({ description: '0 to 100.' }),
    startedAt: z.string().optional().meta({ description: 'Virtual time.' }),
    target: z.string().optional(),
    reached: z.string().optional(),
    reason: z.string().optional(),
    message: z.string().optional(),
    ran: z.array(RanStep).meta({ description: 'Steps that have run, the newest last.' }),
    next: NextStep.optional(),
  })
  .meta({ id: 'Advance' });
export type Advance = z.infer<typeof Advance>;

export const Clock = z
  .strictObject({
    rate: z.number(),
    paused: z.boolean(),
    asFastAsPossible: z.boolean(),
    speedProfile: z.string().optional(),
    advances: z.array(Advance).meta({ description: 'By their names; at most 100.' }),
  })
  .meta({ id: 'Clock' });
export type Clock = z.infer<typeof Clock>;
